#include "harness/adversity/calls.h"

#include "harness/context.h"
#include "subject/session.h"

namespace harness {
namespace {

void describe_far(const FarMatrix& matrix, CallFacts& facts) {
    const std::size_t last = matrix.chosen_by_ids ? facts.largest_id : matrix.last_row;
    for (const int power : {31, 32})
        if (last * matrix.stride >> power > 0)
            facts.properties.insert("`" + matrix.name + "` is used beyond element 2^" +
                                    std::to_string(power));
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

} // namespace

void Calls::operator()(const Situation& situation, const std::string& when) {
    if (caller_.is_settled()) return;
    Random before = random();
    Operands operands = function_.make(situation, random());
    (*this)(situation, operands, when);
    if (function_.launches || !caller_.wants_it_alone()) return;
    Operands same = function_.make(situation, before);
    caller_.attempt_alone([&](CallFacts& facts) {
        function_.agreement.with_reference(function_.subject, function_.reference, same, function_.names(),
                                           facts);
    });
}

void Calls::operator()(const Situation& situation, Operands& operands, const std::string& when) {
    attempt(situation, operands, when, [&](CallFacts& facts) {
        const Circumstance kept(&subject::Session::keep_arguments, has_to_refuse(situation, operands));
        function_.agreement.with_reference(function_.subject, function_.reference, operands,
                                           function_.names(), facts);
    });
}

bool Calls::has_to_refuse(const Situation& situation, const Operands& operands) const {
    if (!situation.refused || !function_.is_one_call || function_.launches || situation.far) return false;
    Operands same = operands.copy();
    return function_.agreement.refuses(function_.reference(same));
}

void Calls::all(const std::vector<Situation>& situations) {
    for (const Situation& situation : situations)
        (*this)(situation);
}

void Calls::some(const std::vector<Situation>& situations) {
    for (const std::size_t picked : combined_.of_next(situations.size()))
        (*this)(situations[picked]);
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

void Calls::lodged(const Situation& situation, std::size_t guest, std::size_t host) {
    if (caller_.is_settled()) return;
    Operands operands = function_.make(situation, random());
    operands.lodge(guest, host);
    (*this)(situation, operands, "");
}

void Calls::rounding_upward(Situation situation) {
    situation.words.insert("the caller's arithmetic rounds upward");
    Operands operands = function_.make(situation, random());
    attempt(situation, operands, "", [&](CallFacts&) {
        const Circumstance upward(&subject::Session::round_upward, true);
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
