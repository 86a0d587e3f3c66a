#pragma once

#include "app/call.h"
#include "app/naming.h"
#include "app/options.h"
#include "build/layout.h"
#include "catalogue/catalogue.h"
#include "collections/find.h"
#include "model/problem.h"
#include "store/store.h"
#include "terminal/capabilities.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// What a command works with. Built once in main from the command line and the surroundings.
class Context {
  public:
    /// `here` is the folder from which the workspace is looked for; for a command of authors it may be a
    /// collection.
    Context(Options options, build::Layout layout, Call call, std::filesystem::path here, bool author);

    const Options& options() const { return options_; }
    const build::Layout& layout() const { return layout_; }
    const Call& call() const { return call_; }
    const std::filesystem::path& here() const { return here_; }
    const terminal::Capabilities& out() const { return out_; } ///< of stdout
    const terminal::Capabilities& err() const { return err_; } ///< of stderr
    /// A window may have become wider since.
    void measure_terminal();

    /// What is used, the engine's own collection first. Throws as `collections::find` does.
    const collections::Collections& content() const;
    /// The collection of a problem.
    const catalogue::Content& content_of(const model::Problem& problem) const;
    /// The ids of the exercises that there are.
    std::vector<std::string> exercise_ids() const;
    /// The layout for what compiles: compilers see nothing of any collection.
    build::Layout building_layout() const;

    /// All problems, manifests only.
    const model::Curriculum& curriculum() const;
    /// The whole package of the problem that was named, or of the one the learner is at.
    /// Throws model::UsageError with a suggestion for an unknown name.
    model::Problem problem() const;
    /// The same for this name.
    model::Problem problem(const std::string& wanted, const catalogue::Loading& loading = {}) const;
    /// The id that was named or that the learner is at.
    std::string problem_id() const;
    /// The problem of this id, number or path. Throws model::UsageError as above.
    std::string problem_id(const std::string& wanted) const;
    /// Those of all that were named, each once.
    std::vector<std::string> problem_ids() const;
    /// The problem the learner is at: of the exercise that the current folder lies in, else the one that was
    /// chosen or accepted last, else the first open one; nothing once all are accepted.
    std::optional<std::string> current_id() const;
    /// The first problem after `id` that is not accepted, or the first of all; nothing once all are.
    std::optional<std::string> next_open(const std::string& id) const;
    /// Makes it the problem the learner is at. Warns where that cannot be kept.
    void select(const std::string& id) const;
    bool is_accepted(const std::string& id) const;
    /// Whether the word names a problem, by id, number or path.
    bool is_problem(const std::string& word) const;
    /// From now on no problem was named.
    void mean_none() { options_.ids.clear(); }
    /// From now on this is the problem that was named.
    void mean(const std::string& id) { options_.ids = {id}; }

    /// The learner's folder; nothing where there is none. In a clone that is the clone itself, from
    /// everywhere. Throws model::EnvironmentError for half a workspace and for one that a newer engine made.
    const std::optional<std::filesystem::path>& workspace() const;
    /// The learner's file for a problem. Throws model::UsageError where there is no workspace.
    std::filesystem::path learner_file(const model::Problem& problem, const std::string& name) const;
    /// How to show the path of a learner's file, where there is none yet as well; and that of any other file.
    std::string shown_file(const model::Problem& problem, const std::string& name) const;
    std::string shown(const std::filesystem::path& path) const;

    /// The learner's progress; null where it cannot be kept, or there is no workspace, after one warning.
    /// Throws store::Held, and model::EnvironmentError for a file that is damaged or not ours.
    store::Store* progress() const;

    std::string render_markdown(std::string_view markdown) const;
    /// Plain text with its long lines broken to the width of stdout.
    std::string fitted(std::string_view text) const;
    void warn(std::string_view text) const;

  private:
    Places places() const;

    Options options_;
    build::Layout layout_;
    Call call_;
    std::filesystem::path here_;
    bool author_;
    terminal::Capabilities out_;
    terminal::Capabilities err_;
    mutable std::optional<collections::Collections> content_;
    mutable std::optional<model::Curriculum> curriculum_;
    mutable std::unique_ptr<store::Store> store_;
    mutable bool store_tried_ = false;
    mutable std::optional<std::filesystem::path> workspace_;
    mutable std::string no_workspace_; ///< why there is none; empty before the search
};

} // namespace app
