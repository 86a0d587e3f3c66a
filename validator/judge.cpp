#include "judge.h"

#include "build/contract_names.h"
#include "build/gpu.h"
#include "build/threads.h"
#include "build/variant.h"
#include "diagnosis/missing_includes.h"
#include "gather.h"
#include "gpu_checks.h"
#include "grading/judge.h"
#include "grading/on_gpu.h"

#include <chrono>
#include <future>
#include <optional>

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;
using build::VariantTraits;
using grading::Evidence;

bool is_checked(const build::Workshop& workshop, const Request& request, const VariantTraits& variant) {
    if (request.ready.given()) return request.ready.checked != nullptr;
    return variant.in_practice || (request.graded && workshop.toolchain().sanitizers);
}

/// What a program that checks yields beside the judged one. Where one worker serves all cases, one that fails
/// there alone may suffer from what another left behind, so it has to fail in a worker of its own.
grading::CheckedEvidence check(const build::Workshop& workshop, const Request& request,
                               const Evidence& evidence, const VariantTraits& variant, Program& program) {
    grading::CheckedEvidence checked{std::move(program.seen),
                                     variant.check,
                                     variant.one_worker,
                                     build::limits_of(request.problem.limits, variant.variant),
                                     {}};
    if (auto tests = grading::tests_to_repeat(request.problem, evidence, checked); !tests.empty())
        checked.alone = run_alone(workshop, request, variant, program, std::move(tests));
    return checked;
}

/// A GPU that is lost, or taken by somebody else, is nothing to grade a submission by. Asked anew, without a
/// line of the submission's in the process.
void require_gpu(const build::Workshop& workshop, const Request& request) {
    const auto found = build::find_gpu(workshop, request.cancel_fd);
    if (const auto* why = std::get_if<std::string>(&found))
        throw model::EnvironmentError("not judged: the GPU stopped working: " + *why +
                                      "; say --device emulated, or try again");
}

bool something_failed(const grading::CheckedEvidence& on_gpu) {
    return on_gpu.run && (!on_gpu.run->complete || !grading::all_passed(on_gpu));
}

} // namespace

model::Judgement judge(const build::Workshop& workshop, const Request& given) {
    const auto start = Clock::now();
    const sys::SharedTime spent;
    Request request = given;
    request.spent = &spent;
    const VariantTraits& first = build::traits(build::judged_variant(request.problem.language));
    const VariantTraits& second = build::traits(build::checked_variant(request.problem.language));
    const bool emulated = build::is_emulated(first.variant);
    Evidence evidence{.file = request.submission.shown_as,
                      .from = request.submission.from,
                      .call = request.submission.call,
                      .graded = request.graded,
                      .thorough = request.thorough,
                      .seed = request.seed,
                      .tests = select_tests(request),
                      .toolchain = build::describe(workshop.toolchain(), first.variant),
                      .device = request.gpu != nullptr ? "cuda"
                                : emulated             ? "emulated"
                                                       : "cpu"};

    std::future<Program> other;
    if (is_checked(workshop, request, second))
        other =
            std::async(std::launch::async, [&] { return gather(workshop, request, evidence.tests, second); });
    else if (request.graded && !request.ready.given())
        evidence.unchecked = "the compiler has no sanitizers here";
    std::future<std::optional<model::CompileResult>> nvcc;
    if (emulated && request.graded && !request.ready.given())
        nvcc = std::async(std::launch::async, [&] { return ask_nvcc(workshop, request); });
    std::future<Program> on_gpu;
    const VariantTraits& beside = build::traits(build::Variant::on_gpu);
    if (request.gpu != nullptr)
        on_gpu =
            std::async(std::launch::async, [&] { return gather(workshop, request, evidence.tests, beside); });
    Program judged = gather(workshop, request, evidence.tests, first);
    std::future<Program> racing;
    const auto third = build::racing_variant(request.problem.language);
    if (third && request.graded && !request.ready.given() && judged.seen.build.ok &&
        build::starts_threads(judged.worker())) {
        if (workshop.toolchain().races)
            racing = std::async(std::launch::async, [&] {
                return gather(workshop, request, evidence.tests, build::traits(*third));
            });
        else
            evidence.races_not_looked_for = "ThreadSanitizer does not work here";
    }

    evidence.naming = run_for_naming(workshop, request, first, judged);
    evidence.judged = std::move(judged.seen);
    evidence.isolation = request.isolation.get();
    if (nvcc.valid()) evidence.nvcc = nvcc.get();
    const auto checked = [&](std::future<Program>& made, const VariantTraits& variant) {
        Program program = made.get();
        return check(workshop, request, evidence, variant, program);
    };
    if (other.valid()) evidence.checked = checked(other, second);
    if (racing.valid()) evidence.racing = checked(racing, build::traits(*third));
    if (on_gpu.valid()) {
        evidence.gpu = model::GpuRun{request.gpu->gpu.facts, request.gpu->observed};
        Program program = on_gpu.get();
        evidence.on_gpu = check(workshop, request, evidence, beside, program);
        if (something_failed(*evidence.on_gpu)) require_gpu(workshop, request);
        if (request.graded) run_compute_sanitizer(workshop, request, program, evidence);
    }
    if (request.graded && !request.ready.given())
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
