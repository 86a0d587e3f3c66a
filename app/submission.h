#pragma once

#include "app/context.h"
#include "model/problem.h"
#include "model/submission.h"

#include <string>
#include <variant>

namespace app {

/// A submission that cannot be read is still judged: as one that does not compile. `why` is one sentence.
struct Unreadable {
    std::string shown_as;
    std::string why;
};

/// Reads the learner's files once: from the workspace, or from `--from`. Throws model::UsageError when the
/// path given with
/// `--from` does not exist at all.
std::variant<model::Submission, Unreadable> read_submission(const Context& context,
                                                            const model::Problem& problem);

} // namespace app
