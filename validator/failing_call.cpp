#include "failing_call.h"

#include "gather.h"
#include "grading/words.h"
#include "model/errors.h"

namespace judge {

std::optional<FailingCall> find_failing_call(const build::Workshop& workshop, const Request& request) {
    const build::VariantTraits& variant = build::traits(build::judged_variant(request.problem.language));
    const Program program = gather(workshop, request, select_tests(request), variant);
    if (!program.seen.run || !program.seen.run->complete)
        throw model::EnvironmentError("the test did not run to its end" +
                                      (program.seen.run ? ": " + program.seen.run->trouble : std::string()) +
                                      "; does the command test run it?");
    for (const events::Event& event : program.seen.run->events) {
        const auto* ended = std::get_if<events::CaseEnded>(&event);
        if (ended == nullptr || ended->findings.empty()) continue;
        const events::Finding& first = ended->findings.front();
        if (first.kind == events::Finding::Kind::broken_suite)
            throw model::ContentError("the suite of " + request.problem.id + " is broken: " + first.text);
        const bool before_any = first.kind == events::Finding::Kind::died && first.before;
        return FailingCall{first.call_number, before_any, grading::words_for(first, request.problem.limits)};
    }
    return std::nullopt;
}

} // namespace judge
