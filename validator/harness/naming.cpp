#include "harness/naming.h"

#include "harness/recorder.h"
#include "harness/reporter.h"
#include "subject/session.h"

#include <algorithm>
#include <utility>

namespace harness {
namespace {

using events::MistakeMatched;
using events::Request;

/// Whether the bound implementation does in a case what the submission did.
bool acts_alike(const FailedCase& one) {
    subject::Session& session = subject::Session::current();
    bool alike = false;
    session.expect(&one.transcript);
    run_cases({one.name}, {.started = [&](const std::string&) { session.begin_case(); },
                           .ended =
                               [&](const std::string&) {
                                   alike = !session.diverged() &&
                                           same_behaviour(session.transcript(), one.transcript);
                                   session.end_case();
                               }});
    return alike;
}

/// `failed` has its large cases at the end.
std::vector<std::string> cases_alike(const std::vector<FailedCase>& failed) {
    std::vector<std::string> names;
    for (const FailedCase& one : failed) {
        if (one.large && names.empty() && !failed.front().large) break;
        if (acts_alike(one)) names.push_back(one.name);
    }
    return names;
}

void bind(const Request& request, const std::string& mistake, bool fresh) {
    subject::Session::current().bind({events::mistakes_fd, {mistake}, false, false, false, request.limits},
                                     fresh, Recorder::current());
}

/// The mistakes that act alike in every case. Most part from the submission in the first one that they try,
/// so the quickest comes first.
std::vector<MistakeMatched> find_whole(const Request& request, const std::vector<FailedCase>& failed) {
    std::vector<std::string> names;
    std::vector<const FailedCase*> quickest_first;
    for (const FailedCase& one : failed) {
        names.push_back(one.name);
        quickest_first.push_back(&one);
    }
    std::ranges::stable_sort(quickest_first, {},
                             [](const FailedCase* one) { return std::pair(one->large, one->duration); });
    std::vector<MistakeMatched> found;
    bind(request, "", false);
    for (const std::string& mistake : request.mistakes) {
        subject::Session::current().turn_to(mistake);
        if (std::ranges::all_of(quickest_first, [](const FailedCase* one) { return acts_alike(*one); }))
            found.push_back({mistake, names});
    }
    return found;
}

/// Whether a call ended its worker or wrote where it must not: what such a call meets depends on what its
/// worker did before.
bool strayed(const FailedCase& one) {
    return std::ranges::any_of(one.transcript.observations(), [](const subject::Observation& call) {
        return call.death.has_value() || call.damage != 0;
    });
}

/// One worker for all is quick, but carries static variables and stray reads from case to case, which the
/// submission's workers did not. A mistake that acts alike there in some cases, or in none when calls have
/// strayed, also gets the same start in every case as the submission had.
std::vector<MistakeMatched> find_partial(const Request& request, const std::vector<FailedCase>& failed) {
    std::vector<MistakeMatched> found;
    bind(request, "", false);
    for (const std::string& mistake : request.mistakes) {
        subject::Session::current().turn_to(mistake);
        found.push_back({mistake, cases_alike(failed)});
    }
    const auto stray = std::ranges::find_if(failed, strayed);
    for (MistakeMatched& match : found) {
        if (match.tests.empty() && stray == failed.end()) continue;
        bind(request, match.mistake, true);
        if (match.tests.empty() && !acts_alike(*stray)) continue;
        std::vector<std::string> fresh = cases_alike(failed);
        if (fresh.size() > match.tests.size()) match.tests = std::move(fresh);
    }
    std::erase_if(found, [](const MistakeMatched& match) { return match.tests.empty(); });
    return found;
}

} // namespace

std::vector<MistakeMatched> name_mistakes(const Request& request, std::vector<FailedCase> failed) {
    if (failed.empty() || request.mistakes.empty()) return {};
    std::ranges::stable_partition(failed, [](const FailedCase& one) { return !one.large; });
    std::vector<MistakeMatched> found = find_whole(request, failed);
    if (found.empty()) found = find_partial(request, failed);
    subject::Session::current().unbind();
    return found;
}

} // namespace harness
