#include "harness/recorder.h"

#include "harness/context.h"

#include <algorithm>
#include <iterator>

namespace harness {
namespace {

/// One wrong element often means a thousand; nobody reads more than a few sentences.
constexpr std::size_t max_findings = 8;

const Effect breaks_off{.words = {events::does_not_return}, .of_last_call = true};

/// Nothing is wrong with calls of what is not there yet, or of a suite that is broken.
bool is_of_calls(const Finding& finding) {
    return finding.kind != Finding::Kind::not_implemented && finding.kind != Finding::Kind::broken_suite;
}

} // namespace

Recorder& Recorder::current() {
    static Recorder recorder;
    return recorder;
}

void Recorder::begin_case(std::string name) {
    case_ = std::move(name);
    findings_.clear();
    set_aside_.clear();
    claims_.begin_case();
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
    if (finding.kind == Finding::Kind::threw) effect = breaks_off;
    if (!meant_.empty()) effect = {{meant_}, {}};
    note_functions(finding, effect);
    if (!trying_ && !brief_ && is_of_calls(finding) && claims_.is_first_to_fail()) note_failure(effect);
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

/// A call that is still to end has no claim made about it.
void Recorder::note_functions(const Finding& finding, Effect& effect) {
    if (!finding.function.empty()) {
        effect.functions = {finding.function};
        return;
    }
    claim();
    effect.functions = claims_.functions(effect);
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

void Recorder::note_call(Probe probe, bool failed, std::chrono::microseconds duration) {
    ProbeTally& tally = probes_[probe];
    ++tally.calls;
    tally.failed += failed ? 1 : 0;
    tally.duration += duration;
}

void Recorder::add_calls(const std::string& function, std::vector<CallFacts> calls) {
    std::vector<CallFacts>& known = calls_[function];
    std::ranges::move(calls, std::back_inserter(known));
}

std::map<std::string, std::string> Recorder::take_what_failures_share() {
    std::map<std::string, std::string> shared;
    std::set<std::string> known;
    for (const auto& [function, calls] : calls_) {
        if (std::ranges::none_of(calls, &CallFacts::failed)) continue;
        known.insert(function);
        if (std::string words = what_failures_share(calls); !words.empty())
            shared[function] = std::move(words);
    }
    shared.merge(claims_.take_what_failures_share(known));
    calls_.clear();
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
         .argument = death.argument,
         .access = death.access,
         .code = death.code,
         .before = death.before_ready,
         .out_of_time = death.out_of_time,
         .limit_ms = death.limit.count(),
         .peak_kib = death.peak_kib},
        death.argument > 0 ? Effect{.words = {past_end_is_used}, .of_last_call = true} : breaks_off);
}

void Recorder::not_implemented(const char* function) {
    add({.kind = Finding::Kind::not_implemented, .function = function});
}

void Recorder::out_of_memory(const char* function) {
    add({.kind = Finding::Kind::out_of_memory, .function = function}, breaks_off);
}

void Recorder::device_failed(const char* function, const std::string& words) {
    add({.kind = Finding::Kind::device_failed, .function = function, .text = words}, breaks_off);
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
        fails = gaps_are_written;
    }
    add({.kind = Finding::Kind::assertion,
         .function = function,
         .text = std::string("does not hold: ") + function + holds + ", not even to bring it back"},
        {{fails}, {}});
}

} // namespace harness
