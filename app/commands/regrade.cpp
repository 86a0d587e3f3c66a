#include "app/commands.h"
#include "app/interrupts.h"
#include "app/stdout.h"
#include "app/teaching/comparison.h"
#include "app/teaching/rounds.h"
#include "app/teaching/runs.h"
#include "app/teaching/session.h"
#include "app/voice.h"
#include "model/errors.h"
#include "report/words.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

using gradebook::Gradebook;

/// A grade that a person sets, in place of a regrade.
ExitCode change_by_hand(const Context& context, Gradebook& book, const coursework::Assignment& assignment) {
    const Options& options = context.options();
    const std::string problem = context.problem_id();
    if (std::ranges::find(assignment.problems, problem, &coursework::AssignedProblem::id) ==
        assignment.problems.end())
        throw model::UsageError(problem + " is none of the assigned problems");
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    book.change({options.student, problem, *options.percent, options.who, options.why, coursework::utc(now)});
    std::cout << context.fitted(fmt::format("{}, {}: {} % from now on\n", options.student, problem,
                                            report::number(*options.percent)));
    return ExitCode::accepted;
}

/// Works that were judged under circumstances that are not today's.
std::vector<gradebook::Needed> touched_works(const gradebook::Book& book, const teaching::Assigned& assigned,
                                             const teaching::ClassJudge& judge) {
    std::vector<gradebook::Needed> works = gradebook::needed_works(book, assigned.assignment);
    std::erase_if(works, [&](const gradebook::Needed& needed) {
        if (!needed.work->judgement) return true;
        const teaching::Circumstances how =
            teaching::circumstances_of(needed, assigned.assignment, assigned.setup.seed, judge);
        return book.judged.at(*needed.work->judgement).key == judge.key(how, needed.work->hash);
    });
    return works;
}

std::size_t judged_works(const gradebook::Book& book) {
    std::size_t count = 0;
    for (const gradebook::Attempt& attempt : book.attempts)
        count += static_cast<std::size_t>(
            std::ranges::count(attempt.works, gradebook::State::judged, &gradebook::Work::state));
    return count;
}

std::vector<teaching::Replacement> replacements_of(const teaching::Runs& runs, const teaching::Ran& ran) {
    std::vector<teaching::Replacement> all;
    for (const auto& [work, judgement] : runs.known)
        all.push_back({work.submission, work.problem, judgement});
    for (const auto& [piece, judgement] : ran.judged)
        for (const gradebook::WorkId& work : piece->works)
            all.push_back({work.submission, work.problem, judgement});
    return all;
}

void apply(Gradebook& book, const std::vector<teaching::Replacement>& replacements) {
    std::vector<std::pair<gradebook::WorkId, gradebook::Id>> works;
    works.reserve(replacements.size());
    for (const teaching::Replacement& one : replacements)
        works.emplace_back(gradebook::WorkId{one.submission, one.problem}, one.judgement);
    book.assign(works);
}

std::string what_now(const Context& context, std::size_t students, bool applied) {
    if (applied) return fmt::format("{} changed.\n", report::count(students, "student"));
    if (students == 0) return "No grade and no test would change.\n";
    return fmt::format("{} would change. Nothing is changed yet; this does it: {}\n",
                       report::count(students, "student"),
                       context.call()("regrade " + context.options().gradebook + " --apply"));
}

ExitCode regrade(Context& context) {
    const Options& options = context.options();
    if (!std::filesystem::exists(options.gradebook))
        throw model::UsageError("there is no gradebook " + options.gradebook + "; " +
                                context.call()("grade FOLDER") + " makes one");
    Gradebook book = Gradebook::open(options.gradebook);
    const auto setup = book.setup();
    if (!setup) throw model::UsageError("the gradebook " + options.gradebook + " is empty");
    const teaching::Assigned assigned = teaching::assignment_for(context, setup, {});
    if (options.percent) return change_by_hand(context, book, assigned.assignment);

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const teaching::ClassJudge judge(
        context, workshop, teaching::assigned_problems(context, assigned.assignment), interrupts.fd());
    const gradebook::Book before = book.read();
    const std::vector<gradebook::Needed> touched = touched_works(before, assigned, judge);
    const teaching::Runs runs =
        teaching::plan_runs(touched, assigned.assignment, assigned.setup.seed, judge, book);
    const auto executor =
        teaching::make_executor(context, judge, options.gradebook, assigned.assignment, interrupts.fd());
    const teaching::Ran ran =
        teaching::run_pieces(*executor, book, runs.pieces, false, teaching::report_schema(context), progress,
                             context.err().is_terminal);
    progress.clear();

    const std::vector<teaching::Replacement> replacements = replacements_of(runs, ran);
    const teaching::Compared compared = teaching::compare(
        before, teaching::with_replacements(book.read(), replacements), assigned.assignment);
    if (options.apply) apply(book, replacements);
    std::cout << context.fitted(
        fmt::format("{} of {} works were judged under other circumstances, {} judged again now\n{}{}",
                    touched.size(), judged_works(before), ran.judged.size(), compared.text,
                    what_now(context, compared.students, options.apply)));
    flush_stdout();
    for (const auto& [piece, why] : ran.failed)
        context.warn("a work on " + piece->how.problem +
                     " could not be judged, so its judgement stays: " + why.why);
    return ran.failed.empty() ? ExitCode::accepted : ExitCode::not_judged;
}

} // namespace

ExitCode run_regrade(Context& context) {
    return teaching::unless_interrupted([&] { return regrade(context); });
}

} // namespace app
