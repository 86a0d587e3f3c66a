#include "build/nvcc.h"

#include "build/access.h"
#include "build/diagnostics.h"
#include "build/digest.h"
#include "build/limits.h"
#include "build/locate.h"
#include "build/note.h"
#include "build/scratch.h"
#include "isolation/compiler.h"
#include "system/process.h"

#include <algorithm>
#include <charconv>

namespace build {
namespace {

constexpr std::size_t max_errors = 20;

/// For the emulator's device, which every toolkit that knows C++20 knows too. nvcc reads all of a file, but
/// makes code for the device alone: what the host runs, g++ has compiled for the emulator.
std::vector<std::string> arguments_for(const model::Problem& problem, const Layout& layout,
                                       const Toolchain& toolchain, const std::string& file) {
    return {"-std=c++20", "-arch=sm_90",
            "-ccbin",     toolchain.compiler.string(),
            "-I",         problem.exercise.string(),
            "-I",         layout.exercises.string(),
            "-cubin",     file,
            "-o",         "compiled.cubin"};
}

std::string key_of(const Workshop& workshop, const model::Problem& problem,
                   const model::Submission& submission) {
    Digest key;
    key.add("engine.nvcc/1").add(workshop.toolchain().identity);
    for (const model::SourceFile& file : submission.files) {
        key.add(file.name).add(file.text);
        for (const std::string& argument :
             arguments_for(problem, workshop.layout(), workshop.toolchain(), file.name))
            key.add(argument);
    }
    return key.hex();
}

/// The message at "): error: " or "): error #20-D: "; empty for a line that is no error.
std::string_view error_text(std::string_view rest) {
    constexpr std::string_view word = "): error";
    if (!rest.starts_with(word)) return {};
    rest.remove_prefix(word.size());
    const std::size_t colon = rest.find(": ");
    return colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 2);
}

} // namespace

std::vector<model::Diagnostic> parse_nvcc_output(std::string_view output,
                                                 const model::Submission& submission) {
    std::vector<model::Diagnostic> found;
    while (!output.empty() && found.size() < max_errors) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        const std::string_view line = output.substr(0, end);
        output.remove_prefix(std::min(end + 1, output.size()));
        for (const model::SourceFile& file : submission.files) {
            if (!line.starts_with(file.name + "(")) continue;
            int number = 0;
            const char* last = line.data() + line.size();
            const auto [stop, error] = std::from_chars(line.data() + file.name.size() + 1, last, number);
            const std::string_view text = error_text({stop, static_cast<std::size_t>(last - stop)});
            if (error == std::errc{} && !text.empty())
                found.push_back({.file = file.name,
                                 .line = number,
                                 .severity = model::Severity::error,
                                 .message = bounded_message(std::string(text)),
                                 .explanation =
                                     "The emulator accepts this, but NVIDIA's compiler does not: it "
                                     "would not run on a GPU."});
        }
    }
    return found;
}

NvccOpinion ask_nvcc(const Workshop& workshop, const model::Problem& problem,
                     const model::Submission& submission, int cancel_fd) {
    NvccOpinion opinion;
    if (!obstacle_to_nvcc(workshop.toolchain()).empty()) return opinion;
    const std::string key = key_of(workshop, problem, submission);
    if (workshop.cache().find(key)) return {true, true, {}};

    const Scratch scratch(workshop.cache().folder());
    const auto confinement = isolation::confine_compiler(access_of_nvcc(workshop, problem, scratch.path()));
    for (const model::SourceFile& file : submission.files) {
        scratch.write(file.name, file.text);
        sys::Command command;
        command.program = workshop.toolchain().nvcc;
        command.arguments = arguments_for(problem, workshop.layout(), workshop.toolchain(), file.name);
        command.environment = compiler_environment(scratch.path());
        command.directory = scratch.path();
        command.confinement = confinement;
        const sys::RunOutcome outcome =
            sys::run(command, {.wall = std::chrono::seconds(60), .output_bytes = 1 << 20}, cancel_fd);
        if (outcome.interrupted) return {};
        opinion.ran = true;
        if (outcome.ok()) continue;
        opinion.diagnostics = parse_nvcc_output(outcome.output, submission);
        show_places(opinion.diagnostics, submission);
        // No error of the learner's: it is nvcc itself that does not work here.
        if (opinion.diagnostics.empty()) return {};
        return opinion;
    }
    opinion.ok = true;
    workshop.cache().store(key, "nvcc compiled it", to_note({}));
    return opinion;
}

} // namespace build
