#pragma once

// A lookup that is right, and what the harness says of one that is wrong.
#include "harness/adversity/adverse.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace lookup_programs {

using namespace harness;
using contract::Code;
using contract::Ids;
using contract::Matrix;
using contract::Status;

inline Status refusal(const Matrix<const float>& table, Ids ids, const Matrix<float>& out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    return {};
}

inline Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const Status status = refusal(table, ids, out);
    if (status != Status{}) return status;
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
    return {};
}

using Lookup = Status (*)(Matrix<const float>, Ids, Matrix<float>);

inline auto adverse(Lookup subject) {
    return Adverse("lookup", subject, &lookup,
                   {{.name = "V", .ordinary = 6}, {.name = "C", .ordinary = 3}, {.name = "T", .ordinary = 5}},
                   matrix_in("table", "V", "C", {normal(), {{"any bits", any_bits()}}}), ids("ids", "T", "V"),
                   matrix_out("out", "T", "C"));
}

enum class Circumstance { sizes, gaps, empty_axes, special_cases, history };

inline std::vector<Finding> findings(Lookup subject, Circumstance circumstance, bool thorough = true) {
    Recorder& recorder = Recorder::current();
    recorder.be_thorough(thorough);
    recorder.begin_case("a case");
    recorder.take_what_failures_share();
    auto function = adverse(subject);
    switch (circumstance) {
    case Circumstance::sizes: function.sizes(); break;
    case Circumstance::gaps: function.gaps(); break;
    case Circumstance::empty_axes: function.empty_axes(); break;
    case Circumstance::special_cases: function.special_cases(); break;
    case Circumstance::history: function.history(); break;
    }
    return recorder.end_case();
}

/// The one thing that is said of a program that is wrong under one circumstance.
inline Finding finding(Lookup subject, Circumstance circumstance) {
    const std::vector<Finding> all = findings(subject, circumstance);
    REQUIRE(!all.empty());
    return all.front();
}

/// What the failing calls of such a program have in common.
inline std::string shared(Lookup subject, Circumstance circumstance) {
    REQUIRE(!findings(subject, circumstance).empty());
    return Recorder::current().take_what_failures_share()["lookup"];
}

} // namespace lookup_programs
