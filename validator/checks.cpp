#include "checks.h"

#include "build/gpu.h"
#include "build/threads.h"
#include "gpu_checks.h"
#include "grading/judge.h"
#include "grading/on_gpu.h"

#include <utility>

namespace judge {

/// When a build is made, and what it needs. What its evidence may do is in grading/judge.cpp.
struct CheckRow {
    build::Variant variant;
    bool (*is_due)(const Request& request);
    /// Null if the judged program need not be known.
    bool (*is_due_for)(const Program& judged);
    bool (*is_possible)(const build::Toolchain& toolchain);
    const char* impossible;
};

namespace {

bool is_graded(const Request& request) {
    return request.ready.given() ? request.ready.checked != nullptr : request.graded;
}

bool is_observed(const Request& request) {
    return !request.ready.given() || request.ready.checked != nullptr;
}

bool is_built_and_graded(const Request& request) {
    return !request.ready.given() && request.graded;
}

bool has_gpu(const Request& request) {
    return request.gpu != nullptr;
}

bool starts_threads(const Program& judged) {
    return judged.seen.build.ok && build::starts_threads(judged.worker());
}

bool always(const build::Toolchain&) {
    return true;
}

const CheckRow rows[] = {
    {build::Variant::sanitized, is_graded, nullptr,
     [](const build::Toolchain& toolchain) { return toolchain.sanitizers; },
     "the compiler has no sanitizers here"},
    {build::Variant::traced, is_observed, nullptr, always, nullptr},
    {build::Variant::threaded, is_built_and_graded, starts_threads,
     [](const build::Toolchain& toolchain) { return toolchain.races; }, "ThreadSanitizer does not work here"},
    {build::Variant::on_gpu, has_gpu, nullptr, always, nullptr},
};

bool something_failed(const grading::CheckedEvidence& on_gpu) {
    return on_gpu.run && (!on_gpu.run->complete || !grading::all_passed(on_gpu));
}

/// A GPU that is lost, or taken by somebody else, is nothing to grade a submission by. Asked anew, without a
/// line of the submission's in the process.
void require_gpu(const build::Workshop& workshop, const Request& request) {
    const auto found = build::find_gpu(workshop, request.cancel_fd);
    if (const auto* why = std::get_if<std::string>(&found))
        throw model::EnvironmentError("not judged: the GPU stopped working: " + *why +
                                      "; say --device emulated, or try again");
}

} // namespace

void Checks::start() {
    for (const CheckRow& row : rows)
        if (row.is_due_for == nullptr) start(row);
}

void Checks::start_after(const Program& judged) {
    for (const CheckRow& row : rows)
        if (row.is_due_for != nullptr && row.is_due_for(judged)) start(row);
}

void Checks::start(const CheckRow& row) {
    const build::VariantTraits& variant = build::traits(row.variant);
    if (variant.language != request_.problem.language || !row.is_due(request_)) return;
    if (!request_.ready.given() && !row.is_possible(workshop_.toolchain()))
        left_out_.push_back({variant.check, row.impossible});
    else
        started_.push_back({row, std::async(std::launch::async, [this, &variant] {
                                return gather(workshop_, request_, tests_, variant);
                            })});
}

void Checks::collect(grading::Evidence& evidence) {
    for (Started& each : started_) {
        const build::VariantTraits& variant = build::traits(each.row.variant);
        Program program = each.program.get();
        grading::CheckedEvidence checked{std::move(program.seen),
                                         variant.check,
                                         variant.one_worker,
                                         build::limits_of(request_.problem.limits, variant.variant),
                                         {}};
        // Where one worker serves all cases, one that fails there alone may suffer from what another left
        // behind, so it has to fail in a worker of its own.
        if (auto again = grading::tests_to_repeat(request_.problem, evidence, checked); !again.empty())
            checked.alone = run_alone(workshop_, request_, variant, program, std::move(again));
        evidence.checks.push_back(std::move(checked));
        if (variant.check != model::Check::gpu) continue;
        evidence.gpu = model::GpuRun{request_.gpu->gpu.facts, request_.gpu->observed};
        if (something_failed(evidence.checks.back())) require_gpu(workshop_, request_);
        if (request_.graded) run_compute_sanitizer(workshop_, request_, program, evidence);
    }
    evidence.left_out = std::move(left_out_);
}

} // namespace judge
