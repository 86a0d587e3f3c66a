#include "app/written_test.h"

#include "app/interrupts.h"
#include "app/jobs.h"
#include "app/own_program.h"
#include "app/repairs.h"
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

namespace app {
namespace {

namespace fs = std::filesystem;

/// Of the mistakes that are not found, so many are told by their symptoms.
constexpr std::size_t max_told = 3;

constexpr std::string_view first_test =
    R"(// engine harden {0} --write-test runs this with right and wrong programs.
// End with 0 where a program is right, and with anything else where it is wrong: assert does that.
{1}

#undef NDEBUG
#include <cassert>

int main() {{
    using namespace exercise;
    // Call what contract.h declares, and assert what is right.
}}
)";

/// A program that the test is tried on.
struct Subject {
    std::string name;
    std::string text;
    std::string symptom; ///< of a mistake; empty for a right program
    OwnRun run{};

    bool right() const { return symptom.empty(); }
};

std::vector<Subject> right_programs(const model::Problem& problem) {
    const fs::path root = problem.folder.parent_path().parent_path();
    std::vector<Subject> list;
    list.push_back({"the reference", catalogue::read_source(problem.reference.front(), root).text, {}});
    for (const fs::path& file : problem.accepted)
        list.push_back({file.stem().string(), catalogue::read_source(file, root).text, {}});
    return list;
}

std::vector<Subject> mistakes(const model::Problem& problem) {
    std::vector<Subject> list;
    for (const model::Mistake& mistake : problem.mistakes)
        list.push_back({mistake.name, mistake.program, mistake.symptom});
    return list;
}

/// The test as it was written; one to begin with is made where there is none, and nothing returned.
std::optional<model::SourceFile> read_test(const Context& context, const model::Problem& problem,
                                           const fs::path& file) {
    const fs::path& root = *context.workspace();
    if (workspace::add(root, file.lexically_relative(root),
                       fmt::format(first_test, problem.id, contract_line(problem))))
        return std::nullopt;
    auto read = read_source(file, context.shown(file), "");
    if (const auto* unreadable = std::get_if<Unreadable>(&read))
        throw model::UsageError("cannot try your test: " + unreadable->why);
    return model::SourceFile{file.filename().string(), std::get<std::string>(std::move(read))};
}

void run_on_all(const build::Workshop& workshop, const model::Problem& problem, const model::SourceFile& test,
                std::vector<Subject>& subjects, std::string_view what, terminal::Progress& progress,
                int cancel_fd) {
    Spent spent;
    std::vector<Job> jobs;
    jobs.reserve(subjects.size());
    for (Subject& subject : subjects)
        jobs.push_back({"your test", &spent.judgements, [&] {
                            model::Submission implementation;
                            implementation.files.push_back({problem.files.front(), subject.text});
                            subject.run =
                                run_own_program(workshop, problem, implementation, {{test}}, cancel_fd);
                        }});
    run_jobs(what, jobs, spent, progress);
}

/// The words on a test that a right program does not pass.
std::string told_of_right(const Subject& subject, const model::Limits& limits) {
    return fmt::format("Your test fails a right program ({}), so it finds no mistakes yet. {}\n{}",
                       subject.name, ending(*subject.run.outcome, limits), subject.run.outcome->output);
}

std::string told_of_mistakes(const std::vector<Subject>& mistakes, std::size_t found) {
    std::string text = fmt::format("Your test finds {} of {} mistakes, and fails no right program.\n", found,
                                   mistakes.size());
    std::size_t told = 0;
    for (const Subject& subject : mistakes)
        if (subject.run.ended_well() && told++ < max_told)
            text += fmt::format("{}- {}\n", told == 1 ? "\nIt does not find, among others:\n" : "",
                                subject.symptom);
    return text;
}

} // namespace

ExitCode try_written_test(const Context& context, const model::Problem& problem, store::Store& store) {
    const fs::path file =
        repair_folder(context, problem.id) / ("test" + fs::path(problem.files.front()).extension().string());
    const std::string again = context.call()("harden " + problem.id + " --write-test");
    const auto test = read_test(context, problem, file);
    if (!test) {
        std::cout << context.fitted(context.shown(file) +
                                    " is new: write a test there that right programs pass and wrong ones "
                                    "fail. Then again: " +
                                    again + "\n");
        return ExitCode::accepted;
    }
    model::Problem bounded = problem;
    bounded.limits.cpu = std::min(bounded.limits.cpu, std::chrono::seconds(2));
    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    std::vector<Subject> right = right_programs(bounded);
    run_on_all(workshop, bounded, *test, right, "right programs", progress, interrupts.fd());
    progress.clear();
    const auto failed = std::ranges::find_if(right, [](const Subject& one) { return !one.run.ended_well(); });
    if (failed != right.end()) {
        std::cout << context.fitted(text::printable(
            failed->run.outcome ? told_of_right(*failed, bounded.limits)
                                : "Your test does not compile.\n\n" +
                                      errors_of(failed->run.built, {{test->name, context.shown(file)}})));
        return ExitCode::not_accepted;
    }
    std::vector<Subject> wrong = mistakes(bounded);
    run_on_all(workshop, bounded, *test, wrong, "mistakes", progress, interrupts.fd());
    progress.clear();
    const auto found = static_cast<std::size_t>(
        std::ranges::count_if(wrong, [](const Subject& one) { return !one.run.ended_well(); }));
    std::cout << context.fitted(text::printable(told_of_mistakes(wrong, found)));
    if (2 * found < wrong.size()) return ExitCode::not_accepted;
    store.reach(problem.id, store::Stage::harden);
    return ExitCode::accepted;
}

} // namespace app
