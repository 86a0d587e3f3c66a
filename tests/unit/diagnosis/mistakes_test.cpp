#include "diagnosis/mistakes.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace model;

namespace {

/// Three tests, of which `failed` failed, and mistakes of a problem that are filed under certain tests.
struct Setup {
    Problem problem;
    std::vector<TestResult> results;
    std::vector<events::Event> events;

    Setup() {
        for (const char* name : {"a", "b", "c"})
            results.push_back({.name = name, .verdict = Verdict::accepted});
    }
    /// Wrong values in the run whose calls are compared.
    void fail(const std::vector<std::string>& names) { fail(names, events::Finding::Kind::mismatch); }
    void fail(const std::vector<std::string>& names, events::Finding::Kind kind) {
        fail_when_checked(names);
        for (const std::string& name : names)
            events.push_back(events::CaseEnded{name, {{.kind = kind}}, {}, ""});
    }
    /// In the checked build alone.
    void fail_when_checked(const std::vector<std::string>& names) {
        for (TestResult& result : results)
            if (std::ranges::find(names, result.name) != names.end()) result.verdict = Verdict::wrong_answer;
    }
    void mistake(const std::string& name, const std::vector<std::string>& always,
                 const std::vector<std::string>& matched, const std::vector<std::string>& fails = {}) {
        problem.mistakes.push_back(
            {.name = name, .says = "says " + name, .hint = "hint " + name, .always = always});
        events.push_back(events::MistakeMatched{name, matched, fails});
    }
    std::vector<std::string> named() {
        std::vector<std::string> names;
        for (const Diagnosis& diagnosis : diagnosis::name_mistakes(problem, results, events))
            names.push_back(diagnosis.mistake + (diagnosis.certain ? "!" : "?"));
        return names;
    }
};

using Names = std::vector<std::string>;

} // namespace

TEST_CASE_FIXTURE(Setup, "a mistake that explains every failing test is certain") {
    fail({"a", "b"});
    mistake("one", {"a", "b"}, {"a", "b"});
    CHECK(named() == Names{"one!"});
    const Diagnosis diagnosis = diagnosis::name_mistakes(problem, results, events).front();
    CHECK(diagnosis.says == "says one");
    CHECK(diagnosis.hint == "hint one");
    CHECK(diagnosis.tests == Names{"a", "b"});
}

TEST_CASE_FIXTURE(Setup, "one that explains only some of them is not named alone") {
    fail({"a", "b"});
    mistake("one", {"a"}, {"a"});
    CHECK(named().empty());
    mistake("other", {"b"}, {"b"});
    CHECK(named() == Names{"one?", "other?"});
}

TEST_CASE_FIXTURE(Setup, "two that explain their own tests also explain one that both fail") {
    fail({"a", "b", "c"});
    mistake("one", {"a", "c"}, {"a"});
    mistake("other", {"b"}, {"b"});
    CHECK(named().empty()); // c is wrong in another way than the one that fails it
    events.pop_back();
    problem.mistakes.pop_back();
    mistake("other", {"b"}, {"b"}, {"c"});
    CHECK(named() == Names{"one?", "other?"});
}

TEST_CASE_FIXTURE(Setup, "a test that passed rules out what always fails it, and what failed it now") {
    fail({"a"});
    mistake("always", {"a", "b"}, {"a"});
    mistake("now", {"a"}, {"a"}, {"c"});
    CHECK(named().empty());
    mistake("neither", {"a"}, {"a"});
    CHECK(named() == Names{"neither!"});
}

TEST_CASE_FIXTURE(Setup, "a test that is failed only in the checked build rules out nothing without it") {
    fail({"a"});
    mistake("one", {"a", "b"}, {"a"});
    CHECK(named().empty());
    problem.mistakes.back().checked = {"b"};
    CHECK(named() == Names{"one!"});
}

TEST_CASE_FIXTURE(Setup, "a test that ended in a crash gives no name, and takes none from others") {
    fail({"a"}, events::Finding::Kind::died);
    mistake("one", {"a"}, {"a"});
    CHECK(named().empty());
    mistake("two", {"a", "b"}, {"a", "b"});
    fail({"b"});
    CHECK(named() == Names{"two!"});
}

TEST_CASE_FIXTURE(Setup, "a sanitizer's line explains its test, and no name does") {
    fail({"a"});
    mistake("one", {"a"}, {"a"});
    const auto with = [&](const SanitizerFinding& finding) {
        return diagnosis::name_mistakes(problem, results, events, {finding}).size();
    };
    CHECK(with({.kind = std::string("heap-buffer-overflow"), .file = "x.cpp", .line = 3, .test = "a"}) == 0);
    CHECK(with({.kind = std::string("heap-buffer-overflow"), .file = "x.cpp", .line = 3, .test = "b"}) == 1);
    CHECK(with({.kind = std::string("heap-buffer-overflow"), .test = "a"}) == 1); // without a line
}

