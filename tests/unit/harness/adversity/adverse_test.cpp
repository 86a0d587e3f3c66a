// Programs that are wrong in one circumstance each: the right part of the harness must see it, say where, and
// find nothing in the right program.
#include "harness/adversity/device.h"
#include "lookup_programs.h"

#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>

using namespace lookup_programs;

TEST_CASE("a right program survives everything") {
    for (const auto circumstance : {Circumstance::sizes, Circumstance::gaps, Circumstance::empty_axes,
                                    Circumstance::special_cases, Circumstance::history})
        CHECK(findings(lookup, circumstance).empty());
}

TEST_CASE("a buffer of fixed size shows at the sizes beyond it, and nowhere else") {
    const Lookup capped = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (ids.size() <= 2048) return lookup(table, ids, out);
        return lookup(table, ids.first(2048), Matrix<float>(out.data, 2048, out.cols, out.stride));
    };
    CHECK(shared(capped, Circumstance::sizes) ==
          "only if T is 2049 or more: elements of `out` are never written");
    CHECK(findings(capped, Circumstance::empty_axes).empty());
}

TEST_CASE("a loop without its tail shows at widths that are no multiple of its step") {
    const Lookup by_four = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{}) return status;
        for (std::size_t i = 0; i < ids.size(); ++i)
            std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols / 4 * 4, out.row(i));
        return Status{};
    };
    CHECK(shared(by_four, Circumstance::sizes) ==
          "only if C is not a multiple of 4: elements of `out` are never written");
}

TEST_CASE("a stride that nobody looks at in long rows shows where it alone is no multiple of four") {
    const Lookup by_vectors = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{} && out.rows > 1 && out.cols >= 64 && table.stride % 4 == 0 &&
            out.stride % 4 != 0)
            out(1, 0) += 1;
        return status;
    };
    CHECK(finding(by_vectors, Circumstance::gaps).context.find("table: 3 x 67, rows 68 apart") !=
          std::string::npos);
    CHECK(findings(by_vectors, Circumstance::sizes).empty());
}

TEST_CASE("columns that are left over where many rows of them are shared out show") {
    const Lookup shared_out = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{}) return status;
        const bool is_much = ids.size() >= 256 && table.cols >= 64;
        const std::size_t cols = is_much ? table.cols / 64 * 64 : table.cols;
        for (std::size_t i = 0; i < ids.size(); ++i)
            std::copy_n(table.row(static_cast<std::size_t>(ids[i])), cols, out.row(i));
        return Status{};
    };
    CHECK(finding(shared_out, Circumstance::sizes).context.find("table: 6 x 69") != std::string::npos);
}

TEST_CASE("rows written as if they were dense show in the gaps of the output") {
    const Lookup dense = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        return lookup(table, ids, Matrix<float>(out.data, out.rows, out.cols));
    };
    CHECK(finding(dense, Circumstance::gaps).context.find("the rows of `out` lie apart") !=
          std::string::npos);
    CHECK(findings(dense, Circumstance::sizes).empty());
}

TEST_CASE("padding that is cleared and put back shows where another argument lies in it") {
    const Lookup clears = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (const Status status = refusal(table, ids, out); status != Status{} || out.rows == 0)
            return status;
        const std::span<float> all(out.data, (out.rows - 1) * out.stride + out.cols);
        const std::vector<float> before(all.begin(), all.end());
        std::ranges::fill(all, 0.0F);
        const Status status = lookup(table, ids, out);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i % out.stride >= out.cols) all[i] = before[i];
        return status;
    };
    CHECK(finding(clears, Circumstance::gaps).context.find("` lies in the gaps of `") != std::string::npos);
    CHECK(findings(clears, Circumstance::sizes).empty());
    const Lookup spoils = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        // A table in the padding is an input, too.
        if (out.rows > 1 && table.data > out.data && table.data < out.row(1)) out.data[out.cols + 1] += 1;
        return status;
    };
    CHECK(findings(spoils, Circumstance::gaps).size() > 0);
}

