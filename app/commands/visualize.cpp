#include "app/commands.h"
#include "app/interrupts.h"
#include "app/own_program.h"
#include "app/report_files.h"
#include "app/scene_progress.h"
#include "app/stdout.h"
#include "app/submission.h"
#include "app/voice.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "picture/formats.h"
#include "picture/scene.h"
#include "terminal/progress.h"
#include "text/clean.h"
#include "workspace/write.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <optional>

namespace app {
namespace {

namespace fs = std::filesystem;

/// More than any scene prints that can be drawn.
constexpr std::uint64_t max_output_kib = 8 << 10;

fs::path scene_file(const model::Problem& problem) {
    return problem.folder / ("picture" + fs::path(problem.files.front()).extension().string());
}

bool has_scene(const model::Problem& problem) {
    std::error_code error;
    return fs::exists(scene_file(problem), error);
}

void need_scene(const Context& context, const model::Problem& problem) {
    if (has_scene(problem)) return;
    std::string others;
    for (const model::Problem& other : context.curriculum().problems)
        if (has_scene(other)) others += (others.empty() ? "" : ", ") + other.id;
    throw model::UsageError("there are no pictures of " + problem.id +
                            "; there are of: " + (others.empty() ? "no problem" : others));
}

/// The text of --text, for a scene that asks for one.
std::string given_text(const Context& context, const model::Problem& problem, const std::string& scene) {
    const fs::path file = context.options().text;
    if (file.empty()) return {};
    if (scene.find("picture::given_text(") == std::string::npos)
        throw model::UsageError("the pictures of " + problem.id + " need no text: leave out --text");
    auto read = read_source(file, context.shown(file), "--text takes a file with a text to learn from");
    if (const auto* unreadable = std::get_if<Unreadable>(&read))
        throw model::UsageError("cannot learn from this: " + unreadable->why);
    std::string text = std::get<std::string>(std::move(read));
    if (text.empty()) throw model::UsageError("cannot learn from this: " + context.shown(file) + " is empty");
    if (std::ranges::count(text, '\0') > 0)
        throw model::UsageError("cannot learn from this: " + context.shown(file) +
                                " is not text, because it has zero bytes");
    return text;
}

/// The page of a call that names no format, below the workspace; none where there is no workspace to keep it
/// in. Whether it can be written is tried before the slow work.
std::optional<fs::path> page_of(const Context& context, const model::Problem& problem) {
    if (!context.options().reports.empty() || !context.workspace()) return std::nullopt;
    fs::path page = fs::path("pictures") / (problem.id + ".html");
    workspace::make_folder(*context.workspace(), page.parent_path());
    workspace::require_no_link(*context.workspace(), page);
    return page;
}

std::string render(const picture::Picture& picture, std::string_view format) {
    return std::ranges::find(picture::formats(), format, &picture::Format::name)->render(picture);
}

} // namespace

ExitCode run_visualize(Context& context) {
    model::Problem problem = context.problem();
    need_scene(context, problem);
    const fs::path root = problem.folder.parent_path().parent_path();
    const model::SourceFile scene{scene_file(problem).filename().string(),
                                  catalogue::read_source(scene_file(problem), root).text};
    const std::string text = given_text(context, problem, scene.text);
    const std::vector<SourcePlace> places = submission_places(context, problem);
    auto read = read_submission(context, problem, places);
    if (const auto* unreadable = std::get_if<Unreadable>(&read))
        throw model::UsageError("cannot draw with this: " + unreadable->why);
    auto submission = std::get<model::Submission>(std::move(read));
    const std::map<std::string, std::string> shown{{submission.files.front().name, submission.shown_as}};

    const std::optional<fs::path> page = page_of(context, problem);
    std::vector<fs::path> inputs;
    inputs.reserve(places.size());
    for (const SourcePlace& place : places)
        inputs.push_back(place.folder / place.name);
    ReportFiles files(context.options().reports, inputs, "text");

    const Interrupts interrupts;
    terminal::Progress progress(std::cerr, context.err().is_terminal, context.err().columns);
    const build::Workshop workshop(context.building_layout(), voice_of(context, progress));
    problem.limits.output_kib = max_output_kib;
    Aside aside{text, {}};
    if (context.err().is_terminal)
        aside.listener = [&](std::string_view output) {
            const std::string line = scene_progress(output, context.err().unicode);
            if (!line.empty()) progress.show(line);
        };
    const OwnRun run = run_own_program(workshop, problem, submission, {{scene}}, interrupts.fd(), aside);
    progress.clear();
    if (!run.outcome) {
        std::cout << "Your file does not compile, so there is nothing to draw.\n\n"
                  << context.fitted(text::printable(errors_of(run.built, shown)));
        return ExitCode::not_accepted;
    }
    picture::Picture picture = picture::read_scene(run.outcome->output);
    if (const std::string words = ending(*run.outcome, problem.limits); !words.empty())
        picture.remarks.insert(picture.remarks.begin(), words);
    if (picture.title.empty()) picture.title = problem.title;
    files.write([&](std::string_view format) { return render(picture, format); });
    if (page) workspace::write(*context.workspace(), *page, render(picture, "html"));
    const terminal::Capabilities& out = context.out();
    if (files.on_stdout().empty())
        std::cout << picture::render_text(
            picture, {.width = std::min(out.width, 100), .unicode = out.unicode, .plain = out.plain});
    else
        std::cout << render(picture, files.on_stdout());
    flush_stdout();
    if (page)
        std::cerr << context.fitted(
            "\nThe whole page, for a browser: " + context.shown(*context.workspace() / *page) + "\n");
    return picture.remarks.empty() ? ExitCode::accepted : ExitCode::not_accepted;
}

} // namespace app
