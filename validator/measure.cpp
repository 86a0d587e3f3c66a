#include "build/gpu_copy.h"
#include "gather.h"
#include "grading/measured.h"
#include "judge.h"

namespace judge {
namespace {

grading::CheckedEvidence run_timed(const build::Workshop& workshop, const Request& request,
                                   build::Variant variant) {
    const build::VariantTraits& traits = build::traits(variant);
    return {gather(workshop, request, {}, traits).seen,
            traits.check,
            traits.one_worker,
            build::limits_of(request.problem.limits, variant),
            {}};
}

build::Copies copies(const build::Workshop& workshop, int cancel_fd) {
    auto copies = build::time_copies(workshop, cancel_fd);
    if (auto* why = std::get_if<std::string>(&copies))
        throw model::EnvironmentError("not measured: " + *why + "; say --device emulated, or try again");
    return std::get<build::Copies>(std::move(copies));
}

} // namespace

model::Measurement measure(const build::Workshop& workshop, Request request) {
    request.timed = true;
    model::Measurement result;
    const auto traced = run_timed(workshop, request, build::checked_variant(request.problem.language));
    if (request.gpu == nullptr) {
        result.calls = grading::measured_calls(traced, nullptr);
        return result;
    }
    // On both sides of the calls: what has become slower meanwhile was used by somebody else.
    const build::Copies before = copies(workshop, request.cancel_fd);
    const auto on_gpu = run_timed(workshop, request, build::Variant::on_gpu);
    const build::Copies after = copies(workshop, request.cancel_fd);
    result.calls = grading::measured_calls(traced, &on_gpu);
    result.copy_rate = before.rate();
    result.slowdown = before.rate() / after.rate() - 1;
    for (model::MeasuredCall& call : result.calls)
        if (call.time) call.time->copy_us = before.us(static_cast<double>(call.time->bytes));
    return result;
}

} // namespace judge
