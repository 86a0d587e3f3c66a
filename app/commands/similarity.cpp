#include "app/commands.h"
#include "app/interrupts.h"
#include "app/stdout.h"
#include "app/teaching/programs.h"
#include "app/teaching/pseudonyms_file.h"
#include "app/teaching/session.h"
#include "app/teaching/written_file.h"
#include "app/voice.h"
#include "model/errors.h"
#include "similarity/page.h"
#include "similarity/tester.h"
#include "terminal/progress.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t pairs_on_terminal = 20;
constexpr std::size_t pairs_on_page = 100;

/// The assigned problems, or those of them that --problem names.
std::vector<model::Problem> wanted_problems(const Context& context, const std::vector<std::string>& wanted,
                                            const coursework::Assignment& assignment) {
    std::vector<model::Problem> problems = teaching::assigned_problems(context, assignment);
    for (const std::string& id : wanted)
        if (std::ranges::find(problems, id, &model::Problem::id) == problems.end())
            throw model::UsageError(id + " is not one of the assigned problems");
    if (!wanted.empty())
        std::erase_if(problems, [&](const model::Problem& problem) {
            return std::ranges::find(wanted, problem.id) == wanted.end();
        });
    return problems;
}

/// The assignment that the gradebook was made for.
coursework::Assignment assignment_in(Context& context, const gradebook::Gradebook& book) {
    const auto setup = book.setup();
    if (!setup) throw model::UsageError("the gradebook " + context.options().gradebook + " is empty");
    return teaching::assignment_for(context, setup, {}).assignment;
}

class Comparing {
  public:
    Comparing(const Context& context, const build::Workshop& workshop, terminal::Progress& progress,
              int cancel_fd)
        : context_(context), workshop_(workshop), progress_(progress), cancel_fd_(cancel_fd),
          tester_(similarity::find_tester()) {}

    similarity::ProblemResult compare(const std::string& problem, teaching::Programs programs) const {
        if (!programs.too_long.empty())
            context_.warn(fmt::format("{}: not compared, since longer than {} KiB: {}", problem,
                                      similarity::max_program_bytes >> 10,
                                      fmt::join(programs.too_long, ", ")));
        std::vector<similarity::Program> all = similarity::merge_equal(std::move(programs.all));
        similarity::Found found = similarity::find_matches(
            workshop_, tester_, all,
            [&](std::size_t done, std::size_t count) {
                progress_.show(fmt::format("comparing programs of {}: {} of {}", problem, done, count));
            },
            cancel_fd_);
        if (!found.trouble.empty()) context_.warn(problem + ": " + found.trouble);
        similarity::Comparison comparison = similarity::compare(all, std::move(found.matches));
        return {problem, std::move(all), std::move(comparison), std::move(found.trouble)};
    }

  private:
    const Context& context_;
    const build::Workshop& workshop_;
    terminal::Progress& progress_;
    int cancel_fd_;
    fs::path tester_;
};

void write_page(const std::string& file, const std::string& title,
                const std::vector<similarity::ProblemResult>& results) {
    teaching::make_folder(teaching::folder_of(file));
    teaching::write_file(teaching::folder_of(file), fs::path(file).filename(),
                         similarity::page(title, results, pairs_on_page));
}

ExitCode compare_programs(Context& context) {
    const Options& options = context.options();
    if (!fs::exists(options.gradebook))
        throw model::UsageError("there is no gradebook " + options.gradebook + "; " +
                                context.call()("grade FOLDER") + " makes one");
    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    const Comparing comparing(context, workshop, progress, interrupts.fd());

    const gradebook::Gradebook book = gradebook::Gradebook::open(options.gradebook);
    const std::vector<std::string> wanted = context.problem_ids();
    context.mean_none(); // they choose from the assignment, and do not make one
    const coursework::Assignment assignment = assignment_in(context, book);
    const std::vector<model::Problem> problems = wanted_problems(context, wanted, assignment);
    std::vector<teaching::EarlierPrograms> earlier;
    for (const std::string& path : options.earlier)
        earlier.emplace_back(path, problems, options.pseudonyms.empty());
    const gradebook::Book named = teaching::PseudonymsFile(options.pseudonyms).readable(book.read());

    std::vector<similarity::ProblemResult> results;
    for (const model::Problem& problem : problems) {
        teaching::Programs programs;
        teaching::add_course_programs(programs, problem);
        teaching::add_class_programs(programs, problem.id, book, named, assignment);
        for (const teaching::EarlierPrograms& more : earlier)
            more.add_to(programs, problem.id);
        results.push_back(comparing.compare(problem.id, std::move(programs)));
    }
    progress.clear();
    if (!options.page.empty())
        write_page(options.page,
                   assignment.title.empty() ? "Similar programs" : "Similar programs: " + assignment.title,
                   results);
    std::cout << context.fitted(similarity::table(results, pairs_on_terminal));
    flush_stdout();
    const bool whole = std::ranges::all_of(results, &std::string::empty, &similarity::ProblemResult::trouble);
    return whole ? ExitCode::accepted : ExitCode::not_judged;
}

} // namespace

ExitCode run_similarity(Context& context) {
    return compare_programs(context);
}

} // namespace app
