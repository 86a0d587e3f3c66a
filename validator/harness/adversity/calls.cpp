#include "harness/adversity/calls.h"

#include "harness/context.h"
#include "harness/recorder.h"
#include "subject/session.h"

#include <algorithm>

namespace harness {
namespace {

void describe_far(const FarMatrix& matrix, CallFacts& facts) {
    const std::size_t last = matrix.chosen_by_ids ? facts.largest_id : matrix.last_row;
    for (const int power : {31, 32})
        if (last * matrix.stride >> power > 0)
            facts.properties.insert("`" + matrix.name + "` is used beyond element 2^" +
                                    std::to_string(power));
}

bool speaks_of(const Effect& effect, const std::string& argument) {
    const auto names_it = [&](const std::string& words) {
        return words.find('`' + argument + '`') != std::string::npos;
    };
    return effect.where.output == argument || std::ranges::any_of(effect.words, names_it);
}

/// Something that the session does about calls, as long as this lives.
class Circumstance {
  public:
    using Setter = void (subject::Session::*)(bool);

    Circumstance(Setter setter, bool on) : setter_(setter) { (subject::Session::current().*setter_)(on); }
    Circumstance(const Circumstance&) = delete;
    Circumstance& operator=(const Circumstance&) = delete;
    ~Circumstance() { (subject::Session::current().*setter_)(false); }

