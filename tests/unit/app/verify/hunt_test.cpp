#include "app/verify/hunt.h"

#include <doctest/doctest.h>

namespace {

using Fate = verify::Hunt::Fate;

/// `f` with the mutants "+ -> -" and "dropped: …" of its two lines.
verify::Hunt example() {
    verify::Hunt hunt;
    hunt.files = {"twice.cpp"};
    hunt.sources = {"int f(int a, int b) {\n    a += b;\n    return a + b;\n}\n"};
    hunt.all = verify::candidates(hunt.sources);
    hunt.fates.assign(hunt.all.size(), Fate::killed);
    return hunt;
}

std::size_t find(const verify::Hunt& hunt, const std::string& mutation) {
    for (std::size_t k = 0; k < hunt.all.size(); ++k)
        if (hunt.all[k].mutant.mutation == mutation) return k;
    FAIL("no such mutant");
    return 0;
}

model::Problem twice() {
    model::Problem problem;
    problem.id = "twice";
    return problem;
}

const verify::Equivalent excuse{"twice.cpp", 3, "return a + b;", "+ -> -", "because"};

} // namespace

TEST_CASE("a hunt whose mutants are all killed has no gap") {
    const verify::Hunt hunt = example();
    CHECK(verify::gaps(hunt, twice()).empty());
    CHECK(verify::score(hunt) == "mutation score 4 of 4 killed");
}

TEST_CASE("a survivor is a gap with its place; what did not compile does not count") {
    verify::Hunt hunt = example();
    hunt.fates[find(hunt, "+ -> -")] = Fate::survived;
    hunt.fates[find(hunt, "+= -> =")] = Fate::not_compiled;
    const auto gaps = verify::gaps(hunt, twice());
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0] == "survivor reference/twice/twice.cpp:3: + -> -\n"
                     "       return a + b;\n"
                     "    -> return a - b;");
    CHECK(verify::score(hunt) == "mutation score 2 of 3 killed");
}

TEST_CASE("a mark excuses its survivor, and is stale once a test kills it or it is gone") {
    verify::Hunt hunt = example();
    hunt.marks = {excuse};
    REQUIRE(verify::gaps(hunt, twice()).size() == 1);
    CHECK(
        verify::gaps(hunt, twice())[0] ==
        "problems/twice/equivalent.json: mark 1 is stale: a test kills this mutant (+ -> -: return a + b;)");
    hunt.fates[find(hunt, "+ -> -")] = Fate::survived;
    CHECK(verify::gaps(hunt, twice()).empty());
    hunt.fates[find(hunt, "+ -> -")] = Fate::timed_out; // which says nothing about what it computes
    CHECK(verify::gaps(hunt, twice()).empty());
    CHECK(verify::score(hunt) == "mutation score 4 of 4 killed, 1 marked equivalent");
    hunt.fates[find(hunt, "+ -> -")] = Fate::survived;
    hunt.marks[0].original = "return b + a;";
    CHECK(verify::gaps(hunt, twice()).size() == 2); // a survivor without a mark, and a mark without a mutant
}

TEST_CASE("parts hold every mutant once") {
    verify::Hunt hunt = example();
    for (int i = 0; i < 8; ++i)
        hunt.all.insert(hunt.all.end(), hunt.all.begin(), hunt.all.end());
    std::vector<int> seen(hunt.all.size());
    const auto parts = verify::parts(hunt);
    CHECK(parts.size() > 1);
    for (const verify::HuntPart& part : parts)
        for (const std::size_t k : part.which)
            ++seen[k];
    CHECK(seen == std::vector<int>(hunt.all.size(), 1));
}
