#include "harness/recorder.h"

#include "harness/context.h"

#include <algorithm>
#include <iterator>

namespace harness {
namespace {

/// One wrong element often means a thousand; nobody reads more than a few sentences.
constexpr std::size_t max_findings = 8;

} // namespace

Recorder& Recorder::current() {
    static Recorder recorder;
    return recorder;
}

void Recorder::begin_case(std::string name) {
    case_ = std::move(name);
    findings_.clear();
    set_aside_.clear();
    last_words_.clear();
    minimum_traffic_ = 0;
    measured_.clear();
    times_us_.clear();
    drew_ = constructed_ = false;
    likeness_.reset();
}

bool Recorder::suite_broke() const {
    return std::ranges::any_of(
        findings_, [](const Finding& finding) { return finding.kind == Finding::Kind::broken_suite; });
}

void Recorder::add(Finding finding, Effect effect) {
    if (!meant_.empty()) effect = {{meant_}, {}};
    if (!trying_) note_failure(effect);
    if (findings_.empty()) effect_ = std::move(effect);
    constructed_ = constructed_ || !drew_;
    if (finding.context.empty()) finding.context = current_context();
    // The tests of boundary values tell their calls by the names of the arguments.
    const std::string call = subject::Session::current().last_call().print();
    if (finding.call.empty() && finding.context.find(call.substr(0, call.find('(') + 1)) == std::string::npos)
        finding.call = call;
    finding.call_number = subject::Session::current().recording().last();
    push(std::move(finding));
}

void Recorder::push(Finding finding) {
    // One picture is enough for a test, and none is looked at where nobody reads.
    const auto has_sample = [](const Finding& known) { return known.mismatch && known.mismatch->sample; };
    if (finding.mismatch && (brief_ || std::ranges::any_of(findings_, has_sample)))
        finding.mismatch->sample.reset();
    if (findings_.size() < max_findings) findings_.push_back(std::move(finding));
}

void Recorder::keep(std::vector<Finding> findings) {
    for (Finding& finding : findings)
        push(std::move(finding));
}

void Recorder::note_failure(const Effect& effect) {
    subject::Session& session = subject::Session::current();
    const auto& calls = session.transcript().observations();
    const bool of_one_function =
        std::ranges::all_of(calls, [&](const auto& call) { return call.function == calls.front().function; });
    if (calls.empty()) return;
    const std::string function = session.last_call().function();
    if (!of_one_function && !effect.of_last_call) {
        unexplained_.insert(function);
        return;
    }
    CallFacts facts;
    facts.failed = true;
    facts.effects = effect.words;
    facts.where = effect.where;
    noted_[function].push_back(std::move(facts));
}

void Recorder::add_calls(const std::string& function, std::vector<CallFacts> calls) {
    std::vector<CallFacts>& known = calls_[function];
    std::ranges::move(calls, std::back_inserter(known));
}

std::map<std::string, std::string> Recorder::take_what_failures_share() {
    std::map<std::string, std::string> shared;
    const auto add = [&](const std::string& function, const std::vector<CallFacts>& calls) {
        if (std::string words = harness::what_failures_share(calls); !words.empty())
            shared[function] = std::move(words);
    };
    for (const auto& [function, calls] : calls_) {
        if (std::ranges::none_of(calls, &CallFacts::failed)) continue;
        noted_.erase(function); // less is known of these
        add(function, calls);
    }
    for (const auto& [function, calls] : noted_)
        if (!unexplained_.contains(function)) add(function, calls);
    calls_.clear();
    noted_.clear();
    unexplained_.clear();
    return shared;
}

std::size_t Recorder::calls_of_case() const {
    return subject::Session::current().transcript().observations().size();
}

void Recorder::begin_trial() {
    set_aside_ = std::move(findings_);
    findings_.clear();
    effect_ = {};
    meant_.clear();
    trying_ = true;
}

std::vector<Finding> Recorder::end_trial() {
    std::vector<Finding> result = std::move(findings_);
    findings_ = std::move(set_aside_);
    set_aside_.clear();
    meant_.clear();
    trying_ = false;
    return result;
}

void Recorder::died(const char* function, const subject::Death& death) {
    last_words_ += death.output;
    add({.kind = Finding::Kind::died,
         .function = function,
         .fate = death.fate,
         .kernel = death.kernel,
         .frames = death.frames,
         .code = death.code,
         .before = death.before_ready,
         .wall_ms = death.wall.count(),
         .peak_kib = death.peak_kib});
}

void Recorder::not_implemented(const char* function) {
    add({.kind = Finding::Kind::not_implemented, .function = function});
}

void Recorder::out_of_memory(const char* function) {
    add({.kind = Finding::Kind::out_of_memory, .function = function});
}

void Recorder::device_failed(const char* function, const std::string& words) {
    add({.kind = Finding::Kind::device_failed, .function = function, .text = words});
}

void Recorder::overran(const char* function, int argument, bool before) {
    add({.kind = Finding::Kind::overrun, .function = function, .argument = argument, .before = before},
        {{"memory next to that of an argument is written to"}, {}});
}

void Recorder::changed_input(const char* function, int argument) {
    add({.kind = Finding::Kind::changed_input, .function = function, .argument = argument},
        {{"an input is changed"}, {}});
}

void Recorder::left_modes(const char* function) {
    add({.kind = Finding::Kind::left_modes, .function = function},
        {{"the modes of floating-point arithmetic are changed"}, {}});
}

void Recorder::wrote_kept(const char* function, subject::Kept kept) {
    const char* holds = " writes nothing where the call has to be refused";
    const char* fails = "a call that has to be refused writes to an output";
    if (kept == subject::Kept::inputs) {
        holds = " writes to no input";
        fails = "an input is written to";
    } else if (kept == subject::Kept::gaps) {
        holds = " writes nothing between the rows of an output";
        fails = "what lies between the rows of an output is written to";
    }
    add({.kind = Finding::Kind::assertion,
         .function = function,
         .text = std::string("does not hold: ") + function + holds + ", not even to bring it back"},
        {{fails}, {}});
}

} // namespace harness
