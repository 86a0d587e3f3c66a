#include "app/commands.h"
#include "app/commands/try_vocabulary.h"
#include "app/interrupts.h"
#include "app/own_headers.h"
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
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <span>

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

/// The files that were named, or the problem's in the folder try/, which is made if there is none.
std::vector<fs::path> find_program(const Context& context, const model::Problem& problem,
                                   const std::vector<std::string>& named) {
    if (!named.empty()) return {named.begin(), named.end()};
    if (!context.workspace())
        throw model::UsageError("there is no workspace here; name a program, or make a workspace with: " +
                                context.call()("init DIR"));
    const fs::path name =
        fs::path("try") / (problem.id + fs::path(problem.files.front()).extension().string());
    const fs::path file = *context.workspace() / name;
    if (workspace::add(*context.workspace(), name,
                       fmt::format(first_program, problem.id, contract_line(problem))))
        std::cerr << context.fitted(context.shown(file) + " is new: a small program of yours, to edit.\n");
    return {file};
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

bool is_source(const fs::path& file) {
    return file.extension() == ".cpp" || file.extension() == ".cu";
}

[[noreturn]] void refuse(const Unreadable& unreadable) {
    throw model::UsageError("cannot try this: " + unreadable.why);
}

/// The learner's own program.
PlacedSource read_own(const Context& context, const model::Problem& problem, const fs::path& file) {
    auto text = read_source(file, context.shown(file), "a word after the problem names a program's file");
    if (const auto* unreadable = std::get_if<Unreadable>(&text)) refuse(*unreadable);
    if (file.extension() == ".cu" && problem.language != model::Language::cuda)
        throw model::UsageError(
            context.shown(file) + " is CUDA, and " + problem.id +
            " is not; name a CUDA problem: " + context.call()("try cuda-lookup " + context.shown(file)));
    if (!is_source(file))
        throw model::UsageError("cannot try " + context.shown(file) +
                                ": a program's files end in .cpp or .cu; headers are found by what they "
                                "include, next to them or below --include DIR");
    return {{file.filename().string(), std::get<std::string>(std::move(text))}, file};
}

/// A program, and how the learner knows its files.
struct Chosen {
    OwnProgram program;
    std::map<std::string, std::string> shown;
};

Chosen choose(const Context& context, const model::Problem& problem, const std::vector<std::string>& named) {
    Chosen chosen;
    if (const auto& demo = context.options().demo) {
        chosen.program.files.push_back(find_demo(problem, *demo));
        const std::string& name = chosen.program.files.front().name;
        chosen.shown[name] = name;
        return chosen;
    }
    std::vector<fs::path> folders;
    for (const std::string& folder : context.options().includes) {
        std::error_code error;
        if (!fs::is_directory(folder, error))
            throw model::UsageError("--include " + folder + ": there is no such folder");
        folders.emplace_back(folder);
    }
    std::vector<PlacedSource> sources;
    for (const fs::path& file : find_program(context, problem, named))
        sources.push_back(read_own(context, problem, file));
    const build::Layout& layout = context.layout();
    std::vector<fs::path> provided{problem.exercise, layout.exercises};
    if (problem.language == model::Language::cuda) provided.push_back(layout.emulator);
    std::vector<PlacedSource> headers = read_headers(sources, folders, provided);
    const auto take = [&](std::vector<PlacedSource>& from, std::vector<model::SourceFile>& to) {
        for (PlacedSource& each : from) {
            chosen.shown[each.source.name] = context.shown(each.file);
            to.push_back(std::move(each.source));
        }
    };
    take(sources, chosen.program.files);
    take(headers, chosen.program.headers);
    return chosen;
}

/// The words that name a program. Without a problem, its first file was taken for one.
std::vector<std::string> take_program(Context& context) {
    std::vector<std::string> named = context.options().program;
    const std::vector<std::string>& ids = context.options().ids;
    if (ids.empty() || !is_source(ids.front()) || context.is_problem(ids.front())) return named;
    named.insert(named.begin(), ids.front());
    context.mean_none();
    return named;
}

/// A program that runs to an end is worth observing. However `run` ends, its observer is told.
OwnRun run_or_abandon(std::promise<bool>& worth_observing, const std::function<OwnRun()>& run) {
    try {
        OwnRun done = run();
        worth_observing.set_value(done.outcome && !done.outcome->timed_out && !done.outcome->output_exceeded);
        return done;
    } catch (...) {
        worth_observing.set_value(false);
        throw;
    }
}

/// How it ended, and what was seen of its kernels.
void tell(const Context& context, const std::string& ending, const Observed& observed) {
    if (!ending.empty()) std::cerr << context.fitted(ending + "\n");
    constexpr std::size_t max_findings = 10;
    const std::size_t shown = std::min(observed.findings.size(), max_findings);
    if (!observed.missing.empty()) std::cerr << context.fitted(observed.missing + "\n");
    for (const std::string& finding : std::span(observed.findings).first(shown))
        std::cerr << "\n" << context.fitted(text::printable(finding) + "\n");
    if (shown < observed.findings.size())
        std::cerr << context.fitted(fmt::format("\nand {} more\n", observed.findings.size() - shown));
}

} // namespace

ExitCode run_try(Context& context) {
    if (context.options().vocabulary) return try_vocabulary(context);
    const std::vector<std::string> named = take_program(context);
    model::Problem problem = context.problem();
    const std::optional<std::string>& demo = context.options().demo;
    if (demo && demo->empty()) return list_demos(context, problem);
    Chosen chosen = choose(context, problem, named);
    auto read = read_submission(context, problem);
    if (const auto* unreadable = std::get_if<Unreadable>(&read)) refuse(*unreadable);
    const auto submission = std::get<model::Submission>(std::move(read));
    chosen.shown[submission.files.front().name] = submission.shown_as;
    const std::chrono::seconds wall = context.options().limit.value_or(usual_wall);
    // Later than our own limit, which knows more to say.
    problem.limits.cpu = std::max(problem.limits.cpu, 2 * wall + std::chrono::seconds(2));

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    std::promise<bool> worth_observing;
    std::future<Observed> observing;
    if (problem.language == model::Language::cuda)
        observing = std::async(std::launch::async, [&, ready = worth_observing.get_future()]() mutable {
            return observe_own_program(workshop, problem, submission, chosen.program, std::move(ready),
                                       interrupts.fd(), wall);
        });
    const OwnRun run = run_or_abandon(worth_observing, [&] {
        return run_own_program(workshop, problem, submission, chosen.program, interrupts.fd(),
                               {{}, {}, wall});
    });
    progress.clear();
    if (!run.outcome) {
        std::cout << "Your program does not compile.\n\n"
                  << context.fitted(text::printable(errors_of(run.built, chosen.shown)));
        return ExitCode::not_accepted;
    }
    std::cout << text::printable(run.outcome->output) << std::flush;
    const Observed observed = observing.valid() ? observing.get() : Observed{};
    tell(context, ending(*run.outcome, problem.limits, wall), observed);
    return run.ended_well() && observed.findings.empty() ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace app
