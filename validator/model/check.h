#pragma once

#include "model/names.h"

namespace model {

/// What a build of a submission finds, besides what its tests see.
enum class Check {
    none,       ///< nothing: submissions are judged by such a build
    sanitizers, ///< AddressSanitizer and UndefinedBehaviourSanitizer stop the program and report
    races,      ///< ThreadSanitizer stops the program at a data race
    trace,      ///< each access of a kernel is observed
    gpu,        ///< its kernels run on a GPU, so nothing more than what the hardware reports
};

inline constexpr Names<Check, 5> checks{{
    {Check::none, "none"},
    {Check::sanitizers, "sanitizers"},
    {Check::races, "races"},
    {Check::trace, "trace"},
    {Check::gpu, "gpu"},
}};

/// What the sanitizers' options make a program exit with.
inline constexpr int address_sanitizer_status = 99;
inline constexpr int undefined_behaviour_status = 98;
inline constexpr int thread_sanitizer_status = 97;

} // namespace model
