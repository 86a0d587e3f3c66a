#pragma once

#include "app/context.h"
#include "app/exit_code.h"
#include "app/teaching/class_judge.h"
#include "app/teaching/executor.h"
#include "catalogue/schema.h"
#include "coursework/assignment.h"
#include "coursework/roster.h"
#include "gradebook/gradebook.h"
#include "intake/inputs.h"
#include "model/problem.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace teaching {

/// The gradebook that is meant: what --gradebook names, or one named after the first folder, in the current
/// folder.
std::filesystem::path gradebook_path(const std::string& named, const std::vector<std::string>& folders);

/// The class list of --roster; empty without one. Throws model::UsageError with the file and the place.
std::vector<coursework::Student> read_roster_option(const app::Context& context);

/// What a gradebook's class was asked to do.
struct Assigned {
    coursework::Assignment assignment;
    gradebook::Setup setup;
};

/// The assignment of --assignment, else that of the gradebook, else one of the problems that --problem names
/// or that the submissions are for. Throws model::UsageError for a file that is no assignment, and where no
/// problem can be found.
Assigned assignment_for(const app::Context& context, const std::optional<gradebook::Setup>& known,
                        const std::vector<intake::Input>& inputs);

/// What `work` returns; where it is interrupted, says what became of that.
app::ExitCode unless_interrupted(const std::function<app::ExitCode()>& work);

/// Where judgements are made, as --executor says. `gradebook` is where the files for a cluster are kept next
/// to. Everything given has to outlive the executor.
std::unique_ptr<Executor> make_executor(const app::Context& context, const ClassJudge& judge,
                                        const std::filesystem::path& gradebook,
                                        const coursework::Assignment& assignment, int cancel_fd);

/// What reports are checked against.
catalogue::Schema report_schema(const app::Context& context);

/// The assigned problems, with the limits of the assignment. Throws model::UsageError for one that does not
/// exist.
std::vector<model::Problem> assigned_problems(const app::Context& context,
                                              const coursework::Assignment& assignment);

} // namespace teaching
