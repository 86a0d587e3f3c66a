#pragma once

#include "model/check.h"
#include "model/problem.h"

#include <span>
#include <string_view>

namespace build {

/// How a submission is compiled. Every problem has two ways: one to be judged by, and a checked one. What
/// starts threads has a third. Debuggers have their own.
enum class Variant {
    optimised,        ///< C++
    sanitized,        ///< C++, checked: AddressSanitizer and UndefinedBehaviourSanitizer
    threaded,         ///< C++ that starts threads, checked besides: ThreadSanitizer
    emulated,         ///< CUDA on the emulator
    on_gpu,           ///< CUDA, checked besides: compiled by nvcc, its kernels run on a GPU
    traced,           ///< CUDA, checked: each access of a kernel is observed
    debugged,         ///< C++ as it is written, for a debugger; makes recorded calls and is never judged
    debugged_kernels, ///< the same of CUDA on the emulator
};

/// What follows from a variant: how its program is made and run, and what it finds.
struct VariantTraits {
    Variant variant;
    model::Language language;
    model::Check check = model::Check::none;
    bool one_worker = false; ///< serves all test cases, since its program starts slowly
    int time_factor = 1;     ///< of the problem's limits: a checked build is several times slower
    int memory_factor = 1;   ///< a trace remembers every byte; what sanitizers need, isolation adds
    int stack_factor = 1;    ///< what is not optimised, and guarded besides, takes larger frames
    std::span<const std::string_view> flags; ///< that make the code what it is
    std::span<const std::string_view> link_flags = {};
};

const VariantTraits& traits(Variant variant);

/// The variant that a problem's submissions are judged by, and the one that checks them.
Variant judged_variant(model::Language language);
Variant checked_variant(model::Language language);
/// Whether nvcc compiles it.
bool is_for_gpu(Variant variant);
/// The variant for a debugger.
Variant debugged_variant(model::Language language);
bool is_emulated(Variant variant);
bool is_debugged(Variant variant);

/// The problem's limits as they bind a program of this variant.
model::Limits limits_of(model::Limits limits, Variant variant);

} // namespace build
