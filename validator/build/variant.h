#pragma once

#include "model/problem.h"

namespace build {

/// How a submission is compiled. Every problem has two ways: one to be judged by, and a checked one.
enum class Variant {
    optimised, ///< C++
    sanitized, ///< C++, checked: AddressSanitizer and UndefinedBehaviourSanitizer
    emulated,  ///< CUDA on the emulator
    traced,    ///< CUDA, checked: each access of a kernel is observed
};

/// The variant that a problem's submissions are judged by, and the one that checks them.
Variant judged_variant(model::Language language);
Variant checked_variant(model::Language language);
bool is_emulated(Variant variant);

} // namespace build