  private:
    Setter setter_;
};

/// The most special values that a call of a graded run has.
constexpr std::size_t most_together = 3;
/// They hide nothing of a refusal.
constexpr std::size_t most_beside_a_refusal = 5;

/// Calls are made so many times more, as long as this lives.
class RepeatScope {
  public:
    explicit RepeatScope(std::uint32_t times) { subject::Session::current().repeat_calls(times); }
    RepeatScope(const RepeatScope&) = delete;
    RepeatScope& operator=(const RepeatScope&) = delete;
    ~RepeatScope() { subject::Session::current().repeat_calls(0); }
};

/// What calls must not write to, as long as this lives.
class KeptScope {
  public:
    template <class Kept>
    explicit KeptScope(const Kept& kept) {
        subject::Session::current().keep(kept);
    }
    KeptScope(const KeptScope&) = delete;
    KeptScope& operator=(const KeptScope&) = delete;
    ~KeptScope() { subject::Session::current().keep(subject::Kept::nothing); }
};

} // namespace

bool Calls::starts(Probe probe) {
    probe_ = probe;
    const ProbeRow& row = row_of(probe);
    const Dues& dues = function_.launches ? row.launches : row.calls;
    const Due due = function_.is_watched() ? dues.watched : dues.judged;
    return due == Due::graded || (due == Due::thorough && is_thorough());
}

void Calls::operator()(const Situation& situation, const std::string& when) {
    if (caller_.is_settled()) return;
    Random before = random();
    Operands operands = function_.make(situation, random());
    (*this)(situation, operands, when);
    if (function_.launches || !caller_.wants_it_alone()) return;
    Operands same = function_.make(situation, before);
    caller_.attempt_alone([&](CallFacts& facts) { compare(same, facts); });
}

void Calls::operator()(const Situation& situation, Operands& operands, const std::string& when) {
    attempt(situation, operands, when, [&](CallFacts& facts) {
        const KeptScope kept(kept_in(situation, operands));
        compare(operands, facts);
    });
}

/// What a call must not write to; on a device nobody would see it.
subject::Kept Calls::kept_in(const Situation& situation, const Operands& operands) const {
    if (function_.launches) return subject::Kept::nothing;
    if (!situation.refused || !function_.is_one_call || situation.far) return subject::Kept::inputs;
    Operands same = operands.copy();
    return function_.agreement.refuses(function_.reference(same)) ? subject::Kept::arguments
                                                                  : subject::Kept::inputs;
}

void Calls::all(const std::vector<Situation>& situations) {
    for (const Situation& situation : situations)
        (*this)(situation);
}

void Calls::those_with(std::string_view words, const std::vector<Situation>& situations) {
    for (const Situation& situation : situations)
        if (situation.words.contains(std::string(words))) (*this)(situation);
}

void Calls::some(const std::vector<Situation>& situations) {
    for (const std::size_t picked : combined_.of_next(situations.size()))
        (*this)(situations[picked]);
}

void Calls::crossed(const std::vector<Situation>& accepted, const std::vector<Situation>& refused,
                    Adversity adversity) {
    if (function_.launches || is_thorough())
        some(harness::crossed(accepted, refused, adversity));
    else
        all(shared_out(accepted, refused, most_beside_a_refusal, adversity));
}

void Calls::pairs_of(const std::vector<Situation>& accepted, Adversity adversity) {
    if (function_.launches)
        some(harness::pairs_of(accepted, adversity));
    else
        all(is_thorough() ? harness::pairs_of(accepted, adversity)
                          : packed(accepted, most_together, adversity));
}

void Calls::holding_negatives(const Situation& situation) {
    if (caller_.is_settled()) return;
    Operands operands = function_.make(situation, random());
    Operands right = operands.copy();
    function_.reference(right);
    operands.hold_negative(right);
    Situation held = situation;
    held.words.insert("outputs hold the negative of what is right");
    (*this)(held, operands, "");
}

void Calls::nearly_done(const Situation& situation) {
    if (caller_.is_settled()) return;
    Situation held = situation;
    held.words.insert("outputs hold what is right already, but for few elements");
    for (const bool each_row : {true, false}) {
        Operands operands = function_.make(situation, random());
        Operands right = operands.copy();
        function_.reference(right);
        operands.hold_nearly(right, each_row);
        (*this)(held, operands, "");
    }
}

void Calls::level(const Situation& situation) {
    for (std::size_t k = 0; k < function_.parameters.size(); ++k)
        for (const bool each_row : {true, false}) {
            if (caller_.is_settled()) return;
            Operands operands = function_.make(situation, random());
            if (!operands[k].level(each_row)) continue;
            Situation levelled = situation;
            levelled.words.insert("all elements of `" + function_.parameters[k].name +
                                  "` are equal but the last one" + (each_row ? " of each row" : ""));
            (*this)(levelled, operands, "");
        }
}

void Calls::going_on_in_gaps(const Situation& situation, std::size_t which) {
    if (caller_.is_settled()) return;
    Operands operands = function_.make(situation, random());
    if (!operands[which].repeat_in_gaps()) return;
    Situation going_on = situation;
    going_on.words.insert("the gaps of `" + function_.parameters[which].name + "` go on as its rows end");
    (*this)(going_on, operands, "");
}

void Calls::in_pages(const Situation& situation, std::size_t which) {
    if (caller_.is_settled()) return;
    Operands operands = function_.make(situation, random());
    const std::optional<subject::Gaps> gaps = operands[which].move_into_pages();
    if (!gaps) return;
    attempt(situation, operands, "", [&](CallFacts& facts) {
        const KeptScope kept(*gaps);
        compare(operands, facts);
        if (Recorder::current().effect().words.contains(gaps_are_written))
            Recorder::current().explain(gaps_of(which));
    });
}

std::string Calls::gaps_of(std::size_t which) const {
    return "what lies between the rows of `" + function_.parameters[which].name + "` is written to";
}

void Calls::lodged(const Situation& situation, std::size_t guest, std::size_t host, std::size_t behind) {
    if (caller_.is_settled()) return;
    Operands operands = function_.make(situation, random());
    operands.lodge(guest, host, behind);
    const AnyParameter& inner = function_.parameters[guest];
    attempt(situation, operands, "", [&](CallFacts& facts) {
        const KeptScope kept(kept_in(situation, operands));
        compare(operands, facts);
        // Nobody writes an input: it has changed because it lies where it does.
        if (!inner.written && speaks_of(Recorder::current().effect(), inner.name))
            Recorder::current().explain(gaps_of(host));
    });
}

void Calls::rounding_upward(Situation situation) {
    situation.words.insert("the caller's arithmetic rounds upward");
    Operands operands = function_.make(situation, random());
    attempt(situation, operands, "", [&](CallFacts&) {
        const Circumstance upward(&subject::Session::round_upward, true);
        function_.subject(operands);
    });
}

void Calls::many(const Situation& situation, std::uint32_t times) {
    Operands operands = function_.make(situation, random());
    attempt(situation, operands, "many times in a row", [&](CallFacts&) {
        const RepeatScope repeats(times - 1);
        function_.subject(operands);
    });
}

void Calls::rehearsed(const Situation& situation, Operands& operands) {
    attempt(situation, operands, "", [&](CallFacts&) {
        const Circumstance rehearsed(&subject::Session::rehearse_calls, true);
        function_.subject(operands);
    });
}

void Calls::rehearsed(const Situation& situation) {
    const Circumstance rehearsed(&subject::Session::rehearse_calls, true);
    (*this)(situation);
}

void Calls::compare(Operands& operands, CallFacts& facts) const {
    function_.agreement.with_reference(function_.subject, function_.reference, operands, function_.names(),
                                       facts);
}

void Calls::equal(const Situation& situation, Operands& operands, const Agreement::Left& earlier,
                  const std::string& when) {
    attempt(situation, operands, when, [&](CallFacts&) {
        function_.agreement.with_earlier(function_.subject, earlier, operands, function_.names());
    });
}

void Calls::attempt(const Situation& situation, const Operands& operands, const std::string& when,
                    const std::function<void(CallFacts&)>& check) {
    if (caller_.is_settled()) return;
    CallFacts facts = caller_.facts_of(situation, when);
    facts.probe = probe_;
    for (std::size_t k = 0; k < operands.size(); ++k)
        operands[k].describe(function_.parameters[k].name, facts);
    if (situation.far) describe_far(*situation.far, facts);
    const std::string words = function_.print(operands, facts);
    caller_.attempt(situation, std::move(facts), [&](CallFacts& known) {
        const ContextScope scope(words);
        check(known);
    });
}

} // namespace harness
