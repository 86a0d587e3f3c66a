#include "app/context.h"

#include "app/log.h"
#include "catalogue/collections.h"
#include "collections/configuration.h"
#include "model/errors.h"
#include "model/shell_word.h"
#include "terminal/look.h"
#include "terminal/markdown.h"
#include "text/nearest.h"
#include "workspace/find.h"
#include "workspace/record.h"
#include "workspace/selection.h"
#include "workspace/write.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <unistd.h>

namespace app {

namespace fs = std::filesystem;

namespace {

/// Of whatever version, and damaged or not.
bool has_record(const fs::path& folder) {
    try {
        return workspace::read_record(folder).has_value();
    } catch (const workspace::Damaged&) {
        return true;
    }
}

/// False if it cannot be written, which the next command tries again.
bool record_version(const fs::path& folder) {
    try {
        workspace::write_record(folder, {});
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

} // namespace

Context::Context(Options options, build::Layout layout, Call call, fs::path here, bool author)
    : options_(std::move(options)), layout_(std::move(layout)), call_(std::move(call)),
      here_(std::move(here)), author_(author) {
    measure_terminal();
}

void Context::measure_terminal() {
    out_ = terminal::capabilities(terminal::surroundings(STDOUT_FILENO), options_.colour, options_.plain);
    err_ = terminal::capabilities(terminal::surroundings(STDERR_FILENO), options_.colour, options_.plain);
}

const collections::Collections& Context::content() const {
    const auto variable = [](const char* name) { return std::getenv(name); };
    const char* const folder = variable("ENGINE_CONTENT");
    if (!content_)
        content_ = collections::find(
            layout_,
            {options_.content, folder == nullptr ? "" : folder,
             collections::configuration_file(variable("XDG_CONFIG_HOME"), variable("HOME")), here_, author_});
    return *content_;
}

const catalogue::Content& Context::content_of(const model::Problem& problem) const {
    const auto& all = content().all;
    const auto holds = [&](const catalogue::Content& content) {
        return content.problems == problem.folder.parent_path();
    };
    return *std::ranges::find_if(all, holds);
}

build::Layout Context::building_layout() const {
    build::Layout layout = layout_;
    for (const catalogue::Content& each : content().all)
        for (const fs::path& folder : {each.problems, each.exercises, each.reference})
            layout.content.push_back(folder);
    return layout;
}

const model::Curriculum& Context::curriculum() const {
    if (!curriculum_) curriculum_ = catalogue::load_all(content().all);
    return *curriculum_;
}

bool Context::is_accepted(const std::string& id) const {
    const store::Store* store = progress();
    return store != nullptr && store->progress(id).accepted;
}

Places Context::places() const {
    Places places{.ids = {}, .exercises = {}, .here = here_};
    for (const model::Problem& problem : curriculum().problems)
        places.ids.push_back(problem.id);
    if (workspace()) places.exercises.push_back(*workspace() / "exercises");
    for (const catalogue::Content& each : content().all)
        places.exercises.push_back(each.exercises);
    return places;
}

std::optional<std::string> Context::current_id() const {
    if (auto here = problem_at(here_, places())) return here;
    const auto& problems = curriculum().problems;
    if (auto chosen = workspace() ? workspace::selected(*workspace()) : std::nullopt;
        chosen && std::ranges::find(problems, *chosen, &model::Problem::id) != problems.end())
        return chosen;
    return next_open(problems.back().id);
}

std::optional<std::string> Context::next_open(const std::string& id) const {
    const auto& problems = curriculum().problems;
    const auto count = static_cast<std::ptrdiff_t>(problems.size());
    // One that the curriculum does not list comes before the first.
    const auto from =
        std::min(std::ranges::find(problems, id, &model::Problem::id) - problems.begin(), count - 1);
    for (std::ptrdiff_t step = 1; step <= count; ++step) {
        const std::string& next = problems[static_cast<std::size_t>((from + step) % count)].id;
        if (!is_accepted(next)) return next;
    }
    return std::nullopt;
}

void Context::select(const std::string& id) const {
    if (!workspace()) return;
    try {
        workspace::select(*workspace(), id);
    } catch (const std::runtime_error& error) {
        warn(std::string("your place is not kept: ") + error.what());
    }
}

bool Context::is_problem(const std::string& word) const {
    return problem_named(word, places()).has_value();
}

std::string Context::problem_id() const {
    return options_.ids.empty() ? current_id().value_or(curriculum().problems.back().id)
                                : problem_id(options_.ids.front());
}

std::string Context::problem_id(const std::string& wanted) const {
    const Places known = places();
    if (auto named = problem_named(wanted, known)) return *named;
    // A package that the curriculum does not list yet is being written: its author may run it by name.
    if (catalogue::holder_of(content().all, wanted) != nullptr) return wanted;
    std::error_code ignored;
    if (!wanted.empty() && fs::exists(here_ / wanted, ignored))
        throw model::UsageError(wanted +
                                " is not in any of your exercises; to judge a file from elsewhere: " +
                                call_("test ID --from " + model::shell_word(wanted)));
    const auto near = text::nearest(wanted, known.ids);
    throw model::UsageError(
        "there is no problem called '" + wanted + "'" +
        (near ? "; did you mean " + *near + "?" : "; " + call_("list") + " shows them all"));
}

std::vector<std::string> Context::problem_ids() const {
    std::vector<std::string> ids;
    for (const std::string& wanted : options_.ids)
        if (const std::string id = problem_id(wanted); std::ranges::find(ids, id) == ids.end())
            ids.push_back(id);
    return ids;
}

model::Problem Context::problem() const {
    return catalogue::load_from(content().all, problem_id());
}

std::vector<std::string> Context::exercise_ids() const {
    std::vector<std::string> ids;
    for (const catalogue::Content& each : content().all)
        std::ranges::move(workspace::exercise_ids(each.exercises), std::back_inserter(ids));
    return ids;
}

const std::optional<fs::path>& Context::workspace() const {
    if (workspace_ || !no_workspace_.empty()) return workspace_;
    workspace::Search search = workspace::find(here_, exercise_ids(), workspace::belongs_to_user);
    // A collection has exercises, too, and nothing of a workspace is missing from it.
    if (search.shape == workspace::Shape::half && content().have(*search.folder)) search = {};
    if (search.shape == workspace::Shape::half)
        throw model::EnvironmentError("cannot use the workspace " + search.folder->string() +
                                      ": exercises/common is missing; bring back what is missing with: " +
                                      call_("init " + model::shell_word(search.folder->string())));
    const fs::path clone = layout_.exercises.parent_path();
    std::error_code ignored;
    if (search.folder)
        workspace_ = search.folder;
    else if (fs::exists(clone / "CMakeLists.txt", ignored)) // installed, the exercises are nobody's to edit
        workspace_ = clone;
    if (workspace_) {
        try {
            workspace::read_record(*workspace_); // refuses what a newer engine made
        } catch (const workspace::Damaged& damage) {
            warn(std::string(damage.what()) +
                 "; your code and progress are elsewhere, and this writes it anew: " +
                 call_("init " + model::shell_word(workspace_->string())));
        }
        return workspace_;
    }
    no_workspace_ = "there is no workspace in " + here_.string() + " or above";
    if (search.passed_over)
        no_workspace_ += " (" + search.passed_over->string() +
                         " is not yours, or a part of it is not: go there to use it anyway)";
    return workspace_;
}

model::Problem Context::problem(const std::string& wanted, const catalogue::Loading& loading) const {
    return catalogue::load_from(content().all, problem_id(wanted), loading);
}

fs::path Context::learner_file(const model::Problem& problem, const std::string& name) const {
    if (!workspace()) throw model::UsageError(no_workspace_ + "; make one with: " + call_("init DIR"));
    return *workspace_ / "exercises" / problem.id / name;
}

std::string Context::shown_file(const model::Problem& problem, const std::string& name) const {
    if (!workspace()) return (fs::path("exercises") / problem.id / name).string();
    return shown(learner_file(problem, name));
}

std::string Context::shown(const fs::path& path) const {
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    const fs::path relative = path.lexically_relative(here);
    return relative.empty() || relative.native().starts_with("..") ? path.string() : relative.string();
}

store::Store* Context::progress() const {
    if (store_tried_) return store_.get();
    store_tried_ = true;
    if (!workspace()) {
        warn("your progress is not kept: " + no_workspace_ + "; make one with: " + call_("init DIR"));
        return nullptr;
    }
    const fs::path database = *workspace_ / ".engine" / "progress.db";
    std::error_code ignored;
    const bool older = fs::exists(database, ignored);
    try {
        workspace::require_no_link(*workspace_, ".engine/progress.db");
        store_ = std::make_unique<store::Store>(store::Store::open(database));
    } catch (const model::UsageError& error) {
        warn(std::string("your progress will not be kept: ") + error.what());
        return nullptr;
    } catch (const store::Unwritable& error) {
        warn(std::string("your progress will not be kept: ") + error.what());
        return nullptr;
    } catch (const model::EnvironmentError&) {
        store_tried_ = false; // it may be free the next time, and if it is damaged, every time says so
        throw;
    }
    if (!has_record(*workspace_) && record_version(*workspace_) && older)
        warn("the workspace " + workspace_->string() + " was made by an older engine; its version is " +
             std::to_string(workspace::version) + " now");
    if (const auto version = store_->migrated_from())
        warn("the progress in " + database.string() + " had version " + std::to_string(*version) +
             "; it has this engine's version now");
    return store_.get();
}

std::string Context::render_markdown(std::string_view markdown) const {
    return terminal::render_markdown(markdown,
                                     {out_.colour, out_.width, out_.unicode, out_.plain, out_.links});
}

std::string Context::fitted(std::string_view text) const {
    return terminal::fitted(text, out_.width);
}

void Context::warn(std::string_view text) const {
    log::warning(text);
}

} // namespace app
