#include "app/teaching/class_judge.h"

#include "app/device.h"
#include "app/isolation_floor.h"
#include "app/submission.h"
#include "build/digest.h"
#include "build/plan.h"
#include "collections/hash.h"
#include "coursework/deadline.h"
#include "isolation/observe.h"
#include "judge.h"
#include "kit/plan.h"
#include "model/errors.h"
#include "report/json.h"

#include <chrono>

namespace teaching {
namespace {

model::Isolation observe_floor(const app::Context& context) {
    model::Isolation observed = isolation::observe(context.layout().canary);
    app::require_isolation(context, app::weakest_for_a_class, observed);
    return observed;
}

std::string number_word(double value) {
    return std::to_string(value);
}

/// What decides points besides the programs that a kit consists of.
void add_rules(build::Digest& digest, const model::Problem& problem) {
    const model::Limits& limits = problem.limits;
    for (const std::uint64_t limit :
         {static_cast<std::uint64_t>(limits.wall.count()), static_cast<std::uint64_t>(limits.cpu.count()),
          limits.memory_mib, limits.output_kib, limits.threads, limits.stack_mib})
        digest.add(std::to_string(limit));
    for (const model::TestSpec& test : problem.tests) {
        digest.add(test.name).add(number_word(test.points));
        if (!test.traffic) continue;
        digest.add(number_word(test.traffic->moved_at_most.value_or(-1)));
        digest.add(number_word(test.traffic->coalescing_at_least.value_or(-1)));
        digest.add(std::to_string(test.traffic->bank_conflicts_at_most.value_or(~std::uint64_t{0})));
    }
}

std::string package_digest(const kit::Kits& kits, const model::Problem& problem) {
    const build::Workshop& workshop = kits.workshop();
    const kit::Package package = kit::read_package(problem);
    build::Digest digest;
    digest.add("engine.package/1");
    digest.add(kits.key(kit::plan_table(package, workshop.toolchain(), workshop.layout())));
    digest.add(kits.key(kit::plan_driver(package, workshop.toolchain(), workshop.layout())));
    add_rules(digest, problem);
    return digest.hex();
}

} // namespace

ClassJudge::ClassJudge(const app::Context& context, const build::Workshop& workshop,
                       std::vector<model::Problem> problems, int cancel_fd)
    : workshop_(workshop), kits_(workshop), engine_version_(context.layout().full_version()),
      problems_(std::move(problems)), isolation_(observe_floor(context)), cancel_fd_(cancel_fd) {
    for (const model::Problem& problem : problems_)
        prepared_.emplace(problem.id, prepare(context, problem));
    for (const auto& [id, prepared] : prepared_)
        prepared.kit->wait();
}

ClassJudge::Prepared ClassJudge::prepare(const app::Context& context, const model::Problem& problem) const {
    const catalogue::Content& content = context.content_of(problem);
    return {&problem,
            std::make_unique<kit::Kit>(kits_, problem, cancel_fd_),
            package_digest(kits_, problem),
            collections::version_of(content, problem.id),
            {problem.collection, collections::hash_of(content)}};
}

std::string ClassJudge::key(const Circumstances& how, const std::string& hash) const {
    const Prepared& prepared = prepared_.at(how.problem);
    const model::Toolchain toolchain =
        build::describe(workshop_.toolchain(), build::judged_variant(prepared.problem->language));
    build::Digest digest;
    digest.add("engine.grading/1").add(how.problem).add(hash).add(std::to_string(how.seed));
    digest.add(how.thorough ? "thorough" : "graded").add(how.on_gpu ? "on a GPU" : "");
    digest.add(prepared.package).add(engine_version_);
    digest.add(toolchain.compiler).add(toolchain.flags).add(toolchain.linker);
    return digest.hex();
}

std::string ClassJudge::judge(const Circumstances& how, std::vector<model::SourceFile> files) const {
    const Prepared& prepared = prepared_.at(how.problem);
    model::Submission submission;
    submission.shown_as = prepared.problem->files.front(); // the same for everybody who handed in the same
    submission.files = std::move(files);
    const std::string hash = app::hash_of(submission);
    const auto started = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    judge::Request request{*prepared.problem,
                           *prepared.kit,
                           std::move(submission),
                           true,
                           how.seed,
                           judge::known(isolation_),
                           cancel_fd_,
                           {},
                           {},
                           nullptr};
    request.thorough = how.thorough;
    std::unique_lock<std::mutex> alone;
    if (how.on_gpu) {
        alone = std::unique_lock(gpu_in_use_);
        if (!gpu_) gpu_ = app::gpu_for_grades(workshop_, cancel_fd_);
        request.gpu = &*gpu_;
    }
    model::Judgement judgement = judge::judge(workshop_, request);
    judgement.submission_hash = hash;
    judgement.started = coursework::utc(started);
    judgement.engine_version = engine_version_;
    judgement.problem_version = prepared.version;
    judgement.collection = prepared.collection;
    return report::render_json(judgement);
}

} // namespace teaching
