#pragma once

namespace model {

/// What a build of a submission finds, besides what its tests see.
enum class Check {
    none,       ///< nothing: submissions are judged by such a build
    sanitizers, ///< AddressSanitizer and UndefinedBehaviourSanitizer stop the program and report
    trace,      ///< each access of a kernel is observed
};

/// What the sanitizers' options make a program exit with.
inline constexpr int address_sanitizer_status = 99;
inline constexpr int undefined_behaviour_status = 98;

} // namespace model