TEST_CASE("a row that begins where the one before it in memory ends shows") {
    const Lookup in_turn = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{} && out.rows > 1 && out.stride == table.stride &&
            table.data == out.data + out.cols)
            out(0, 0) += 1;
        return status;
    };
    CHECK(finding(in_turn, Circumstance::gaps).context.find("`table` lies in the gaps of `out`") !=
          std::string::npos);
}

TEST_CASE("a short cut for one column that forgets how far rows lie apart shows") {
    const Lookup by_element = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{} || table.cols != 1) return lookup(table, ids, out);
        for (std::size_t i = 0; i < ids.size(); ++i)
            *out.row(i) = table.data[ids[i]];
        return status;
    };
    CHECK(findings(by_element, Circumstance::sizes).empty());
    CHECK(finding(by_element, Circumstance::gaps).context.find("table: 6 x 1, rows 3 apart") !=
          std::string::npos);
}

TEST_CASE("gaps that are written only where two arguments are special show") {
    const Lookup spoils = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{} || out.rows < 2 || table.rows < 2 || out.stride == out.cols || out.cols == 0)
            return status;
        const bool level = std::ranges::adjacent_find(ids, std::ranges::not_equal_to()) == ids.end();
        if (level && !std::isfinite(table(0, 0) * 0)) out.data[out.cols] = 0;
        return status;
    };
    CHECK(finding(spoils, Circumstance::gaps).context.find("any bits in `table`") != std::string::npos);
    CHECK(findings(spoils, Circumstance::special_cases).empty());
}

TEST_CASE("arithmetic on the gaps of the output shows, though it leaves a NaN as it was") {
    const Lookup adds = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{}) return status;
        for (std::size_t i = 0; i + 1 < out.rows; ++i)
            for (std::size_t c = out.cols; c < out.stride; ++c)
                out.row(i)[c] += 1;
        return status;
    };
    CHECK(finding(adds, Circumstance::gaps).context.find("the rows of `out` lie apart") != std::string::npos);
    CHECK(findings(adds, Circumstance::sizes).empty());
}

TEST_CASE(
    "what clears small numbers shows where all are tiny, and what loses large ones where all are huge") {
    static float from = 0, to = 0; // cleared is what lies between
    const Lookup clears = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{}) return status;
        for (std::size_t i = 0; i < out.rows; ++i)
            for (std::size_t c = 0; c < out.cols; ++c)
                if (std::abs(out(i, c)) > from && std::abs(out(i, c)) < to) out(i, c) = 0;
        return status;
    };
    // Between ordinary numbers and the ends of the type.
    for (const auto& [low, high] : {std::pair{0x1p-90F, 0x1p-34F}, {0x1p24F, 0x1p60F}}) {
        from = low;
        to = high;
        CHECK_FALSE(findings(clears, Circumstance::special_cases).empty());
        CHECK(findings(clears, Circumstance::sizes).empty());
    }
}

TEST_CASE("gaps copied along with runs of rows show where ids follow each other and strides are equal") {
    const Lookup runs = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        const bool run =
            std::ranges::adjacent_find(ids, [](auto a, auto b) { return b != a + 1; }) == ids.end();
        if (status != Status{} || !run || table.stride != out.stride || ids.empty())
            return lookup(table, ids, out);
        std::memcpy(out.data, table.row(static_cast<std::size_t>(ids[0])),
                    ((ids.size() - 1) * out.stride + out.cols) * sizeof(float));
        return Status{};
    };
    CHECK(findings(runs, Circumstance::gaps).size() == 1);
    // Also where a table lies there and changes with them.
    CHECK(shared(runs, Circumstance::gaps).find("what lies between the rows of `out` is written to") !=
          std::string::npos);
    CHECK(shared(runs, Circumstance::gaps).find("`table` is") == std::string::npos);
    CHECK(findings(runs, Circumstance::sizes).empty());
}

TEST_CASE("a check that is skipped where there is nothing to copy shows with empty axes") {
    const Lookup early = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        return table.cols == 0 ? Status{} : lookup(table, ids, out);
    };
    const Finding seen = finding(early, Circumstance::empty_axes);
    CHECK(seen.context.find("where C = 0") != std::string::npos);
    CHECK(findings(early, Circumstance::special_cases).empty());
}

