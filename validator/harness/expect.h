#pragma once

#include "common/status.h"
#include "harness/compare.h"
#include "harness/elements.h"

#include <string>
#include <string_view>

/// What suites claim about a submission. Each returns whether the claim holds, reports what was seen when it
/// does not, and never stops the test.
namespace harness {

/// |got - want| <= abs + rel * |want|
struct Tolerance {
    double abs = 0;
    double rel = 0;
};

bool report(Comparison comparison, std::string_view what);

/// Notes whether numbers are compared in bits, as values or with a tolerance.
void note_exact();
void note_values();
void note_tolerance();

/// Bit for bit, NaN payloads and the sign of zero included.
template <class Got, class Want>
bool expect_identical(std::string_view what, const Got& got, const Want& want) {
    note_exact();
    return report(compare_bits(elements(got), elements(want)), what);
}

/// Within a tolerance that follows from theory. NaN and infinities match only their own kind in `want`.
template <class Got, class Want>
bool expect_close(std::string_view what, const Got& got, const Want& want, Tolerance tolerance) {
    note_tolerance();
    const auto wanted = elements(want);
    return report(compare_values(elements(got), wanted,
                                 [&](std::size_t i) {
                                     return tolerance.abs +
                                            tolerance.rel * std::abs(static_cast<double>(wanted[i]));
                                 }),
                  what);
}

/// Within a bound of its own for each element: a tensor of the same shape.
template <class Got, class Want, class Bound>
bool expect_within(std::string_view what, const Got& got, const Want& want, const Bound& bound) {
    note_tolerance();
    const auto bounds = elements(bound);
    return report(compare_values(elements(got), elements(want),
                                 [&](std::size_t i) { return static_cast<double>(bounds[i]); }),
                  what);
}

/// Nothing was written: every element is still the poison it started as.
template <class Got>
bool expect_untouched(std::string_view what, const Got& got) {
    return report(compare_untouched(elements(got)), what);
}

bool expect_status(const contract::Status& got, const contract::Status& want);

/// A property, put as a sentence that should hold: "both halves are equal". `effect`, if any, says what kind
/// of wrong it is where it does not hold.
bool expect_true(std::string_view what_should_hold, bool holds, std::string effect = {});

/// Two numbers within an absolute bound.
bool expect_near(std::string_view what, double got, double want, double bound);

template <class T>
bool expect_equal(std::string_view what, const T& got, const T& want) {
    Comparison comparison;
    comparison.total = 1;
    if (!(got == want)) {
        comparison.different = 1;
        comparison.expected = print_value(want);
        comparison.got = print_value(got);
    }
    return report(std::move(comparison), what);
}
template <class T, class U>
bool expect_equal(std::string_view what, const T& got, const U& want) {
    return expect_equal(what, got, static_cast<T>(want));
}

} // namespace harness
