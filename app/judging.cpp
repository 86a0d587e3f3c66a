#include "app/judging.h"

#include "app/device.h"
#include "app/interrupts.h"
#include "app/justifying.h"
#include "app/observation.h"
#include "app/report_files.h"
#include "app/submission.h"
#include "build/workshop.h"
#include "collections/hash.h"
#include "collections/unused.h"
#include "grading/judge.h"
#include "isolation/observe.h"
#include "judge.h"
#include "model/errors.h"
#include "questions/standing.h"
#include "report/console.h"
#include "report/words.h"
#include "terminal/progress.h"

#include <ctime>
#include <future>
#include <iostream>
#include <sys/random.h>

namespace app {
namespace {

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Below this nothing is graded: a submission could read what it is compared with.
constexpr model::IsolationLevel weakest_for_grading = model::IsolationLevel::C;

void require_isolation(const Context& context, bool graded, const model::Isolation& isolation) {
    const model::IsolationLevel floor =
        context.options().require_isolation.value_or(graded ? weakest_for_grading : model::IsolationLevel::E);
    if (isolation.level > floor)
        throw model::EnvironmentError("not judged: isolation level " + std::string(name(floor)) +
                                      " is required, and level " + std::string(name(isolation.level)) +
                                      " was observed here; " + context.call()("doctor") +
                                      " says what is missing");
}

model::Judgement judge_submission(Context& context, const model::Problem& problem, bool graded,
                                  int cancel_fd) {
    // Anew wherever something hangs on it.
    const bool anew = graded || context.options().require_isolation;
    const auto observe = [&] {
        const std::filesystem::path& canary = context.layout().canary;
        model::Isolation observed =
            anew ? isolation::observe(canary)
                 : observe_or_remember(canary, build::default_cache_folder() / "isolation.json");
        require_isolation(context, graded, observed);
        return observed;
    };
    auto read = read_submission(context, problem);
    if (const auto* unreadable = std::get_if<Unreadable>(&read)) {
        model::Judgement judgement = grading::unreadable(problem,
                                                         {.shown_as = unreadable->shown_as,
                                                          .files = {},
                                                          .from = context.options().from,
                                                          .call = context.call()()},
                                                         graded, unreadable->why);
        judgement.isolation = observe();
        return judgement;
    }

    // Found out while the compiler works.
    const std::shared_future<model::Isolation> isolation = std::async(std::launch::async, observe);
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(),
                                   {[&](std::string_view text) { progress.show(text); },
                                    [&](std::string_view text) {
                                        progress.clear();
                                        context.warn(text);
                                    }});
    const kit::Kits kits(workshop);
    const kit::Kit kit(kits, problem, cancel_fd);
    return judge::judge(workshop, {problem, kit, std::get<model::Submission>(std::move(read)), graded,
                                   context.options().seed.value_or(fresh_seed()), isolation, cancel_fd});
}

/// What a learner hands in is no source of content: it is judged, and judges nothing.
void name_unused_content(const Context& context) {
    const auto& workspace = context.workspace();
    for (const std::filesystem::path& folder : collections::unused_content(
             context.content(), workspace ? *workspace : std::filesystem::path(), context.options().from))
        context.warn(folder.string() + " is not used: problems come from the engine, your configuration, "
                                       "ENGINE_CONTENT and --content alone");
}

/// Keeps the attempt; a database that cannot be written costs a warning, not the verdict.
void record(Context& context, const model::Problem& problem, model::Judgement& judgement,
            std::string_view command) {
    store::Store* store = context.progress();
    if (store == nullptr) return;
    try {
        judgement.attempt = store->record(judgement, command);
        if (judgement.graded && judgement.verdict == model::Verdict::accepted) context.select(problem.id);
        if (const auto attempt = store->last_justified(problem.id))
            judgement.justification =
                questions::justification(problem.questions, store->justification(problem.id, *attempt));
    } catch (const store::Unwritable& error) {
        context.warn(std::string("this attempt was not kept: ") + error.what());
    }
}

/// How far an acceptance has brought the learner; nothing where no progress is kept.
std::optional<report::Course> course_of(const Context& context, const model::Judgement& judgement) {
    if (!judgement.graded || judgement.verdict != model::Verdict::accepted || context.progress() == nullptr)
        return std::nullopt;
    report::Course course;
    const auto next = context.next_open(judgement.problem_id);
    for (const model::Problem& problem : context.curriculum().problems) {
        ++course.problems;
        if (context.is_accepted(problem.id)) ++course.accepted;
        if (next == problem.id) course.next = problem.title + " (" + problem.id + ")";
    }
    return course;
}

void print(const Context& context, const model::Judgement& judgement, const report::Format* format,
           Rendering rendering) {
    if (format != nullptr) {
        std::cout << format->render(judgement);
    } else {
        const terminal::Capabilities& out = context.out();
        std::cout << rendering(judgement, {.colour = out.colour,
                                           .width = out.width,
                                           .verbose = context.options().verbose,
                                           .timings = context.options().timings,
                                           .unicode = out.unicode,
                                           .plain = out.plain,
                                           .verdict_last = out.is_terminal,
                                           .course = course_of(context, judgement)});
    }
    if (!std::cout.flush())
        throw model::EnvironmentError(
            "cannot write the report to stdout; is the disk full or the pipe closed?");
}

/// `command` is what an attempt is kept under; none is where it is empty.
ExitCode run(Context& context, bool graded, std::string_view command, Rendering rendering,
             const Finish& finish = {}) {
    const model::Problem problem = context.problem();
    check_device(context.options().device, problem);
    name_unused_content(context);
    ReportFiles files(context.options().formats, context.options().outputs);
    const Interrupts interrupts;
    // Opened before the slow work as well: a damaged database is worth knowing now.
    context.progress();

    const std::string started = utc_now();
    std::future<std::string> hash = std::async(std::launch::async, [content = context.content_of(problem)] {
        return collections::hash_of(content);
    });
    model::Judgement judgement = judge_submission(context, problem, graded, interrupts.fd());
    judgement.started = started;
    judgement.engine_version = context.layout().version;
    judgement.collection = {problem.collection, hash.get()};
    if (!command.empty()) record(context, problem, judgement, command);
    if (finish) finish(context, judgement);
    files.write(judgement);
    print(context, judgement, files.on_stdout(), rendering);
    if (!judgement.questions.empty() && files.on_stdout() == nullptr && may_ask(context))
        offer_questions(context, judgement, interrupts.fd());

    const ExitCode code = exit_code(judgement.verdict);
    return context.options().exit_zero && code == ExitCode::not_accepted ? ExitCode::accepted : code;
}

} // namespace

std::uint64_t fresh_seed() {
    std::uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
        seed = static_cast<std::uint64_t>(std::time(nullptr));
    return seed >> 16; // short enough to type, and exact as a JSON number everywhere
}

ExitCode judge_and_report(Context& context, bool graded, std::string_view command, const Finish& finish) {
    return run(context, graded, command, report::render_console, finish);
}

ExitCode judge_and_show(Context& context, Rendering rendering) {
    return run(context, false, "", rendering);
}

} // namespace app
