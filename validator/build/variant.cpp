#include "build/variant.h"

#include <algorithm>
#include <array>

namespace build {
namespace {

using model::Check;
using model::Language;
using Flags = std::string_view[];

constexpr Flags optimised{"-O2"};
// No vptr check: it probes memory with a pipe, which the worker's filter refuses, and so finds fault with
// every std::thread.
constexpr Flags sanitized{"-O1", "-fsanitize=address,undefined", "-fno-sanitize=vptr",
                          "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"};
constexpr Flags link_sanitized{"-fsanitize=address,undefined"};
// What is said of fences: the shim has one that is followed.
constexpr Flags threaded{"-O1", "-fsanitize=thread", "-fno-omit-frame-pointer", "-Wno-tsan"};
constexpr Flags link_threaded{"-fsanitize=thread"};
constexpr Flags emulated{
#include "build/flags/emulated.inc"
};
constexpr Flags traced{
#include "build/flags/traced.inc"
};

// What nvcc's host compiler is told, as far as nvcc does not say it itself. Which device code is made depends
// on the GPU.
constexpr Flags on_gpu{"-std=c++20", "-O2", "-lineinfo", "-Xcompiler=-g1,-fPIE,-ffp-contract=off"};

constexpr Flags debugged{"-O0", "-ggdb2"};
constexpr Flags debugged_kernels{
#include "build/flags/debugged.inc"
};

constexpr std::array<VariantTraits, 8> table{{
    {.variant = Variant::optimised, .language = Language::cpp, .flags = optimised},
    {.variant = Variant::sanitized,
     .language = Language::cpp,
     .check = Check::sanitizers,
     .one_worker = true,
     .time_factor = 5,
     .stack_factor = 8,
     .flags = sanitized,
     .link_flags = link_sanitized},
    {.variant = Variant::threaded,
     .language = Language::cpp,
     .check = Check::races,
     .one_worker = true,
     .time_factor = 15,
     .memory_factor = 3,
     .stack_factor = 8,
     .flags = threaded,
     .link_flags = link_threaded},
    // All threads that a device holds at a time may have a stack of their own, as where blocks wait for each
    // other.
    {.variant = Variant::emulated, .language = Language::cuda, .memory_factor = 3, .flags = emulated},
    // What a kernel does wrong shows in its trace, so a practice run has one too.
    {.variant = Variant::traced,
     .language = Language::cuda,
     .check = Check::trace,
     .time_factor = 5,
     .memory_factor = 4,
     .stack_factor = 4,
     .flags = traced},
    // A context takes a second to make, so one serves all cases until something fails.
    {.variant = Variant::on_gpu,
     .language = Language::cuda,
     .check = Check::gpu,
     .one_worker = true,
     .flags = on_gpu},
    {.variant = Variant::debugged, .language = Language::cpp, .flags = debugged},
    {.variant = Variant::debugged_kernels, .language = Language::cuda, .flags = debugged_kernels},
}};

Variant variant_for(Language language, bool checked) {
    return std::ranges::find_if(table, // those for GPUs and debuggers come last
                                [&](const VariantTraits& row) {
                                    return row.language == language && (row.check != Check::none) == checked;
                                })
        ->variant;
}

} // namespace

const VariantTraits& traits(Variant variant) {
    return *std::ranges::find(table, variant, &VariantTraits::variant);
}

Variant judged_variant(Language language) {
    return variant_for(language, false);
}

Variant checked_variant(Language language) {
    return variant_for(language, true);
}

Variant debugged_variant(Language language) {
    return language == Language::cpp ? Variant::debugged : Variant::debugged_kernels;
}

bool is_debugged(Variant variant) {
    return variant == Variant::debugged || variant == Variant::debugged_kernels;
}

bool is_for_gpu(Variant variant) {
    return traits(variant).check == Check::gpu;
}

bool is_emulated(Variant variant) {
    return traits(variant).language == Language::cuda && !is_for_gpu(variant);
}

model::Limits limits_of(model::Limits limits, Variant variant) {
    const VariantTraits& row = traits(variant);
    limits.wall *= row.time_factor;
    limits.cpu *= row.time_factor;
    limits.memory_mib *= static_cast<std::uint64_t>(row.memory_factor);
    limits.stack_mib *= static_cast<std::uint64_t>(row.stack_factor);
    return limits;
}

} // namespace build
