#include "harness/hunt.h"

#include "harness/recorder.h"
#include "harness/reporter.h"
#include "subject/session.h"

#include <algorithm>

namespace harness {
namespace {

using events::Finding;
using events::MutantEnded;

bool ran_out_of_memory(const std::vector<Finding>& findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.kind == Finding::Kind::out_of_memory ||
               (finding.kind == Finding::Kind::died && finding.fate == model::Fate::memory_exceeded);
    });
}

struct Hunted {
    MutantEnded ended;
    bool beyond_limits = false;
};

/// Runs the cases against one mutant until one fails.
Hunted hunt_one(const std::string& mutant, const std::vector<std::string>& names) {
    subject::Session& session = subject::Session::current();
    Recorder& recorder = Recorder::current();
    Hunted result{{mutant, {}, false}};
    const CaseHooks hooks{
        .started = [&](const std::string&) { session.begin_case(); },
        .ended =
            [&](const std::string& name) {
                session.end_case();
                if (!recorder.failed() || recorder.suite_broke()) return;
                const auto findings = recorder.end_case();
                const bool timed_out = ran_out_of_time(findings);
                result = {{mutant, name, timed_out}, timed_out || ran_out_of_memory(findings)};
            }};
    for (const std::string& name : names) {
        run_cases({name}, hooks);
        if (!result.ended.killed_by.empty()) break;
    }
    return result;
}

} // namespace

bool ran_out_of_time(const std::vector<Finding>& findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.kind == Finding::Kind::died && finding.fate == model::Fate::timed_out;
    });
}

void hunt(const events::Request& request, std::vector<std::string> names,
          const std::function<void(const MutantEnded&)>& send) {
    Recorder::current().be_brief();
    const auto ended = [&](const std::string& mutant) {
        subject::Session::current().bind(
            {events::worker_fd, {mutant}, model::Check::none, false, false, request.limits}, false,
            Recorder::current());
        return hunt_one(mutant, names);
    };
    for (const std::string& mutant : request.hunt) {
        Hunted hunted = ended(mutant);
        const bool original = mutant == request.hunt.front();
        // What is too much for the original would kill mutants for no fault of theirs.
        while (original && hunted.beyond_limits) {
            std::erase(names, hunted.ended.killed_by);
            hunted = ended(mutant);
        }
        const MutantEnded& result = hunted.ended;
        send(result);
        if (original && !result.killed_by.empty()) break;
        // What killed one mutant often kills its neighbours.
        if (const auto found = std::ranges::find(names, result.killed_by); found != names.end())
            std::rotate(names.begin(), found, found + 1);
    }
    subject::Session::current().unbind();
}

} // namespace harness
