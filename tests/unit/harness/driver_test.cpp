// A real driver with a real worker, run by the supervisor: what doctest and the proxies see becomes events.
#include "fixture_run.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace events;

namespace {

/// Runs one case, and returns how it ended.
CaseEnded run_one(const std::string& name) {
    const std::vector<CaseEnded> cases = ended(run({name}));
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].name == name);
    return cases[0];
}

Finding only_finding(const std::string& name) {
    const CaseEnded one = run_one(name);
    REQUIRE(one.findings.size() == 1);
    return one.findings[0];
}

} // namespace

TEST_CASE("a name with commas, wildcards, quotes or backslashes runs exactly its test") {
    for (const std::string name : {"a, b", "a", " b", "star*", "star and more", "*", "what?", "whats",
                                   "the \"quoted\" back\\slash\\", "A"})
        CHECK(only_finding(name).text == "does not hold: " + name + " ran");
}

TEST_CASE("the cases asked for run in the order of the suite, and the others do not") {
    const DriverRun result = run({"right", "whats", "a", "a, b", "a", "no such test"});
    std::vector<std::string> names;
    for (const CaseEnded& one : ended(result))
        names.push_back(one.name);
    CHECK(names == std::vector<std::string>{"a, b", "a", "whats", "right"});
    const auto* cases = std::get_if<CasesEvent>(&result.events.front());
    REQUIRE(cases);
    CHECK(cases->names.size() == 51);
    CHECK(cases->names.front() == "a, b");
}

TEST_CASE("a timed case is no test: it runs where it is asked for, and then alone") {
    CHECK(ended(run({"measured"})).empty());
    const sys::Fd worker(open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC));
    supervisor::DriverJob job;
    job.driver = FIXTURE_DRIVER;
    job.worker_fd = worker.get();
    job.request.timed = true;
    const DriverRun result = supervisor::run_driver(job);
    CHECK(std::get_if<CasesEvent>(&result.events.front())->names == std::vector<std::string>{"measured"});
    const std::vector<CaseEnded> cases = ended(result);
    REQUIRE(cases.size() == 1);
    CHECK(cases[0].findings.empty());
    CHECK(cases[0].measured == "add");
    CHECK(cases[0].minimum_traffic == 10); // without a GPU: one call, at the small size
    CHECK(cases[0].times_us.empty());
}

TEST_CASE("a right answer has no findings") {
    CHECK(run_one("right").findings.empty());
}

TEST_CASE("a lost call fails its case, even swallowed or expected") {
    Finding finding = only_finding("a lost call is swallowed");
    CHECK(finding.kind == Finding::Kind::died);
    CHECK(finding.function == "exit_with");
    finding = only_finding("any exception is expected of a lost call");
    CHECK(finding.kind == Finding::Kind::died);
    CHECK(finding.fate == model::Fate::signalled);
    finding = only_finding("a loss in the middle, and calls after it");
    CHECK(finding.kind == Finding::Kind::not_implemented);
    CHECK(finding.function == "say_not_implemented");
}

TEST_CASE("an exception of the suite's own is its own fault") {
    Finding finding = only_finding("the suite throws");
    CHECK(finding.kind == Finding::Kind::broken_suite);
    CHECK(finding.text == "the suite's own mistake");
    CHECK(only_finding("the suite throws an int").kind == Finding::Kind::broken_suite);
}

TEST_CASE("an exception of the submission's fails its case unless it is expected") {
    const Finding finding = only_finding("the submission throws");
    CHECK(finding.kind == Finding::Kind::threw);
    CHECK(finding.type == "std::invalid_argument");
    CHECK(finding.text == "too few rows");
    CHECK(run_one("the submission's exception is expected").findings.empty());
}

TEST_CASE("doctest's own claims become findings with their values and context") {
    const CaseEnded checks = run_one("a check fails");
    REQUIRE(checks.findings.size() == 2);
    CHECK(checks.findings[0].kind == Finding::Kind::assertion);
    CHECK(checks.findings[0].text == "does not hold: row == 4; values: 3 == 4");
    CHECK(checks.findings[0].context == "row := 3");
    CHECK(only_finding("a requirement fails").text == "does not hold: 1 == 2; values: 1 == 2");
    CHECK(run_one("a warning is no failure").findings.empty());
    CHECK(only_finding("one subcase of two fails").kind == Finding::Kind::assertion);
}

