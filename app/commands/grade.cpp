#include "app/commands.h"
#include "app/interrupts.h"
#include "app/stdout.h"
#include "app/teaching/exporting.h"
#include "app/teaching/handing_in.h"
#include "app/teaching/rounds.h"
#include "app/teaching/runs.h"
#include "app/teaching/session.h"
#include "app/teaching/summary.h"
#include "app/voice.h"
#include "terminal/progress.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

using gradebook::Gradebook;

/// Puts what was found into the gradebook.
void take_in(const Context& context, Gradebook& book, const teaching::Found& found,
             const std::vector<model::Problem>& problems) {
    const std::vector<coursework::Student> roster = teaching::read_roster_option(context);
    if (!roster.empty()) book.enrol(roster);
    std::vector<coursework::Student> known = roster;
    if (known.empty())
        for (const gradebook::Enrolled& student : book.read().students)
            known.push_back(student);
    for (const intake::Input& input : found.inputs)
        book.hand_in(teaching::read_handed(input, problems, known));
    for (const std::string& name : found.ignored)
        context.warn(name + " is no submission: neither a folder, an archive nor a source file");
}

/// What a grade may rest on and has not been judged.
std::vector<gradebook::Needed> unjudged_works(const gradebook::Book& book,
                                              const coursework::Assignment& assignment) {
    std::vector<gradebook::Needed> works = gradebook::needed_works(book, assignment);
    std::erase_if(works, [](const gradebook::Needed& needed) {
        return needed.work->state != gradebook::State::waiting &&
               needed.work->state != gradebook::State::unjudged;
    });
    return works;
}

ExitCode grade(Context& context) {
    const Options& options = context.options();
    const std::filesystem::path file = teaching::gradebook_path(options.gradebook, options.submissions);
    teaching::Exports exports(context);
    const teaching::Found found = teaching::find_submissions(options.submissions);
    std::optional<Gradebook> opened;
    if (std::filesystem::exists(file)) opened.emplace(Gradebook::open(file));
    const auto [assignment, setup] =
        teaching::assignment_for(context, opened ? opened->setup() : std::nullopt, found.inputs);

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const teaching::ClassJudge judge(context, workshop, teaching::assigned_problems(context, assignment),
                                     interrupts.fd());
    if (!opened) opened.emplace(Gradebook::open(file));
    Gradebook& book = *opened;
    book.keep_setup(setup);
    take_in(context, book, found, judge.problems());

    const gradebook::Book before = book.read();
    const teaching::Runs runs =
        teaching::plan_runs(unjudged_works(before, assignment), assignment, setup.seed, judge, book);
    book.assign(runs.known);
    const auto executor = teaching::make_executor(context, judge, file, assignment, interrupts.fd());
    const catalogue::Schema reports = teaching::report_schema(context);
    const teaching::Ran ran = teaching::run_pieces(*executor, book, runs.pieces, true, reports, progress,
                                                   context.err().is_terminal);
    progress.clear();

    exports.write(book, assignment, reports);
    const gradebook::Book after = book.read();
    std::cout << context.fitted(teaching::summary(after, gradebook::grades_of(after, assignment), assignment))
              << context.fitted(
                     fmt::format("\n{} judged now; the gradebook is {}\n", ran.judged.size(), file.string()));
    flush_stdout();
    return ran.failed.empty() ? ExitCode::accepted : ExitCode::not_judged;
}

} // namespace

ExitCode run_grade(Context& context) {
    return teaching::unless_interrupted([&] { return grade(context); });
}

} // namespace app
