// Programs that refuse the wrong calls, or too late, and what an author leaves out.
#include "lookup_programs.h"

#include <algorithm>
#include <vector>

using namespace lookup_programs;

TEST_CASE("the order of two refusals shows") {
    const Lookup ids_first = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, {out.data, ids.size(), table.cols, out.stride});
        return status != Status{} ? status : lookup(table, ids, out);
    };
    CHECK_FALSE(findings(ids_first, Circumstance::special_cases).empty());
}

TEST_CASE("a refusal that is found after the first thousand rows are written shows") {
    const Lookup windows = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (ids.size() <= 1'000 || out.rows != ids.size()) return lookup(table, ids, out);
        const Status first = lookup(table, ids.first(1'000), {out.data, 1'000, out.cols, out.stride});
        const Status all = refusal(table, ids, out);
        return first != Status{} || all != Status{} ? all : lookup(table, ids, out);
    };
    CHECK(findings(windows, Circumstance::special_cases).size() == 1);
    CHECK(shared(windows, Circumstance::special_cases)
              .ends_with("a call that has to be refused writes to an output"));
}

TEST_CASE("the place of a bad id kept in 16 bits shows") {
    const Lookup narrow = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        Status status = lookup(table, ids, out);
        if (status.code == Code::id_out_of_range) status.where &= 0xffff;
        return status;
    };
    CHECK(findings(narrow, Circumstance::special_cases).size() == 1);
    CHECK(findings(narrow, Circumstance::sizes).empty());
}

TEST_CASE("the bad id that one of four threads finds first shows, where it is not the first") {
    const Lookup shared_out = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status.code != Code::id_out_of_range || ids.size() < 100'000) return status;
        const std::size_t part = (ids.size() + 3) / 4;
        std::size_t found = status.where;
        for (std::size_t i = found; i < ids.size(); ++i) // threads of one pace
            if (i % part < found % part && static_cast<std::size_t>(ids[i]) >= table.rows) found = i;
        return Status::id_out_of_range(found, ids[found], table.rows);
    };
    CHECK(finding(shared_out, Circumstance::special_cases).context.find("from a fifth of them on") !=
          std::string::npos);
}

TEST_CASE("what one of four threads writes before another one finds the bad id shows") {
    const Lookup shared_out = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (ids.size() < 500'000) return lookup(table, ids, out);
        const std::size_t part = (ids.size() + 3) / 4;
        Status first;
        for (std::size_t begin = 0; begin < ids.size(); begin += part) {
            const std::size_t count = std::min(part, ids.size() - begin);
            const Status status =
                lookup(table, ids.subspan(begin, count),
                       {out.row(begin), std::min(count, out.rows - begin), out.cols, out.stride});
            if (status != Status{} && first == Status{}) first = refusal(table, ids, out);
        }
        return first;
    };
    CHECK(finding(shared_out, Circumstance::special_cases).context.find("the last id is -1") !=
          std::string::npos);
}

TEST_CASE("two special cases are left out together where an author says so") {
    const auto add = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    static bool both;
    both = false;
    const auto sees_both = [](std::uint64_t a, std::uint64_t b) {
        both = both || (a > 100 && b > 100);
        return a + b;
    };
    const auto count = [](const char* name) {
        return value<std::uint64_t>(
            name,
            [](const Extents&, Random&) {
                return Named<std::uint64_t>{"3", 3};
            },
            [](const Extents&) {
                return std::vector<Named<std::uint64_t>>{{"2^32", 1ULL << 32}, {"2^53", 1ULL << 53}};
            });
    };
    using Sum = std::uint64_t (*)(std::uint64_t, std::uint64_t);
    Recorder::current().begin_case("a case");
    Adverse sum("sum", Sum{sees_both}, Sum{add}, {}, count("a"), count("b"));
    sum.special_cases();
    CHECK(both);
    both = false;
    sum.without(Adversity::two_specials, "", "their product has to fit into 64 bits");
    sum.special_cases();
    CHECK(!both);
    Recorder::current().end_case();
}

TEST_CASE("a refusal that is forgotten where rows lie apart shows") {
    const Lookup apart = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        return table.stride != table.cols && status.code == Code::id_out_of_range ? Status{} : status;
    };
    CHECK(finding(apart, Circumstance::gaps).context.find("the rows of `table` lie apart") !=
          std::string::npos);
    CHECK(findings(apart, Circumstance::special_cases).empty());
}
