#include "harness/expect.h"

#include "harness/recorder.h"

#include <cmath>
#include <limits>

namespace harness {

template void count_difference(Comparison&, const Elements<float>&, float, float, std::size_t);
template void count_difference(Comparison&, const Elements<float>&, float, double, std::size_t);
template void count_difference(Comparison&, const Elements<double>&, double, double, std::size_t);
template model::Sample sample_around(const Elements<float>&, const Elements<float>&,
                                     const std::vector<std::uint64_t>&);
template model::Sample sample_around(const Elements<float>&, const Elements<double>&,
                                     const std::vector<std::uint64_t>&);
template model::Sample sample_around(const Elements<double>&, const Elements<double>&,
                                     const std::vector<std::uint64_t>&);
template Comparison compare_bits(const Elements<float>&, const Elements<float>&);
template Comparison compare_untouched(const Elements<float>&);
namespace {

std::string print_shape(const std::vector<std::size_t>& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + ")";
}

std::string print_status(const contract::Status& status) {
    std::string text = subject::enumerator(status.code);
    if (status.code == contract::Code::id_out_of_range ||
        status.code == contract::Code::position_out_of_range)
        text += " {where " + std::to_string(status.where) + ", value " + std::to_string(status.value) +
                ", limit " + std::to_string(status.limit) + "}";
    return text;
}

bool fail(Finding finding, Effect effect = {}) {
    Recorder::current().add(std::move(finding), std::move(effect));
    return false;
}

/// The rule of every contract with a stream, about calls that refuse.
bool expect_nothing_launched() {
    const std::uint32_t launches = subject::Session::current().launches();
    return launches == 0 ||
           fail({.kind = Finding::Kind::assertion,
                 .text = "the call refused, as it should, but had launched " + std::to_string(launches) +
                         (launches == 1 ? " kernel" : " kernels") +
                         " before: a refused call launches nothing"});
}

/// One way in which elements differ, in words; empty for a number that is wrong.
std::string effect_of(Difference difference, const std::string& name) {
    switch (difference) {
    case Difference::rounding: return "numbers in " + name + " are a little off, by less than a thousandth";
    case Difference::never_written: return "elements of " + name + " are never written";
    case Difference::written: return name + " is written to where it has to stay as it was";
    case Difference::zero_sign: return "zeros in " + name + " have the wrong sign";
    case Difference::nan_bits: return "the bits of a NaN in " + name + " have changed";
    case Difference::nan_for_number: return name + " holds a NaN where a number is right";
    case Difference::number_for_nan: return name + " holds a number that must be NaN";
    case Difference::value: break;
    }
    return {};
}

/// What is said of failing calls is said of hidden tests, too, whose numbers stay hidden: nothing where there
/// are any.
std::string without_numbers(std::string words) {
    return words.find_first_of("0123456789") == std::string::npos ? words : std::string();
}

std::set<std::string> effects_of(const Comparison& comparison, std::string_view what) {
    const std::string name = without_numbers(in_words(what));
    if (name.empty()) return {};
    if (comparison.should_be_untouched) return {name + " is written to although the call is refused"};
    if (comparison.carried) return {name + " is added to where it has to be written"};
    std::set<std::string> effects;
    for (unsigned bit = 1; bit <= comparison.differences; bit *= 2) {
        if ((comparison.differences & bit) == 0) continue;
        std::string effect = effect_of(static_cast<Difference>(bit), name);
        if (effect.empty()) return {};
        effects.insert(std::move(effect));
    }
    return effects;
}

std::string effect_of(const contract::Status& got, const contract::Status& want) {
    using contract::Code;
    const std::string right = "`" + std::string(subject::enumerator(want.code)) + "`";
    if (want.code == Code::ok) return "a valid call is rejected";
    if (got.code == Code::ok) return "an invalid call is accepted that must be rejected with " + right;
    if (got.code != want.code)
        return "a call is refused with `" + std::string(subject::enumerator(got.code)) + "`, not with " +
               right;
    const char* field = got.where != want.where ? "where" : got.value != want.value ? "value" : "limit";
    return "the Status has a wrong `" + std::string(field) + "`";
}

} // namespace

bool report(Comparison comparison, std::string_view what) {
    Recorder::current().claim();
    if (comparison.same()) return true;
    const std::string wrong = without_numbers(in_words(what) + " is wrong");
    if (comparison.got_shape != comparison.want_shape)
        return fail({.kind = Finding::Kind::assertion,
                     .text = std::string(what) + " has shape " + print_shape(comparison.got_shape) +
                             ", expected " + print_shape(comparison.want_shape)},
                    {.output = comparison.of, .in_general = wrong});
    Effect effect{.words = effects_of(comparison, what), .output = comparison.of, .in_general = wrong};
    if (!effect.in_general.empty()) effect.where = {std::string(what), comparison.places};
    model::Mismatch mismatch{std::string(what),
                             std::move(comparison.index),
                             std::move(comparison.expected),
                             std::move(comparison.got),
                             comparison.worst_abs,
                             comparison.worst_rel,
                             comparison.different,
                             comparison.total,
                             std::move(comparison.sample)};
    std::string text;
    if (comparison.should_be_untouched)
        text = std::string(what) + " must stay untouched, but was written to";
    else if (comparison.carried)
        text = std::string(what) +
               " was computed from what it held before the call: it has to be written, not added to";
    return fail({.kind = Finding::Kind::mismatch,
                 .text = std::move(text),
                 .untouched = comparison.untouched,
                 .mismatch = std::move(mismatch)},
                std::move(effect));
}

void note_exact() {
    Recorder::current().compares(subject::Likeness::bits);
}

void note_values() {
    Recorder::current().compares(subject::Likeness::values);
}

void note_tolerance() {
    Recorder::current().compares(subject::Likeness::rounding);
}

bool expect_status(const contract::Status& got, const contract::Status& want) {
    Recorder::current().claim();
    if (got == want) return want.code == contract::Code::ok || expect_nothing_launched();
    return fail({.kind = Finding::Kind::assertion,
                 .text = "the returned Status is wrong: expected " + print_status(want) + ", got " +
                         print_status(got)},
                {{effect_of(got, want)}, {}, true});
}

bool expect_true(std::string_view what_should_hold, bool holds, std::string effect) {
    Recorder::current().claim();
    if (holds) return true;
    const std::string sentence(what_should_hold);
    if (effect.empty()) effect = without_numbers("it does not hold that " + sentence);
    return fail({.kind = Finding::Kind::assertion, .text = "does not hold: " + sentence},
                effect.empty() ? Effect{} : Effect{{std::move(effect)}, {}});
}

bool expect_near(std::string_view what, double got, double want, double bound) {
    note_tolerance();
    Recorder::current().claim();
    if (std::isfinite(got) && std::abs(got - want) <= bound) return true;
    Comparison comparison;
    comparison.total = comparison.different = 1;
    comparison.expected = print_value(want) + " within " + print_value(bound);
    comparison.got = print_value(got);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    comparison.worst_abs = std::isnan(got) ? infinity : std::abs(got - want); // a NaN equals no other NaN
    comparison.worst_rel = comparison.worst_abs / std::abs(want);
    if (std::isnan(got)) comparison.differences = static_cast<std::uint8_t>(Difference::nan_for_number);
    return report(std::move(comparison), what);
}

} // namespace harness
