#include "harness/naming.h"

#include "harness/orders.h"
#include "harness/recorder.h"
#include "harness/reporter.h"
#include "subject/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness {
namespace {

using events::MistakeMatched;
using events::Request;
using events::Suspect;

/// More than this many mistakes that explain a part are no explanation.
constexpr std::size_t max_partial = 4;

/// Whether two deviations are the same one, up to rounding.
bool alike(double a, double b) {
    return a == b || std::abs(a - b) <= std::max(std::abs(a), std::abs(b)) / 8;
}

/// Whether a comparison went wrong in the same way: at the same element, as far off, as often.
bool same_mismatch(const model::Mismatch& a, const model::Mismatch& b) {
    return a.what == b.what && a.index == b.index && alike(a.worst_abs, b.worst_abs) &&
           alike(static_cast<double>(a.different), static_cast<double>(b.different));
}

/// Two that agree up to rounding may still differ from what is right by something else.
bool same_failure(const std::vector<Finding>& a, const std::vector<Finding>& b) {
    return !a.empty() && std::ranges::equal(a, b, [](const Finding& x, const Finding& y) {
        if (x.kind != y.kind || x.untouched != y.untouched || x.argument != y.argument) return false;
        if (!x.mismatch || !y.mismatch) return x.mismatch.has_value() == y.mismatch.has_value();
        return same_mismatch(*x.mismatch, *y.mismatch);
    });
}

/// Whether the bound implementation fails a case as the submission did.
bool acts_alike(const FailedCase& one) {
    subject::Session& session = subject::Session::current();
    bool alike = false;
    session.expect(&one.transcript, one.likeness);
    session.set_order(one.order);
    run_cases({one.name}, {.started = [&](const std::string&) { session.begin_case(); },
                           .ended =
                               [&](const std::string&) {
                                   alike =
                                       !session.diverged() &&
                                       same_behaviour(session.transcript(), one.transcript, one.likeness) &&
                                       same_failure(Recorder::current().findings(), one.findings);
                                   session.end_case();
                               }});
    session.expect(nullptr, one.likeness);
    return alike;
}

/// A call had no reply: what it met, and what would have come after it, is unknown.
bool lost_a_call(const FailedCase& one) {
    return std::ranges::any_of(one.transcript.observations(),
                               [](const subject::Observation& call) { return call.death.has_value(); });
}

bool is_zero(const std::string& number) {
    return number == "0" || number == "-0";
}

/// That nothing was written, or zeros in place of ordinary numbers, is what many mistakes have in common.
bool is_telling(const FailedCase& one) {
    return std::ranges::any_of(one.findings, [](const Finding& finding) {
        if (!finding.mismatch) return true;
        const std::string& expected = finding.mismatch->expected;
        const bool is_special = is_zero(expected) || expected.find("nan") != std::string::npos;
        return !finding.untouched && (is_special || !is_zero(finding.mismatch->got));
    });
}

bool is_evidence(const std::vector<const FailedCase*>& cases) {
    return cases.size() > 1 ||
           std::ranges::any_of(cases, [](const FailedCase* one) { return is_telling(*one); });
}

/// The cases that the mistake may fail. Large ones are worth their time only where it explains another one,
/// or there is no other, so they come last.
std::vector<const FailedCase*> cases_of(const Suspect& suspect, const std::vector<FailedCase>& failed) {
    std::vector<const FailedCase*> cases;
    for (const FailedCase& one : failed)
        if (suspect.may_fail(one.name)) cases.push_back(&one);
    // Most part from the submission in the first case that they try, so the quickest comes first.
    std::ranges::stable_sort(cases, {},
                             [](const FailedCase* one) { return std::pair(one->large, one->duration); });
    return cases;
}

std::vector<std::string> names_of(const std::vector<const FailedCase*>& cases) {
    std::vector<std::string> names;
    names.reserve(cases.size());
    for (const FailedCase* one : cases)
        names.push_back(one->name);
    return names;
}

void bind(const Request& request, const std::string& mistake, bool fresh) {
    subject::Session::current().bind({.fd = events::mistakes_fd,
                                      .arguments = {mistake},
                                      .emulated = request.emulated,
                                      .limits = request.limits,
                                      .slots = request.slots},
                                     fresh, Recorder::current());
}

/// The mistakes that fail every case as the submission did.
std::vector<MistakeMatched> find_whole(const Request& request, const std::vector<FailedCase>& failed) {
    std::vector<MistakeMatched> found;
    bind(request, "", false);
    for (const Suspect& suspect : request.mistakes) {
        const std::vector<const FailedCase*> cases = cases_of(suspect, failed);
        if (cases.size() < failed.size() || !is_evidence(cases)) continue;
        subject::Session::current().turn_to(suspect.mistake);
        if (std::ranges::all_of(cases, [](const FailedCase* one) { return acts_alike(*one); }))
            found.push_back({suspect.mistake, names_of(cases), {}});
    }
    return found;
}

/// Whether a call wrote where it must not: what such a call meets depends on what its worker did before.
bool strayed(const FailedCase& one) {
    return std::ranges::any_of(one.transcript.observations(),
                               [](const subject::Observation& call) { return call.damage != 0; });
}

std::vector<const FailedCase*> cases_alike(const std::vector<const FailedCase*>& cases) {
    std::vector<const FailedCase*> alike;
    for (const FailedCase* one : cases) {
        if (one->large && alike.empty() && !cases.front()->large) break;
        if (acts_alike(*one)) alike.push_back(one);
    }
    return alike;
}

/// One worker for all is quick, but carries static variables and stray reads from case to case, which the
/// submission's workers did not. A mistake that acts alike there in some cases, or in none when calls have
/// strayed, also gets the same start in every case as the submission had.
std::vector<MistakeMatched> find_partial(const Request& request, const std::vector<FailedCase>& failed) {
    struct Trial {
        const Suspect* suspect = nullptr;
        std::vector<const FailedCase*> alike;
    };
    std::vector<Trial> trials;
    bind(request, "", false);
    for (const Suspect& suspect : request.mistakes) {
        subject::Session::current().turn_to(suspect.mistake);
        trials.push_back({&suspect, cases_alike(cases_of(suspect, failed))});
    }
    const bool any_strayed = std::ranges::any_of(failed, strayed);
    std::vector<MistakeMatched> found;
    for (Trial& trial : trials) {
        if (trial.alike.empty() && !any_strayed) continue;
        bind(request, trial.suspect->mistake, true);
        std::vector<const FailedCase*> fresh = cases_alike(cases_of(*trial.suspect, failed));
        if (fresh.size() > trial.alike.size()) trial.alike = std::move(fresh);
        if (is_evidence(trial.alike)) found.push_back({trial.suspect->mistake, names_of(trial.alike), {}});
    }
    std::ranges::stable_sort(found, std::ranges::greater{},
                             [](const MistakeMatched& match) { return match.tests.size(); });
    if (found.size() > max_partial) found.resize(max_partial);
    return found;
}

bool is_large_case(const std::string& name) {
    const auto found = std::ranges::find(list_cases(), name, &ListedCase::name);
    return found != list_cases().end() && found->large;
}

/// Whether a mistake fails the tests that it fails with some seeds is seen by running it with this one. What
/// the submission was not seen to do to the end says nothing, whatever the mistake does there.
void see_what_else_fails(const Request& request, const Judged& judged, MistakeMatched& match) {
    const auto suspect = std::ranges::find(request.mistakes, match.mistake, &Suspect::mistake);
    const auto ran = [&](const std::string& test) {
        return judged.passed.contains(test) ||
               std::ranges::find(judged.failed, test, &FailedCase::name) != judged.failed.end();
    };
    std::vector<std::string> names;
    for (const std::string& test : suspect->sometimes)
        if (ran(test) && std::ranges::find(match.tests, test) == match.tests.end() && !is_large_case(test))
            names.push_back(test);
    bind(request, match.mistake, true);
    subject::Session& session = subject::Session::current();
    const CaseHooks hooks{.started = [&](const std::string&) { session.begin_case(); },
                          .ended =
                              [&](const std::string& name) {
                                  if (Recorder::current().failed()) match.fails.push_back(name);
                                  session.end_case();
                              }};
    for (const std::string& name : names)
        run_case_in_orders(name, hooks);
}

} // namespace

std::vector<MistakeMatched> name_mistakes(Request request, Judged judged) {
    std::vector<FailedCase>& failed = judged.failed;
    std::erase_if(failed, lost_a_call);
    std::erase_if(request.mistakes, [&](const Suspect& suspect) {
        return std::ranges::any_of(suspect.always,
                                   [&](const std::string& test) { return judged.passed.contains(test); });
    });
    if (failed.empty() || request.mistakes.empty()) return {};
    std::vector<MistakeMatched> found = find_whole(request, failed);
    if (found.empty()) found = find_partial(request, failed);
    for (MistakeMatched& match : found)
        see_what_else_fails(request, judged, match);
    subject::Session::current().unbind();
    return found;
}

} // namespace harness
