#include "app/commands.h"
#include "app/commands/try_vocabulary.h"
#include "app/interrupts.h"
#include "app/own_program.h"
#include "app/submission.h"
#include "app/voice.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "terminal/progress.h"
#include "text/clean.h"
#include "workspace/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>

namespace app {
namespace {

namespace fs = std::filesystem;

/// What a program to try things with begins as.
constexpr std::string_view first_program =
    R"(// engine try {0} compiles this with your submission and runs it.
{1}

#include <iostream>

int main() {{
    using namespace exercise;
    std::cout << "Call what contract.h declares, and print what comes back.\n";
}}
)";

/// The file that was named, or the problem's in the folder try/, which is made where there is none.
fs::path find_program(const Context& context, const model::Problem& problem) {
    if (!context.options().program.empty()) return context.options().program;
    if (!context.workspace())
        throw model::UsageError("there is no workspace here; name a program, or make a workspace with: " +
                                context.call()("init DIR"));
    const fs::path name =
        fs::path("try") / (problem.id + fs::path(problem.files.front()).extension().string());
    const fs::path file = *context.workspace() / name;
    if (workspace::add(*context.workspace(), name,
                       fmt::format(first_program, problem.id, contract_line(problem))))
        std::cerr << context.fitted(context.shown(file) + " is new: a small program of yours, to edit.\n");
    return file;
}

/// The demos of a problem by their names.
std::map<std::string, fs::path> demos_of(const model::Problem& problem) {
    std::map<std::string, fs::path> demos;
    std::error_code error; // a problem without demos has no folder of them
    for (const fs::directory_entry& entry : fs::directory_iterator(problem.folder / "demos", error))
        if (entry.path().extension() == fs::path(problem.files.front()).extension())
            demos[entry.path().stem().string()] = entry.path();
    return demos;
}

/// Its text. The first line says in a comment what it shows.
std::string read_demo(const fs::path& file, const model::Problem& problem) {
    return catalogue::read_source(file, problem.folder.parent_path().parent_path()).text;
}

ExitCode list_demos(const Context& context, const model::Problem& problem) {
    const auto demos = demos_of(problem);
    if (demos.empty()) {
        std::cout << context.fitted("There are no demos of " + problem.id + ".\n");
        return ExitCode::accepted;
    }
    for (const auto& [name, file] : demos) {
        const std::string text = read_demo(file, problem);
        const std::string first = text.substr(0, text.find('\n'));
        std::cout << context.fitted(
            fmt::format("{}: {}\n", name, first.substr(std::min<std::size_t>(first.size(), 3))));
    }
    std::cout << context.fitted(
        "\nTo run one with your code: " + context.call()("try " + problem.id + " --demo NAME") + "\n");
    return ExitCode::accepted;
}

model::SourceFile find_demo(const model::Problem& problem, const std::string& name) {
    const auto demos = demos_of(problem);
    const auto found = demos.find(name);
    if (found == demos.end()) {
        std::string known;
        for (const auto& [each, file] : demos)
            known += (known.empty() ? "" : ", ") + each;
        throw model::UsageError(problem.id + " has no demo " + name +
                                (known.empty() ? "" : "; there are: " + known));
    }
    return {found->second.filename().string(), read_demo(found->second, problem)};
}

[[noreturn]] void refuse(const Unreadable& unreadable) {
    throw model::UsageError("cannot try this: " + unreadable.why);
}

/// The learner's own program.
model::SourceFile read_own(const Context& context, const fs::path& file) {
    auto text = read_source(file, context.shown(file), "the second word after try names a program");
    if (const auto* unreadable = std::get_if<Unreadable>(&text)) refuse(*unreadable);
    return {file.filename().string(), std::get<std::string>(std::move(text))};
}

} // namespace

ExitCode run_try(Context& context) {
    if (context.options().vocabulary) return try_vocabulary(context);
    const model::Problem problem = context.problem();
    const std::optional<std::string>& demo = context.options().demo;
    if (demo && demo->empty()) return list_demos(context, problem);
    const fs::path file = demo ? fs::path() : find_program(context, problem);
    const model::SourceFile program = demo ? find_demo(problem, *demo) : read_own(context, file);
    auto read = read_submission(context, problem);
    if (const auto* unreadable = std::get_if<Unreadable>(&read)) refuse(*unreadable);
    auto submission = std::get<model::Submission>(std::move(read));

    const std::map<std::string, std::string> shown{{submission.files.front().name, submission.shown_as},
                                                   {program.name, demo ? program.name : context.shown(file)}};
    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const OwnRun run = run_own_program(workshop, problem, std::move(submission), program, interrupts.fd());
    progress.clear();
    if (!run.outcome) {
        std::cout << "Your program does not compile.\n\n"
                  << context.fitted(text::printable(errors_of(run.built, shown)));
        return ExitCode::not_accepted;
    }
    std::cout << text::printable(run.outcome->output) << std::flush;
    if (const std::string words = ending(*run.outcome, problem.limits); !words.empty())
        std::cerr << context.fitted(words + "\n");
    return run.ended_well() ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace app
