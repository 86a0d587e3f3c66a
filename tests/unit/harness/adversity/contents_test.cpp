// Programs that are wrong for what arguments hold.
#include "lookup_programs.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <vector>

using namespace lookup_programs;

TEST_CASE("what an output holds already does not pass for what it has to hold") {
    const Lookup saves_stores = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{}) return status;
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (std::size_t c = 0; c < out.cols; ++c)
                if (const float value = table(static_cast<std::size_t>(ids[i]), c); out(i, c) != value)
                    out(i, c) = value;
        return status;
    };
    CHECK(finding(saves_stores, Circumstance::special_cases)
              .context.find("outputs hold the negative of what is right") != std::string::npos);
}

TEST_CASE("what the ends of an output hold already does not pass for all of it") {
    const auto says = [](Lookup subject) { return finding(subject, Circumstance::special_cases).context; };
    const Lookup by_row = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{} || out.cols == 0) return status;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const float* row = table.row(static_cast<std::size_t>(ids[i]));
            const bool done = out(i, 0) == row[0] && out(i, out.cols - 1) == row[out.cols - 1];
            if (!done) std::copy_n(row, out.cols, out.row(i));
        }
        return status;
    };
    CHECK(says(by_row).find("hold what is right already") != std::string::npos);
    const Lookup by_ends = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{} || ids.empty()) return status;
        const auto done = [&](std::size_t i) {
            return std::equal(out.row(i), out.row(i) + out.cols, table.row(static_cast<std::size_t>(ids[i])));
        };
        if (out.cols > 0 && ids.size() > 2 && done(0) && done(ids.size() - 1)) return status;
        return lookup(table, ids, out);
    };
    CHECK(says(by_ends).find("hold what is right already") != std::string::npos);
}

TEST_CASE("what is true of all elements but the last does not pass for true of all") {
    const auto says = [](Lookup subject) { return finding(subject, Circumstance::special_cases).context; };
    const Lookup by_groups = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{} || table.cols < 16) return status;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::size_t whole = table.cols - table.cols % 8;
            if (std::all_of(out.row(i), out.row(i) + whole, [&](float x) { return x == out(i, 0); }))
                std::fill_n(out.row(i), out.cols, out(i, 0));
        }
        return status;
    };
    CHECK(says(by_groups).find("all elements of `table` are equal but the last one of each row") !=
          std::string::npos);
    const Lookup by_one_id = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{} || ids.size() < 16) return lookup(table, ids, out);
        const Ids whole = ids.first(ids.size() - ids.size() % 8);
        if (!std::ranges::all_of(whole, [&](contract::TokenId id) { return id == ids[0]; }))
            return lookup(table, ids, out);
        return lookup(table, std::vector<contract::TokenId>(ids.size(), ids[0]), out);
    };
    CHECK(says(by_one_id).find("all elements of `ids` are equal but the last one") != std::string::npos);
}

TEST_CASE("numbers below the normal ones that are taken for zero show") {
    const Lookup flushes = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        const auto is_tiny = [&](std::size_t row) {
            return std::all_of(table.row(row), table.row(row) + table.cols,
                               [](float x) { return std::fabs(x) < 0x1p-126F; });
        };
        if (status != Status{}) return status;
        for (std::size_t i = 0; i < out.rows; ++i)
            if (std::ranges::all_of(std::views::iota(std::size_t{0}, table.rows), is_tiny))
                std::replace_if(
                    out.row(i), out.row(i) + out.cols,
                    [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }, 0.0F);
        return status;
    };
    CHECK(finding(flushes, Circumstance::special_cases).context.find("below the normal ones") !=
          std::string::npos);
}

TEST_CASE("a row of zeros that is left out of a product shows where it meets an infinity") {
    using Product = Status (*)(Matrix<const float>, Matrix<const float>, Matrix<float>);
    const auto product = [](Matrix<const float> a, Matrix<const float> b, Matrix<float> out, bool skips) {
        if (out.rows != a.rows || out.cols != b.cols) return Status{Code::shape_mismatch};
        for (std::size_t n = 0; n < out.rows; ++n)
            for (std::size_t c = 0; c < out.cols; ++c) {
                out(n, c) = 0;
                const auto is_zero = [](float factor) { return factor == 0; };
                if (skips && std::all_of(a.row(n), a.row(n) + a.cols, is_zero)) continue;
                for (std::size_t v = 0; v < a.cols; ++v)
                    out(n, c) += a(n, v) * b(v, c);
            }
        return Status{};
    };
    static const auto multiply = product;
    const Product right = [](Matrix<const float> a, Matrix<const float> b, Matrix<float> out) {
        return multiply(a, b, out, false);
    };
    const Product leaves_out = [](Matrix<const float> a, Matrix<const float> b, Matrix<float> out) {
        return multiply(a, b, out, true);
    };
    const auto failures = [&](Product subject) {
        Recorder::current().begin_case("a case");
        Adverse("product", subject, right,
                {{.name = "N", .ordinary = 5}, {.name = "V", .ordinary = 3}, {.name = "C", .ordinary = 4}},
                matrix_in("a", "N", "V", factors(fractions())),
                matrix_in("b", "V", "C", factors(fractions())), matrix_out("out", "N", "C"))
            .rule("out", {.kind = Rule::Kind::values})
            .special_cases();
        return Recorder::current().end_case().size();
    };
    CHECK(failures(right) == 0);
    CHECK(failures(leaves_out) > 0);
}

TEST_CASE("ids that are kept in too few bits show in a table of just one row more") {
    const Lookup narrow = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (table.rows != 65'537 || refusal(table, ids, out) != Status{}) return lookup(table, ids, out);
        std::vector<contract::TokenId> kept;
        for (const contract::TokenId id : ids)
            kept.push_back(static_cast<std::uint16_t>(id));
        return lookup(table, kept, out);
    };
    CHECK(finding(narrow, Circumstance::sizes).context.find("all ids are the last one") != std::string::npos);
}