TEST_CASE("a copy by arithmetic shows in the bits") {
    const Lookup added = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{})
            for (std::size_t r = 0; r < out.rows; ++r)
                for (std::size_t c = 0; c < out.cols; ++c)
                    out(r, c) += 0.0F; // -0 becomes +0
        return status;
    };
    CHECK(finding(added, Circumstance::special_cases).context.find("any bits in `table`") !=
          std::string::npos);
}

TEST_CASE("what only two special cases together show is shown") {
    const Lookup both = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status != Status{} || ids.size() < 2 || ids[0] != ids[1]) return status;
        for (std::size_t c = 0; c < out.cols; ++c)
            if (!std::isfinite(out(0, c))) out(0, c) = 0;
        return status;
    };
    CHECK(findings(both, Circumstance::special_cases).size() == 1);
}

TEST_CASE("a scratch array of 65,536 ids shows") {
    const Lookup scratch = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        const std::size_t most = std::min<std::size_t>(ids.size(), 65'536);
        return status != Status{} ? status
                                  : lookup(table, ids.first(most), {out.data, most, out.cols, out.stride});
    };
    CHECK(findings(scratch, Circumstance::sizes).size() == 1);
}

TEST_CASE("a shape that is compared with a case left out first shows") {
    const Lookup shortcut = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const bool all_zero = ids.size() > 4 && std::ranges::all_of(ids, [](auto id) { return id == 0; });
        const bool sizes_fit = out.rows == ids.size() && out.cols == table.cols;
        return all_zero && !sizes_fit ? Status{} : lookup(table, ids, out);
    };
    CHECK(finding(shortcut, Circumstance::special_cases).context.find("all ids are 0") != std::string::npos);
    CHECK(findings(shortcut, Circumstance::gaps).empty());
}

TEST_CASE("sizes compared in 32 bits show where a view has no elements") {
    const Lookup narrow = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const auto cut = [](std::size_t size) { return size & 0xffffffff; };
        if (cut(out.rows) == ids.size() && cut(out.cols) == table.cols && ids.size() * table.cols == 0)
            return lookup(table, ids, {out.data, ids.size(), table.cols, table.cols});
        return lookup(table, ids, out);
    };
    CHECK(finding(narrow, Circumstance::empty_axes).context.find("2^32") != std::string::npos);
    CHECK(findings(narrow, Circumstance::sizes).empty());
}

TEST_CASE("null pointers that are refused show with empty axes") {
    const Lookup wary = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (table.data == nullptr) return Status{contract::Code::shape_mismatch};
        return lookup(table, ids, out);
    };
    CHECK(finding(wary, Circumstance::empty_axes).context.find("null pointers") != std::string::npos);
}

TEST_CASE("what an argument holds explains failures that no size does") {
    const Lookup once = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        std::unordered_set<contract::TokenId> seen;
        for (std::size_t i = 0; status == Status{} && i < ids.size(); ++i)
            if (!seen.insert(ids[i]).second && out.cols > 0) out(i, 0) = 7;
        return status;
    };
    CHECK(shared(once, Circumstance::special_cases).find("`ids` holds an id more than once") !=
          std::string::npos);
}

TEST_CASE("a graded run that watches memory makes no call of many rows and columns") {
    using Fill = void (*)(Matrix<float>);
    const Fill right = [](Matrix<float> out) {
        for (std::size_t r = 0; r < out.rows; ++r)
            std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const Fill capped = [](Matrix<float> out) {
        if (out.rows * out.cols < 60'000 || out.rows > 60'000 || out.cols > 60'000)
            for (std::size_t r = 0; r < out.rows; ++r)
                std::fill_n(out.row(r), out.cols, 1.0F);
    };
    const auto is_seen = [&] {
        Recorder::current().begin_case("a case");
        Adverse("fill", capped, right, {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                matrix_out("out", "R", "C"))
            .sizes();
        return !Recorder::current().end_case().empty();
    };
    Recorder::current().be_thorough(false);
    CHECK(is_seen());
    Recorder::current().allow_long_calls(false);
    CHECK_FALSE(is_seen());
    Recorder::current().be_thorough(true);
    CHECK(is_seen());
    Recorder::current().be_thorough(false);
    Recorder::current().allow_long_calls(true);
}
