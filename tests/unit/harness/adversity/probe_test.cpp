#include "harness/adversity/probe.h"

#include "lookup_programs.h"

#include <set>

using namespace lookup_programs;

namespace {

/// The calls of a probe that `findings` has added, and how many of them failed.
struct Counted {
    std::uint64_t calls, failed;

    bool operator==(const Counted&) const = default;
};

Counted counted(Probe probe) {
    const auto& probes = Recorder::current().probes();
    const auto found = probes.find(probe);
    return found == probes.end() ? Counted{} : Counted{found->second.calls, found->second.failed};
}

Counted counted(Lookup program, Circumstance circumstance, Probe probe, bool thorough = false) {
    const Counted before = counted(probe);
    findings(program, circumstance, thorough);
    const Counted after = counted(probe);
    return {after.calls - before.calls, after.failed - before.failed};
}

struct Watched {
    Watched() { Recorder::current().allow_long_calls(false); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    ~Watched() { Recorder::current().allow_long_calls(true); }
};

/// Wrong only where the rows of the table lie apart.
Status ignores_stride(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return lookup({table.data, table.rows, table.cols, table.cols}, ids, out);
}

} // namespace

TEST_CASE("each probe has a name of its own and a sentence") {
    std::set<std::string_view> names;
    for (int probe = 0; probe <= static_cast<int>(Probe::above_32_bits); ++probe) {
        const ProbeRow& row = row_of(Probe(probe));
        CHECK(row.probe == Probe(probe));
        CHECK_FALSE(row.name.empty());
        CHECK_FALSE(row.sentence.empty());
        names.insert(row.name);
    }
    CHECK(names.size() == static_cast<std::size_t>(Probe::above_32_bits) + 1);
}

TEST_CASE("the calls of a probe are counted, and those that fail") {
    const Counted right = counted(lookup, Circumstance::gaps, Probe::one_gap);
    CHECK(right.calls > 0);
    CHECK(right.failed == 0);
    const Counted wrong = counted(ignores_stride, Circumstance::gaps, Probe::one_gap);
    CHECK(wrong.calls == right.calls);
    CHECK(wrong.failed > 0);
    CHECK(wrong.failed < wrong.calls); // the gaps of `out` do no harm
    CHECK(counted(ignores_stride, Circumstance::sizes, Probe::size).failed == 0);
}

TEST_CASE("a probe's calls are made in the runs that its row names") {
    CHECK(counted(lookup, Circumstance::sizes, Probe::long_and_narrow).calls == 0); // thorough
    CHECK(counted(lookup, Circumstance::sizes, Probe::long_and_narrow, true).calls > 0);
    CHECK(counted(lookup, Circumstance::sizes, Probe::two_large).calls > 0); // watched thoroughly
    const Watched watched;
    CHECK(counted(lookup, Circumstance::sizes, Probe::size).calls > 0); // always
    CHECK(counted(lookup, Circumstance::sizes, Probe::two_large).calls == 0);
    CHECK(counted(lookup, Circumstance::sizes, Probe::two_large, true).calls > 0);
}
