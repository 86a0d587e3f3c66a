#include "build/limits.h"

#include <array>
#include <string_view>

namespace build {
namespace {

struct Sign {
    std::string_view text; ///< what the compiler, its driver or the linker says
    std::string_view message;
    std::string_view explanation;
};

constexpr std::string_view memory = "the compiler needed more than 2 GiB of memory";
constexpr std::string_view memory_words =
    "The compiler was stopped because it needed more than 2 GiB of memory: is there a "
    "huge array, macro or template that grows without end?";
constexpr std::array<Sign, 6> signs{{
    {"out of memory", memory, memory_words},
    {"memory exhausted", memory, memory_words},
    {"Cannot allocate memory", memory, memory_words},
    {"std::bad_alloc", memory, memory_words},
    {"File size limit exceeded", "the compiled file is larger than 64 MiB",
     "The compiler was stopped because the program grew beyond 64 MiB: is there a huge array with initial "
     "values?"},
    {"File too large", "the compiled file is larger than 64 MiB",
     "The compiler was stopped because the program grew beyond 64 MiB: is there a huge array with initial "
     "values?"},
}};

/// What the machine lacks, in the words of the C library; no program text makes a compiler say it.
constexpr std::array<std::string_view, 5> faults{"No space left on device", "Disk quota exceeded",
                                                 "Read-only file system", "Too many open files",
                                                 "Resource temporarily unavailable"};

/// A tool's own messages begin a line with its name; a learner's text never stands there.
bool was_said(std::string_view output, std::string_view text) {
    for (const std::string_view program : {"cc1plus: ", "virtual ", "g++: ", "clang: ", "mold: ", "ld: ",
                                           "ld.lld: ", "collect2: ", "as: ", "Fatal error: "})
        for (std::size_t at = output.find(program); at != std::string_view::npos;
             at = output.find(program, at + 1)) {
            if (at != 0 && output[at - 1] != '\n') continue;
            if (output.substr(at, output.find('\n', at) - at).find(text) != std::string_view::npos)
                return true;
        }
    return false;
}

model::Diagnostic says(std::string_view message, std::string_view explanation) {
    model::Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.explanation = explanation;
    return diagnostic;
}

} // namespace

std::optional<model::Diagnostic> limit_hit(const sys::RunOutcome& outcome) {
    if (outcome.ok() || outcome.interrupted) return std::nullopt;
    if (outcome.timed_out)
        return says(
            "the compiler took longer than 60 s",
            "The compiler was stopped after 60 s: is there a template, macro or constexpr that never ends?");
    if (outcome.output_exceeded)
        return says("the compiler wrote more than 1 MiB of messages",
                    "The compiler was stopped after 1 MiB of messages: begin with the first one, the others "
                    "often follow from it.");
    constexpr auto cpu_limit =
        std::chrono::milliseconds(14500); // it is counted in whole seconds by the kernel
    if (outcome.exit.cpu >= cpu_limit)
        return says("the compiler used more than 15 s of CPU time",
                    "The compiler was stopped after 15 s of CPU time: is there a template or constexpr "
                    "that never ends?");
    for (const Sign& sign : signs)
        if (was_said(outcome.output, sign.text)) return says(sign.message, sign.explanation);
    return std::nullopt;
}

std::optional<std::string> fault_of_ours(const sys::RunOutcome& outcome) {
    if (outcome.ok() || outcome.interrupted) return std::nullopt;
    for (const std::string_view fault : faults)
        if (was_said(outcome.output, fault)) return std::string(fault);
    return std::nullopt;
}

} // namespace build
