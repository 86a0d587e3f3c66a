#pragma once

#include "app/context.h"
#include "model/problem.h"
#include "model/submission.h"

#include <filesystem>
#include <string>
#include <variant>

namespace app {

/// A submission that cannot be read is still judged: as one that does not compile. `why` is one sentence.
struct Unreadable {
    std::string shown_as;
    std::string why;
};

/// A learner's text, or why it cannot be had; `remedy` says what to do where the file does not exist. Opened
/// without blocking: the path may name a pipe that no process writes to.
std::variant<std::string, Unreadable> read_source(const std::filesystem::path& path, const std::string& shown,
                                                  const std::string& remedy);

/// Reads the learner's files once: from the workspace, or from `--from`. Throws model::UsageError when the
/// path given with
/// `--from` does not exist at all.
std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem);

} // namespace app
