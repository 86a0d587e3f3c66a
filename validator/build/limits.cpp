#include "build/limits.h"

#include "build/diagnostics.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <string_view>
#include <sys/wait.h>

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

/// What the machine lacks, in the words of the C library.
constexpr std::array<std::string_view, 3> words_of_full_disks{"No space left on device",
                                                              "Disk quota exceeded", "Read-only file system"};
constexpr std::string_view words_of_few_descriptors = "Too many open files";

/// More than a submission's compile takes by a factor: where a compiler that was killed had as much, it was
/// the submission that asked for it.
constexpr std::int64_t hungry_kib = 768 << 10;

constexpr std::int64_t cpu_limit_us = 59'500'000; // it is counted in whole seconds by the kernel

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

model::Diagnostic out_of_memory() {
    return says(memory, memory_words);
}
model::Diagnostic out_of_time() {
    return says(
        "the compiler used more than 60 s of CPU time",
        "The compiler was stopped after 60 s of CPU time: is there a template or constexpr that never ends?");
}
model::Diagnostic too_many_messages(const std::string& tool) {
    return says(
        "the " + tool + " wrote more than 1 MiB of messages",
        "The " + tool +
            " was stopped after 1 MiB of messages: begin with the first one, because the others often "
            "follow from it. Does a macro repeat a message, or does a macro or template make very "
            "long names?");
}
model::Diagnostic file_too_large() {
    return says(signs.back().message, signs.back().explanation);
}

bool ends_from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

/// The limit that ended one program.
std::optional<model::Diagnostic> limit_of(const sys::StageReport& stage) {
    if (!WIFSIGNALED(stage.status)) return std::nullopt;
    const int signal = WTERMSIG(stage.status);
    if (signal == SIGXFSZ) return file_too_large();
    if (signal == SIGXCPU || (signal == SIGKILL && stage.cpu_us >= cpu_limit_us)) return out_of_time();
    if (signal == SIGKILL && stage.peak_kib >= hungry_kib) return out_of_memory();
    return std::nullopt;
}

} // namespace

std::optional<model::Diagnostic> limit_hit(const CompilerRun& run, std::string_view tool) {
    const sys::RunOutcome& outcome = run.outcome;
    if (outcome.ok() || outcome.interrupted) return std::nullopt;
    if (outcome.timed_out)
        return says(
            "the compiler took longer than 120 s",
            "The compiler was stopped after 120 s: is there a template, macro or constexpr that never ends?");
    if (outcome.output_exceeded) return too_many_messages(std::string(tool));
    for (const sys::StageReport& stage : run.stages)
        if (auto limit = limit_of(stage)) return limit;
    if (!run.watched && outcome.exit.cpu >= std::chrono::microseconds(cpu_limit_us)) return out_of_time();
    for (const Sign& sign : signs)
        if (was_said(outcome.output, sign.text)) return says(sign.message, sign.explanation);
    return std::nullopt;
}

bool killed_from_outside(const CompilerRun& run) {
    const sys::RunOutcome& outcome = run.outcome;
    if (outcome.ok() || outcome.interrupted || outcome.timed_out || outcome.output_exceeded) return false;
    if (outcome.exit.signalled && ends_from_outside(outcome.exit.code) &&
        outcome.exit.cpu < std::chrono::microseconds(cpu_limit_us))
        return !limit_hit(run, "compiler");
    return std::ranges::any_of(run.stages, [](const sys::StageReport& stage) {
        return WIFSIGNALED(stage.status) && ends_from_outside(WTERMSIG(stage.status)) && !limit_of(stage);
    });
}

std::optional<std::string> fault_of_ours(const CompilerRun& run, const Machine& machine) {
    const sys::RunOutcome& outcome = run.outcome;
    // The engine stopped it, so its programs may not have reported.
    if (outcome.ok() || outcome.interrupted || outcome.timed_out || outcome.output_exceeded)
        return std::nullopt;
    for (const sys::StageReport& stage : run.stages)
        if (stage.start_error != 0)
            return std::string("starting a program: ") + std::strerror(stage.start_error);
    // Nothing has read the submission, so these words are not made of it.
    if (run.watched && run.stages.empty())
        return "it could not start its programs" +
               (outcome.output.empty() ? "" : " (" + bounded_message(outcome.first_line()) + ")");
    for (const std::string_view words : words_of_full_disks)
        if (machine.disk_is_full && was_said(outcome.output, words)) return std::string(words);
    if (machine.few_descriptors && was_said(outcome.output, words_of_few_descriptors))
        return std::string(words_of_few_descriptors);
    return std::nullopt;
}

} // namespace build
