#include "app/commands.h"
#include "app/judging.h"
#include "app/repairs.h"
#include "model/errors.h"
#include "workspace/write.h"

#include <fmt/format.h>

namespace app {
namespace {

/// The problem that was named, or the one with a program that waits for its repair.
std::string problem_to_repair(const Context& context) {
    const store::Store* const store = context.progress();
    if (!context.options().ids.empty() || store == nullptr) return context.problem_id();
    std::optional<std::string> found;
    std::string planted;
    for (const model::Problem& problem : context.curriculum().problems)
        for (const store::Plant& plant : store->plants(problem.id))
            if (!plant.repaired && plant.planted >= planted) {
                planted = plant.planted;
                found = problem.id;
            }
    return found.value_or(context.problem_id());
}

/// The learner is to find the bug: the names of known mistakes would tell it.
void finish(const Context& context, model::Judgement& judgement) {
    judgement.stage = model::Stage::harden;
    judgement.diagnosis.clear();
    judgement.questions.clear();
    const Call& call = context.call();
    if (judgement.verdict == model::Verdict::accepted)
        judgement.next = fmt::format("Repaired. Another one: {}, or continue with: {}",
                                     call("harden " + judgement.problem_id + " --new"), call("show"));
    else if (judgement.verdict != model::Verdict::judge_error)
        judgement.next = fmt::format("Change {}, then again: {}", judgement.file,
                                     call("submit-fix " + judgement.problem_id));
}

} // namespace

ExitCode run_submit_fix(Context& context) {
    const model::Problem problem = context.problem(problem_to_repair(context));
    Options options = context.options();
    options.ids = {problem.id};
    if (options.from.empty()) {
        const std::filesystem::path folder = repair_folder(context, problem.id);
        if (!std::filesystem::exists(folder / problem.files.front()))
            throw model::UsageError(fmt::format(
                "there is nothing to repair: {} does not exist; this hands it out: {}",
                context.shown(folder / problem.files.front()), context.call()("harden " + problem.id)));
        const std::filesystem::path& root = *context.workspace();
        workspace::require_no_link(root, (folder / problem.files.front()).lexically_relative(root));
        options.from = folder.string();
    }
    Context repair(options, context.layout(), context.call(), context.here(), false);
    return judge_and_report(repair, true, store::fix_command, finish);
}

} // namespace app
