#include "harness/adversity/caller.h"

#include "subject/session.h"

#include <chrono>

namespace harness {
namespace {

/// Whether the submission has not implemented what was called last.
bool is_a_gap() {
    const auto& calls = subject::Session::current().transcript().observations();
    return !calls.empty() && calls.back().reply == subject::ReplyKind::not_implemented;
}

} // namespace

CallFacts Caller::facts_of(const Situation& situation, const std::string& when) const {
    CallFacts facts{situation.extents, situation.words, Recorder::current().calls_of_case() + 1};
    facts.properties = situation.properties;
    facts.refused = situation.refused;
    if (!when.empty()) facts.circumstances.insert("it comes " + when);
    return facts;
}

void Caller::attempt(const Situation& situation, CallFacts facts,
                     const std::function<void(CallFacts&)>& check) {
    Recorder& recorder = Recorder::current();
    const auto start = std::chrono::steady_clock::now();
    const auto note = [&](bool failed) {
        const auto taken = std::chrono::steady_clock::now() - start;
        recorder.note_call(facts.probe, failed, std::chrono::duration_cast<std::chrono::microseconds>(taken));
    };
    recorder.begin_trial();
    std::vector<Finding> findings;
    try {
        check(facts);
        findings = recorder.end_trial();
    } catch (...) {
        recorder.keep(recorder.end_trial());
        if (is_a_gap()) throw; // nothing is wrong yet, so there is nothing to have in common
        note(true);
        facts.failed = true;
        facts.effects = recorder.effect().words;
        if (facts.effects.empty()) facts.effects = {events::does_not_return};
        facts_.push_back(std::move(facts));
        throw;
    }
    for (const auto& [parameter, adversity] : situation.reaches)
        recorder.coverage().reach(function_, parameter, adversity);
    facts.failed = !findings.empty();
    note(facts.failed);
    if (facts.failed) {
        facts.effects = recorder.effect().words;
        facts.where = recorder.effect().where;
        facts.in_general = recorder.effect().in_general;
    }
    facts_.push_back(std::move(facts));
    if (first_.empty()) first_ = std::move(findings);
}

bool Caller::wants_it_alone() const {
    const Recorder& recorder = Recorder::current();
    return !asked_alone_ && !recorder.brief() && !recorder.chance() && !facts_.empty() &&
           facts_.back().failed && facts_.back().number > 1;
}

void Caller::attempt_alone(const std::function<void(CallFacts&)>& check) {
    asked_alone_ = true;
    Recorder& recorder = Recorder::current();
    recorder.begin_trial();
    CallFacts facts;
    bool made = true, came_back = true;
    try {
        made = subject::Session::current().aside(facts_.back().number - 1, [&] { check(facts); });
    } catch (...) { // a call that dies alone, too, says nothing of others
        came_back = false;
    }
    const bool right = recorder.end_trial().empty();
    if (made) facts_.back().passes_alone = came_back && right;
}

bool Caller::is_settled() const {
    return Recorder::current().brief() && !first_.empty();
}

void Caller::conclude() {
    Recorder::current().keep(std::move(first_));
    Recorder::current().add_calls(function_, std::move(facts_));
}

} // namespace harness
