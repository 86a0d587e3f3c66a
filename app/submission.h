#pragma once

#include "app/context.h"
#include "model/errors.h"
#include "model/problem.h"
#include "model/submission.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace app {

/// A submission that is there and cannot be read is still judged: as one that does not compile. One that is
/// missing is not. `why` is one sentence.
struct Unreadable {
    std::string shown_as;
    std::string why;
    bool missing = false;
};

/// Where a file of a submission is looked for. No link is followed below the folder, which is the workspace
/// or what `--from` names: what lies there may come from anybody.
struct SourcePlace {
    std::filesystem::path folder;
    std::filesystem::path name; ///< below it
};

/// A learner's text, or why it cannot be had; `remedy` says what to do where the file does not exist. Opened
/// without blocking: the path may name a pipe that no process writes to.
std::variant<std::string, Unreadable> read_source(const SourcePlace& place, const std::string& shown,
                                                  const std::string& remedy);
std::variant<std::string, Unreadable> read_source(const std::filesystem::path& path, const std::string& shown,
                                                  const std::string& remedy);

/// One for each of the problem's files: in the workspace, or what `--from` names. Throws model::UsageError
/// where there is nothing under that name, or no workspace.
std::vector<SourcePlace> submission_places(const Context& context, const model::Problem& problem);

/// Reads the files once.
std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem,
                                                            const std::vector<SourcePlace>& places);

/// There is no file to judge: no verdict, no report, and nothing is recorded.
struct MissingSubmission : model::UsageError {
    using UsageError::UsageError;
};

/// The same for what is to be judged. An empty place in a folder that was handed in is a question about the
/// folder; graded, it would be a zero. Throws MissingSubmission.
std::variant<model::Submission, Unreadable>
read_present(const Context& context, const model::Problem& problem, const std::vector<SourcePlace>& places);

/// Both in one.
std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem);

/// Digest of the names and texts of its files.
std::string hash_of(const model::Submission& submission);

/// The submission lies among the exercises of the workspace, or among what was handed out for repair, by its
/// real path.
bool is_own_work(const Context& context);

} // namespace app
