// Programs that take what lies behind a row, or what an earlier call left, for part of this one.
#include "lookup_programs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

using namespace lookup_programs;

namespace {

/// How many elements before each one, without a break, are equal to it.
Status run_lengths(Matrix<const float> in, Matrix<float> out) {
    for (std::size_t r = 0; r < in.rows; ++r)
        for (std::size_t c = 0, begin = 0; c < in.cols; ++c) {
            if (c > 0 && in(r, c) != in(r, c - 1)) begin = c;
            out(r, c) = static_cast<float>(c - begin);
        }
    return {};
}
/// The same, but for the last element of a row where it is not the last one of a run in memory.
Status run_lengths_reading_on(Matrix<const float> in, Matrix<float> out) {
    const Status status = run_lengths(in, out);
    for (std::size_t r = 0; r + 1 < in.rows; ++r)
        if (in.cols > 0 && in.stride > in.cols && in(r, in.cols - 1) == in.row(r)[in.cols])
            out(r, in.cols - 1) += 1;
    return status;
}

std::size_t failures_in_gaps(Status (*subject)(Matrix<const float>, Matrix<float>)) {
    Recorder::current().begin_case("a case");
    Adverse("run_lengths", subject, &run_lengths,
            {{.name = "R", .ordinary = 4}, {.name = "C", .ordinary = 5}},
            matrix_in("in", "R", "C", {fractions(), {}}), matrix_out("out", "R", "C", Checked::nothing))
        .gaps();
    return Recorder::current().end_case().size();
}

} // namespace

TEST_CASE("a run of equal elements that goes on in a gap shows") {
    CHECK(failures_in_gaps(run_lengths) == 0);
    CHECK(failures_in_gaps(run_lengths_reading_on) > 0);
}

namespace {

void copied_rows(Matrix<const float> in, Matrix<float> out) {
    for (std::size_t r = 0; r < in.rows; ++r)
        std::copy_n(in.row(r), in.cols, out.row(r));
}

/// Rows of whole vectors go by vectors, whose addresses have no last bits.
void copy_by_vectors(Matrix<const float> in, Matrix<float> out) {
    for (std::size_t r = 0; r < in.rows; ++r)
        for (std::size_t c = 0; c < in.cols; c += 4)
            std::copy_n(reinterpret_cast<const float*>(reinterpret_cast<std::uintptr_t>(in.row(r) + c) /
                                                       (4 * sizeof(float)) * (4 * sizeof(float))),
                        std::min<std::size_t>(4, in.cols - c), out.row(r) + c);
}
bool allows_vectors(Matrix<const float> in) {
    return in.stride % 4 == 0 && reinterpret_cast<std::uintptr_t>(in.data) % (4 * sizeof(float)) == 0;
}
std::optional<bool> by_vectors;
/// Right, but for calls that have not what the first one had.
void copied_as_at_first(Matrix<const float> in, Matrix<float> out) {
    if (!by_vectors) by_vectors = allows_vectors(in);
    *by_vectors ? copy_by_vectors(in, out) : copied_rows(in, out);
}
void copied_as_each_allows(Matrix<const float> in, Matrix<float> out) {
    allows_vectors(in) ? copy_by_vectors(in, out) : copied_rows(in, out);
}

using Copies = void (*)(Matrix<const float>, Matrix<float>);

auto adverse_copies(Copies subject) {
    return Adverse("copied_rows", subject, &copied_rows,
                   {{.name = "R", .ordinary = 4}, {.name = "C", .ordinary = 5}},
                   matrix_in("in", "R", "C", {normal(), {}}), matrix_out("out", "R", "C", Checked::nothing));
}

std::size_t failures_of_copies(Copies subject) {
    Recorder::current().begin_case("a case");
    adverse_copies(subject)
        .rule("out", {.kind = Rule::Kind::close, .tolerance = {.abs = 1e-3, .rel = 1e-5}})
        .history();
    return Recorder::current().end_case().size();
}

} // namespace

TEST_CASE("what a call of larger numbers leaves behind shows in the last bit") {
    static float shift;
    shift = 0;
    const auto keeps_a_shift = [](Matrix<const float> in, Matrix<float> out) {
        copied_rows(in, out);
        for (std::size_t r = 0; r < out.rows; ++r)
            for (std::size_t c = 0; c < out.cols; ++c) {
                const float size = std::fabs(out(r, c));
                if (size > 20 && size < 1e3F) shift = std::max(shift, size);
                out(r, c) = (out(r, c) + shift) - shift;
            }
    };
    CHECK(failures_of_copies(copied_rows) == 0);
    CHECK(failures_of_copies(keeps_a_shift) > 0);
}

TEST_CASE("a way that the first call allows, and later ones do not, shows") {
    const auto failures = [](Copies subject) {
        by_vectors.reset();
        Recorder::current().begin_case("a case");
        adverse_copies(subject).gaps();
        return Recorder::current().end_case().size();
    };
    CHECK(failures(copied_as_each_allows) == 0);
    CHECK(failures(copied_as_at_first) > 0);
}

TEST_CASE("a result that may be off from the reference's is that of an equal call all the same") {
    using Total = double (*)(Matrix<const float>);
    const Total total = [](Matrix<const float> table) {
        double sum = 0;
        for (std::size_t i = 0; i < table.rows * table.cols; ++i)
            sum += table.row(i / table.cols)[i % table.cols];
        return sum;
    };
    const Total aligned = [](Matrix<const float> table) {
        double sum = reinterpret_cast<std::uintptr_t>(table.data) % 16 == 4 ? 1e-9 : 0;
        for (std::size_t i = 0; i < table.rows * table.cols; ++i)
            sum += table.row(i / table.cols)[i % table.cols];
        return sum;
    };
    const auto findings_of = [&](Total subject) {
        Recorder::current().begin_case("a case");
        Adverse("total", subject, total, {{.name = "V", .ordinary = 6}, {.name = "C", .ordinary = 3}},
                matrix_in("table", "V", "C", {normal(), {}}))
            .result([](double got, double want) { expect_near("the total", got, want, 1e-6); })
            .history();
        return Recorder::current().end_case();
    };
    CHECK(findings_of(total).empty());
    const std::vector<Finding> found = findings_of(aligned);
    REQUIRE(found.size() == 1);
    CHECK(found.front().context.find("views elsewhere") != std::string::npos);
}

TEST_CASE("a function of the suite that makes one call has it made again, as the submission's own have") {
    static int calls = 0;
    const auto calls_of_history = [](bool one_call) {
        auto function = adverse([](Matrix<const float> table, Ids ids, Matrix<float> out) {
            ++calls;
            return lookup(table, ids, out);
        });
        if (one_call) function.one_call();
        calls = 0;
        Recorder::current().begin_case("a case");
        Recorder::current().be_thorough(true);
        function.history();
        CHECK(Recorder::current().end_case().empty());
        return calls;
    };
    // Twice thousands of calls, of which the worker's own are not counted here, and one after them.
    CHECK(calls_of_history(true) == calls_of_history(false) + 4);
}
