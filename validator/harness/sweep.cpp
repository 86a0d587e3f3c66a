#include "harness/sweep.h"

#include "harness/orders.h"
#include "harness/recorder.h"
#include "subject/session.h"

namespace harness {
namespace {

void add(events::Tally& tally, std::uint64_t seed, bool failed, bool drew) {
    std::uint32_t& count = failed ? tally.failed : tally.passed;
    if (count++ == 0) (failed ? tally.failed_with : tally.passed_with) = seed;
    tally.drew = tally.drew || drew;
}

events::Swept run_test(const events::Sweep& sweep, const std::string& mistake, const std::string& test) {
    subject::Session& session = subject::Session::current();
    Recorder& recorder = Recorder::current();
    events::Swept swept{mistake, test, {}};
    std::uint64_t seed = sweep.first;
    const CaseHooks hooks{.started = [&](const std::string&) { session.begin_case(); },
                          .ended = [&](const std::string&) { session.end_case(); }};
    for (; needs_another_seed(sweep, swept.tally); ++seed) {
        recorder.set_seed(seed);
        run_case_in_orders(test, hooks);
        add(swept.tally, seed, recorder.failed(), recorder.depends_on_seed());
    }
    return swept;
}

} // namespace

void run_sweep(const events::Request& request, const std::function<void(const events::Swept&)>& tell) {
    subject::Session& session = subject::Session::current();
    Recorder::current().be_brief();
    for (const events::SweepRow& row : request.sweep.rows) {
        session.bind(
            {events::worker_fd, {row.mistake}, model::Check::none, request.emulated, false, request.limits},
            true, Recorder::current());
        for (const std::string& test : row.tests)
            tell(run_test(request.sweep, row.mistake, test));
    }
    session.unbind();
}

} // namespace harness
