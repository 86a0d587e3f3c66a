#include "app/context.h"

#include "model/errors.h"
#include "terminal/markdown.h"
#include "terminal/text.h"
#include "terminal/wrap.h"

#include <algorithm>
#include <iostream>
#include <spdlog/spdlog.h>

namespace app {

namespace fs = std::filesystem;

Context::Context(Options options, build::Layout layout, fs::path workspace)
    : options_(std::move(options)), layout_(std::move(layout)), workspace_(std::move(workspace)),
      out_(terminal::capabilities(terminal::surroundings(1), options_.colour)),
      err_(terminal::capabilities(terminal::surroundings(2), options_.colour)) {}

catalogue::Content Context::content() const {
    return {layout_.problems, layout_.exercises, layout_.reference, layout_.starters, layout_.schemas};
}

const model::Curriculum& Context::curriculum() const {
    if (!curriculum_) curriculum_ = catalogue::load(content());
    return *curriculum_;
}

std::optional<std::string> Context::current_id() const {
    const store::Store* store = progress();
    for (const model::Problem& problem : curriculum().problems)
        if (store == nullptr || !store->progress(problem.id).accepted) return problem.id;
    return std::nullopt;
}

std::string Context::problem_id() const {
    if (options_.ids.empty()) return current_id().value_or(curriculum().problems.back().id);
    const std::string& wanted = options_.ids.front();
    std::vector<std::string> known;
    for (const model::Problem& problem : curriculum().problems)
        known.push_back(problem.id);
    // A package that the curriculum does not list yet is being written: its author may run it by name.
    const bool plain = fs::path(wanted).filename() == wanted;
    if (std::ranges::find(known, wanted) != known.end() ||
        (plain && fs::exists(layout_.problems / wanted / "problem.json")))
        return wanted;
    const auto near = catalogue::nearest(wanted, known);
    throw model::UsageError("there is no problem called '" + wanted + "'" +
                            (near ? "; did you mean " + *near + "?" : "; engine list shows them all"));
}

model::Problem Context::problem() const {
    return catalogue::load_problem(content(), problem_id());
}

fs::path Context::learner_file(const model::Problem& problem, const std::string& name) const {
    return workspace_ / "exercises" / problem.id / name;
}

std::string Context::shown(const fs::path& path) const {
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    const fs::path relative = path.lexically_relative(here);
    return relative.empty() || relative.native().starts_with("..") ? path.string() : relative.string();
}

store::Store* Context::progress() const {
    if (!store_tried_) {
        store_tried_ = true;
        try {
            store_ =
                std::make_unique<store::Store>(store::Store::open(workspace_ / ".engine" / "progress.db"));
        } catch (const store::Unwritable& error) {
            warn(std::string("your progress will not be kept: ") + error.what());
        }
    }
    return store_.get();
}

std::string Context::render_markdown(std::string_view markdown) const {
    return terminal::render_markdown(markdown, {out_.colour, out_.width, out_.unicode});
}

std::string Context::fitted(std::string_view text) const {
    return terminal::fitted(text, out_.width);
}

void Context::warn(std::string_view text) const {
    spdlog::warn("{}", terminal::cleaned(text, true));
}

fs::path find_workspace(const fs::path& start, const build::Layout& layout) {
    std::error_code ignored;
    for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
        if (fs::is_directory(folder / "exercises" / "common", ignored)) return folder;
        if (folder == folder.root_path()) break;
    }
    return layout.exercises.parent_path();
}

} // namespace app