TEST_CASE("what was printed comes with the case, last words included") {
    CHECK(run_one("one subcase of two fails").output == "abab");
    CHECK(run_one("prints and dies").output == "abc");
    CHECK(run_one("right").output.empty());
}

TEST_CASE("a hunted mutant ends with the first test that it fails, or with none") {
    const auto hunt = [](const std::vector<std::string>& tests) {
        const DriverRun result = run(tests, {"", ""}); // the fixture's only table has no name
        CHECK(ended(result).empty());
        std::vector<std::string> killers;
        for (const Event& event : result.events)
            if (const auto* mutant = std::get_if<MutantEnded>(&event)) killers.push_back(mutant->killed_by);
        return killers;
    };
    CHECK(hunt({"right"}) == std::vector<std::string>{"", ""});
    // The first is the program as it was: what fails that says nothing of its mutants.
    CHECK(hunt({"right", "whats", "a"}) == std::vector<std::string>{"whats"});
    // Nor do tests for which even that needs too much time or memory.
    CHECK(hunt({"right", "runs out of time", "runs out of memory"}) == std::vector<std::string>{"", ""});
}

TEST_CASE("large cases are left out where that is asked for, and nothing of them is judged") {
    const sys::Fd worker(open(FIXTURE_WORKER, O_RDONLY | O_CLOEXEC));
    supervisor::DriverJob job;
    job.driver = FIXTURE_DRIVER;
    job.worker_fd = worker.get();
    job.request.tests = {"right", "dies at length"};
    CHECK(ended(supervisor::run_driver(job)).size() == 2);
    for (const bool without : {false, true}) {
        job.request.without_large = without;
        for (const CaseEnded& each : ended(supervisor::run_driver(job))) {
            const bool large = each.name == "dies at length";
            CHECK(each.left_out == (large && without));
            CHECK(each.findings.empty() == (!large || without));
        }
    }
}

namespace {

using Names = std::vector<std::string>;

std::vector<MistakeMatched> matches(const Names& cases, const std::vector<Suspect>& mistakes) {
    std::vector<MistakeMatched> found;
    for (const Event& event : run(cases, {}, mistakes).events)
        if (const auto* match = std::get_if<MistakeMatched>(&event)) found.push_back(*match);
    return found;
}

const std::string four = "one and two are four";
const std::string nine = "seven and one are nine";
const std::string eight = "seven and one are eight";
const std::string large_four = "one and one are four, at length";

} // namespace

TEST_CASE("a mistake matches the cases that it fails as the submission does") {
    const Suspect adds{"adds", {four, nine}, {}};
    const std::vector<MistakeMatched> found = matches({four, nine, "right"}, {adds});
    REQUIRE(found.size() == 1);
    CHECK(found[0].mistake == "adds");
    CHECK(found[0].tests == Names{four});
    CHECK(found[0].fails.empty());
    // What explains everything leaves no space for what explains a part.
    const std::vector<MistakeMatched> whole = matches({four, nine}, {adds, {"same", {four, nine}, {}}});
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].mistake == "same");
    CHECK(std::ranges::is_permutation(whole[0].tests, Names{four, nine}));
    CHECK(matches({four, nine}, {}).empty());
}

TEST_CASE("a mistake matches no case that it never fails, and passes none off as alike") {
    CHECK(matches({four}, {{"same", {nine}, {}}}).empty());
    CHECK(matches({nine}, {{"adds", {nine}, {}}}).empty());
}

TEST_CASE("of the tests that a mistake fails with some seeds, those are told that it fails with this one") {
    const Suspect adds{"adds", {four}, {nine, eight, "right"}};
    CHECK(matches({four, nine, eight, "right"}, {adds}).at(0).fails == Names{eight});
    CHECK(matches({four}, {adds}).at(0).fails.empty()); // the submission was not seen in others
}