TEST_CASE_FIXTURE(Setup, "nothing matched: nothing is named") {
    fail({"a"});
    CHECK(named().empty());
    problem.mistakes.push_back({.name = "one", .always = {"a"}});
    CHECK(named().empty());
}

TEST_CASE_FIXTURE(Setup, "no uncertain mistake is named beside a certain one") {
    fail({"a", "b"});
    mistake("some", {"a"}, {"a"});
    mistake("all", {"a", "b"}, {"a", "b"});
    CHECK(named() == Names{"all!"});
}

TEST_CASE_FIXTURE(Setup, "only tests that ran rule a mistake out") {
    results.pop_back(); // c is hidden, say
    fail({"a"});
    mistake("other", {"a", "b"}, {"a"});
    mistake("one", {"a", "c"}, {"a"});
    CHECK(named() == Names{"one!"});
}

TEST_CASE_FIXTURE(Setup,
                  "a test that was skipped is none that a mistake must explain, or could have failed") {
    results[1].verdict = Verdict::skipped;
    results[2].verdict = Verdict::skipped;
    fail({"a"});
    mistake("one", {"a", "c"}, {"a"});
    CHECK(named() == Names{"one!"});
}

TEST_CASE_FIXTURE(Setup, "of the uncertain ones, the more tests it explains the better; at most three") {
    fail({"a", "b", "c"});
    mistake("first", {"a"}, {"a"});
    mistake("two", {"a"}, {"a", "b"});
    mistake("second", {"b"}, {"b"});
    mistake("third", {"c"}, {"c"});
    CHECK(named() == Names{"two?", "first?", "second?"});
}

TEST_CASE_FIXTURE(Setup, "a mistake that the problem does not know is not named") {
    fail({"a"});
    events.push_back(events::MistakeMatched{"stranger", {"a"}, {}});
    CHECK(named().empty());
}

TEST_CASE_FIXTURE(Setup,
                  "a mistake that only the trace shows is named by what was found and which tests failed") {
    fail_when_checked({"a", "b"});
    const std::vector<SanitizerFinding> found{{.kind = model::FindingKind::race_in_block},
                                              {.kind = model::FindingKind::race_in_block}};
    const auto first = [&] {
        const auto list = diagnosis::name_mistakes(problem, results, events, found);
        return list.empty() ? std::string{} : list.front().mistake + (list.front().certain ? "!" : "?");
    };
    problem.mistakes.push_back(
        {.name = "other kind", .always = {"a", "b"}, .finds = {model::FindingKind::out_of_bounds}});
    problem.mistakes.push_back(
        {.name = "other tests", .always = {"a"}, .finds = {model::FindingKind::race_in_block}});
    problem.mistakes.push_back({.name = "no finding", .always = {"a", "b"}});
    CHECK(first().empty());
    problem.mistakes.push_back(
        {.name = "this", .always = {"a", "b"}, .finds = {model::FindingKind::race_in_block}});
    CHECK(first() == "this!");
    // Where calls went wrong, they decide.
    fail({"a"});
    CHECK(first().empty());
}

TEST_CASE_FIXTURE(Setup,
                  "a test that a mistake sometimes fails may fail or pass, one that it always fails must") {
    const std::vector<SanitizerFinding> found{{.kind = model::FindingKind::race_in_block}};
    problem.mistakes.push_back(
        {.name = "this", .always = {"a"}, .sometimes = {"b"}, .finds = {model::FindingKind::race_in_block}});
    const auto is_named = [&] { return !diagnosis::name_mistakes(problem, results, events, found).empty(); };
    fail_when_checked({"b"});
    CHECK_FALSE(is_named());
    fail_when_checked({"a"});
    CHECK(is_named()); // a and b
    results[1].verdict = Verdict::accepted;
    CHECK(is_named()); // a
    fail_when_checked({"c"});
    CHECK_FALSE(is_named()); // a and c
}

TEST_CASE_FIXTURE(Setup, "of two that behave alike, the one whose findings were found comes first") {
    fail({"a"});
    mistake("plain", {"a"}, {"a"});
    mistake("racy", {"a"}, {"a"});
    problem.mistakes.back().finds = {model::FindingKind::race_in_block};
    const auto first = [&](const std::vector<SanitizerFinding>& found) {
        return diagnosis::name_mistakes(problem, results, events, found).front().mistake;
    };
    CHECK(first({{.kind = model::FindingKind::race_in_block}}) == "racy");
    CHECK(first({}) == "plain");
}

TEST_CASE_FIXTURE(
    Setup, "a mistake is certain that explains all calls and fails what failed in the checked build too") {
    fail({"a"});
    fail_when_checked({"b"});
    mistake("both", {"a", "b"}, {"a"});
    mistake("first only", {"a"}, {"a"});
    CHECK(named().front() == "both!");
}
