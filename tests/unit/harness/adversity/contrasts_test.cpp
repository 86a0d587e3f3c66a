// Programs that are wrong where one thing alone differs, or one size is unusual.
#include "lookup_programs.h"

#include <cmath>
#include <functional>
#include <vector>

using namespace lookup_programs;

namespace {

void number(float factor, std::uint64_t seed, Matrix<float> out) {
    for (std::size_t r = 0; r < out.rows; ++r)
        for (std::size_t c = 0; c < out.cols; ++c)
            out(r, c) = factor * static_cast<float>((seed + r * out.cols + c) % 1'000);
}
using Numbered = void (*)(float, std::uint64_t, Matrix<float>);

std::size_t failures_of_history(Numbered subject) {
    Recorder::current().begin_case("a case");
    const auto factor = value<float>(
        "factor",
        [](const Extents&, Random&) {
            return Named<float>{"1", 1};
        },
        [](const Extents&) {
            return std::vector<Named<float>>{{"2", 2}, {"3", 3}};
        });
    Adverse("number", subject, &number, {{.name = "V", .ordinary = 3}, {.name = "C", .ordinary = 4}}, factor,
            any_number_64("seed"), matrix_out("out", "V", "C", Checked::nothing))
        .history();
    return Recorder::current().end_case().size();
}

Status repeat_rows(Matrix<const float> rows, contract::Tensor3<float> out) {
    if (out.time != rows.rows || out.channels != rows.cols) return {Code::shape_mismatch};
    for (std::size_t b = 0; b < out.batch; ++b)
        for (std::size_t t = 0; t < out.time; ++t)
            std::copy_n(rows.row(t), out.channels, out.row(b, t));
    return {};
}
using Repeated = Status (*)(Matrix<const float>, contract::Tensor3<float>);

std::size_t failures_in_gaps(Repeated subject) {
    Recorder::current().begin_case("a case");
    Adverse("repeat_rows", subject, &repeat_rows,
            {{.name = "B", .ordinary = 2}, {.name = "T", .ordinary = 3}, {.name = "C", .ordinary = 4}},
            matrix_in("rows", "T", "C"), tensor_out("out", "B", "T", "C", Checked::nothing))
        .gaps();
    return Recorder::current().end_case().size();
}

} // namespace

TEST_CASE("an option that a cache forgets shows where all else stays") {
    static std::vector<float> kept;
    static std::uint64_t of;
    kept.clear();
    const Numbered forgets_the_factor = [](float factor, std::uint64_t seed, Matrix<float> out) {
        if (kept.size() != out.rows * out.cols || of != seed) {
            of = seed;
            kept.resize(out.rows * out.cols);
            number(factor, seed, {kept.data(), out.rows, out.cols, out.cols});
        }
        for (std::size_t r = 0; r < out.rows; ++r)
            std::copy_n(kept.data() + r * out.cols, out.cols, out.row(r));
    };
    CHECK(failures_of_history(forgets_the_factor) > 0);
    CHECK(failures_of_history(number) == 0);
}

TEST_CASE("a dense output within the reach of an input is no overlap") {
    const Repeated refuses = [](Matrix<const float> rows, contract::Tensor3<float> out) {
        const float* const end = rows.data + (rows.rows == 0 ? 0 : (rows.rows - 1) * rows.stride + rows.cols);
        if (std::less_equal<>()(rows.data, out.data) && std::less<>()(out.data, end))
            return Status{Code::invalid_argument};
        return repeat_rows(rows, out);
    };
    CHECK(failures_in_gaps(refuses) > 0);
    CHECK(failures_in_gaps(repeat_rows) == 0);
}

TEST_CASE("tiny numbers that only long calls lose show") {
    const Lookup flushes = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{} || ids.size() < 65'536) return status;
        for (std::size_t i = 0; i < out.rows; ++i)
            for (std::size_t c = 0; c < out.cols; ++c)
                if (std::fpclassify(out(i, c)) == FP_SUBNORMAL) out(i, c) = 0;
        return status;
    };
    CHECK(findings(flushes, Circumstance::special_cases).size() > 0);
    CHECK(findings(flushes, Circumstance::gaps).empty());
}

TEST_CASE("a division by the product with a reciprocal shows, in float and in double") {
    const auto divided = [](auto one) {
        return [](Matrix<const float> table, Ids ids, Matrix<float> out) {
            using Number = decltype(one);
            const Status status = lookup(table, ids, out);
            const auto length = static_cast<Number>(ids.size());
            if (status == Status{} && !ids.empty() && out.cols > 0 && length * (Number{1} / length) < 1)
                out(0, 0) += 1;
            return status;
        };
    };
    CHECK(findings(+divided(1.0F), Circumstance::sizes).size() > 0);
    CHECK(findings(+divided(1.0), Circumstance::sizes).size() > 0);
}

TEST_CASE("a place kept in 16 bits shows where an id comes again just as much later") {
    const Lookup narrow = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{} || ids.size() <= 65'536 || out.cols == 0) return status;
        for (std::size_t i = 65'536; i < ids.size(); ++i)
            if (ids[i] == ids[i - 65'536] && std::ranges::count(ids.subspan(i - 65'536, 65'536), ids[i]) == 1)
                out(i, 0) += 1;
        return status;
    };
    CHECK(finding(narrow, Circumstance::special_cases)
              .context.find("the first id comes again as the last one only") != std::string::npos);
}

TEST_CASE("a distance kept in 16 bits shows where an id comes again later than that") {
    const Lookup narrow = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{}) return status;
        std::vector<std::size_t> last(table.rows, ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto id = static_cast<std::size_t>(ids[i]);
            const auto back = static_cast<std::uint16_t>(i - last[id]);
            std::copy_n(last[id] < i ? out.row(i - back) : table.row(id), table.cols, out.row(i));
            last[id] = i;
        }
        return status;
    };
    CHECK(finding(narrow, Circumstance::special_cases)
              .context.find("the first id comes again as the last one only") != std::string::npos);
    CHECK(findings(narrow, Circumstance::sizes).empty());
}