TEST_CASE("a large case is worth its time only for a mistake that explains another one, or alone") {
    CHECK(matches({nine, large_four}, {{"adds", {nine, large_four}, {}}}).empty());
    const std::vector<MistakeMatched> found =
        matches({four, nine, large_four}, {{"adds", {four, nine, large_four}, {}}});
    REQUIRE(found.size() == 1);
    CHECK(std::ranges::is_permutation(found[0].tests, Names{four, large_four}));
    CHECK(matches({large_four}, {{"adds", {large_four}, {}}}).size() == 1);
}

TEST_CASE("where a call is lost, or a function is left out, nothing matches") {
    for (const std::string name :
         {"a lost call is swallowed", "prints and dies", "a loss in the middle, and calls after it"})
        CHECK(matches({name}, {{"same", {name}, {}}}).empty());
}

TEST_CASE("that both say nothing is no evidence, unless they do so in several cases") {
    const std::string nothing = "half of nothing is one";
    CHECK(matches({nothing}, {{"same", {nothing}, {}}}).empty());
    CHECK(matches({nothing, four}, {{"same", {nothing, four}, {}}}).size() == 1);
}

TEST_CASE("a sweep tells how each test went with each seed, and stops where more would tell nothing") {
    const sys::Fd mistakes(open(FIXTURE_MISTAKES, O_RDONLY | O_CLOEXEC));
    supervisor::DriverJob job;
    job.driver = FIXTURE_DRIVER;
    job.worker_fd = mistakes.get();
    const std::vector<std::string> tests{"right",
                                         "a lost call is swallowed",
                                         "fails before the seed is used",
                                         "fails for odd seeds",
                                         "fails for every seed",
                                         "a draw of sizes fails"};
    job.request.sweep = {10, 2, 5, {{"same", tests}, {"adds", {four}}}};
    const DriverRun run = supervisor::run_driver(job);
    CHECK_MESSAGE(run.complete, run.trouble);
    CHECK(ended(run).empty());
    std::vector<std::string> seen;
    for (const Event& event : run.events)
        if (const auto* swept = std::get_if<Swept>(&event)) {
            const Tally& tally = swept->tally;
            seen.push_back(swept->mistake + ": " + swept->test + ": passed " + std::to_string(tally.passed) +
                           ", failed " + std::to_string(tally.failed) + (tally.drew ? ", drew" : ""));
        }
    CHECK(seen == std::vector<std::string>{"same: right: passed 1, failed 0",
                                           "same: a lost call is swallowed: passed 0, failed 1",
                                           "same: fails before the seed is used: passed 0, failed 1",
                                           "same: fails for odd seeds: passed 1, failed 1, drew",
                                           "same: fails for every seed: passed 0, failed 5, drew",
                                           "same: a draw of sizes fails: passed 0, failed 5, drew",
                                           "adds: one and two are four: passed 0, failed 1"});
}

TEST_CASE("what lies far away is found, and numbers of 32 bits where they do not suffice") {
    CHECK(run_one("rows are far away").findings.empty());
    const CaseEnded near = run_one("rows are far away, and distances have 32 bits");
    REQUIRE_FALSE(near.findings.empty());
    CHECK(near.findings[0].context.find("in: 2 x 2, rows 4294967320 apart") != std::string::npos);
    CHECK(run_one("a window begins late").findings.empty());
    const CaseEnded early = run_one("a window begins late, and its start has 32 bits");
    REQUIRE_FALSE(early.findings.empty());
    CHECK(early.findings[0].context.find("start: 4294967299") != std::string::npos);
    CHECK(run_one("a table has many rows").findings.empty());
    const CaseEnded few = run_one("a table has many rows, and their number has 32 bits");
    REQUIRE_FALSE(few.findings.empty());
    CHECK(few.findings[0].context.find("table: 4294967301 x 0") != std::string::npos);
}

TEST_CASE("a mistake that always fails a case which passed matches nothing") {
    CHECK(matches({four}, {{"adds", {four}, {}}}).size() == 1);
    CHECK(matches({four, eight}, {{"adds", {four, eight}, {}}}).empty());
    CHECK(matches({four, eight}, {{"adds", {four}, {eight}}}).size() == 1);
}
