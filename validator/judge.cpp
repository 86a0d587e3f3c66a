#include "judge.h"

#include "build/contract_names.h"
#include "build/variant.h"
#include "checks.h"
#include "diagnosis/missing_includes.h"
#include "gather.h"
#include "grading/judge.h"

#include <chrono>
#include <future>
#include <optional>

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;
using grading::Evidence;

Evidence asked_for(const build::Workshop& workshop, const Request& request, build::Variant judged) {
    return {.file = request.submission.shown_as,
            .from = request.submission.from,
            .call = request.submission.call,
            .graded = request.graded,
            .thorough = request.thorough,
            .seed = request.seed,
            .tests = select_tests(request),
            .toolchain = build::describe(workshop.toolchain(), judged),
            .device = request.gpu != nullptr       ? "cuda"
                      : build::is_emulated(judged) ? "emulated"
                                                   : "cpu"};
}

} // namespace

model::Judgement judge(const build::Workshop& workshop, const Request& given) {
    const auto start = Clock::now();
    const sys::SharedTime spent;
    Request request = given;
    request.spent = &spent;
    const build::VariantTraits& variant = build::traits(build::judged_variant(request.problem.language));
    Evidence evidence = asked_for(workshop, request, variant.variant);
    const bool built_and_graded = request.graded && !request.ready.given();

    Checks checks(workshop, request, evidence.tests);
    checks.start();
    std::future<std::optional<model::CompileResult>> nvcc;
    if (built_and_graded && build::is_emulated(variant.variant))
        nvcc = std::async(std::launch::async, [&] { return ask_nvcc(workshop, request); });
    Program judged = gather(workshop, request, evidence.tests, variant);
    checks.start_after(judged);
    evidence.naming = run_for_naming(workshop, request, variant, judged);
    evidence.judged = std::move(judged.seen);
    evidence.isolation = request.isolation.get();
    if (nvcc.valid()) evidence.nvcc = nvcc.get();
    checks.collect(evidence);

    if (built_and_graded)
        evidence.missing_includes = diagnosis::missing_includes(
            request.submission,
            build::headers_of_contract(request.problem.exercise, workshop.layout().exercises));
    evidence.total = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return grading::judge(request.problem, evidence);
}

std::shared_future<model::Isolation> known(model::Isolation isolation) {
    std::promise<model::Isolation> promise;
    promise.set_value(std::move(isolation));
    return promise.get_future().share();
}

} // namespace judge
