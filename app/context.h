#pragma once

#include "app/options.h"
#include "build/layout.h"
#include "catalogue/catalogue.h"
#include "model/problem.h"
#include "store/store.h"
#include "terminal/capabilities.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace app {

/// What a command works with. Built once in main from the command line and the surroundings.
class Context {
  public:
    Context(Options options, build::Layout layout, std::filesystem::path workspace);

    const Options& options() const { return options_; }
    const build::Layout& layout() const { return layout_; }
    const terminal::Capabilities& out() const { return out_; } ///< of stdout
    const terminal::Capabilities& err() const { return err_; } ///< of stderr
    catalogue::Content content() const;

    /// All problems, manifests only.
    const model::Curriculum& curriculum() const;
    /// The whole package of the problem that was named, or of the one the learner is at.
    /// Throws model::UsageError with a suggestion for an unknown name.
    model::Problem problem() const;
    /// The id that was named or that the learner is at.
    std::string problem_id() const;
    /// The first problem that is not accepted; nothing once all are.
    std::optional<std::string> current_id() const;

    /// The learner's file for a problem, and how to show its path.
    std::filesystem::path learner_file(const model::Problem& problem, const std::string& name) const;
    std::string shown(const std::filesystem::path& path) const;

    /// The learner's progress; null where it cannot be kept, after one warning.
    store::Store* progress() const;

    std::string render_markdown(std::string_view markdown) const;
    /// Plain text with its long lines broken to the width of stdout.
    std::string fitted(std::string_view text) const;
    void warn(std::string_view text) const;

  private:
    Options options_;
    build::Layout layout_;
    std::filesystem::path workspace_;
    terminal::Capabilities out_;
    terminal::Capabilities err_;
    mutable std::optional<model::Curriculum> curriculum_;
    mutable std::unique_ptr<store::Store> store_;
    mutable bool store_tried_ = false;
};

/// The nearest folder at or above `start` that holds a learner's `exercises/`, else the one the engine came
/// with.
std::filesystem::path find_workspace(const std::filesystem::path& start, const build::Layout& layout);

} // namespace app
