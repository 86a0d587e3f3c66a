#include "app/commands.h"
#include "app/interrupts.h"
#include "app/log.h"
#include "app/teaching/class_judge.h"
#include "app/teaching/cluster_files.h"
#include "app/teaching/session.h"
#include "build/workshop.h"
#include "model/errors.h"

#include <algorithm>
#include <unistd.h>

namespace app {
namespace {

/// The node by the name that its scheduler knows it by.
std::string node_name() {
    if (const char* named = std::getenv("SLURMD_NODENAME"); named != nullptr && *named != '\0') return named;
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

coursework::Assignment assignment_of(const teaching::ClusterFiles::Task& task) {
    coursework::Assignment assignment;
    assignment.cpu = task.cpu;
    for (const teaching::ClusterPiece& piece : task.pieces)
        if (std::ranges::find(assignment.problems, piece.how.problem, &coursework::AssignedProblem::id) ==
            assignment.problems.end())
            assignment.problems.push_back({piece.how.problem, 1});
    return assignment;
}

teaching::Result judged(const teaching::ClassJudge& judge, const teaching::ClusterPiece& piece) {
    try {
        return judge.judge(piece.how, piece.files);
    } catch (const model::EnvironmentError& error) {
        return teaching::NotJudged{error.what()};
    }
}

} // namespace

ExitCode run_grade_task(Context& context) {
    const teaching::ClusterFiles shared(context.options().folder);
    const teaching::ClusterFiles::Task task = shared.read_task(*context.options().task_number);
    const Interrupts interrupts;
    const build::Workshop workshop(context.building_layout(), {});
    std::optional<teaching::ClassJudge> judge;
    try {
        judge.emplace(context, workshop, teaching::assigned_problems(context, assignment_of(task)),
                      interrupts.fd());
    } catch (const model::EnvironmentError& error) {
        shared.refuse_node(node_name(), error.what());
        throw;
    }
    for (const teaching::ClusterPiece& piece : task.pieces) {
        if (judge->key(piece.how, piece.hash) != piece.key) {
            shared.refuse_node(node_name(), "another engine, compiler or problem");
            throw model::EnvironmentError(
                "this node would judge otherwise than the machine that handed in the task: the "
                "engine, its compiler or a problem differ");
        }
        shared.write_result(piece.key, judged(*judge, piece));
    }
    return ExitCode::accepted;
}

} // namespace app
