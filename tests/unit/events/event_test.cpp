#include "events/event.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace events;

namespace {

const std::string hostile = "two\nlines, \"quotes\" \\ \x1b[31m \x01 {\"event\":\"done\"} \xe2\x82\xac";

template <class E>
E round_trip(const E& event) {
    const std::string line = write_event(event);
    CHECK(line.find('\n') == line.size() - 1); // one line, whatever is in it
    const Event read = read_event(line);
    REQUIRE(std::holds_alternative<E>(read));
    return std::get<E>(read);
}

} // namespace

TEST_CASE("the list of cases comes back") {
    CHECK(round_trip(CasesEvent{{"a", hostile, ""}}).names == std::vector<std::string>{"a", hostile, ""});
    CHECK(round_trip(CasesEvent{}).names.empty());
}

TEST_CASE("starts, mistakes and the end come back") {
    CHECK(round_trip(CaseStarted{hostile}).name == hostile);
    const MistakeMatched matched = round_trip(MistakeMatched{"off-by-one", {hostile, "b"}, {"c"}});
    CHECK(matched.mistake == "off-by-one");
    CHECK(matched.tests == std::vector<std::string>{hostile, "b"});
    CHECK(matched.fails == std::vector<std::string>{"c"});
    const FailuresShare share = round_trip(FailuresShare{"lookup", hostile});
    CHECK(share.function == "lookup");
    CHECK(share.says == hostile);
    round_trip(RunEnded{});
}

TEST_CASE("a worker's end comes back, with what it was given and what it showed") {
    const WorkerEnded ended = round_trip(WorkerEnded{{"a", hostile}, {40, 3}, hostile, hostile, true});
    CHECK(ended.cases == std::vector<std::string>{"a", hostile});
    CHECK(ended.control.size == 40);
    CHECK(ended.control.step == 3);
}

TEST_CASE("a mutant's end comes back") {
    const MutantEnded killed = round_trip(MutantEnded{"12", hostile, true});
    CHECK(killed.name == "12");
    CHECK(killed.killed_by == hostile);
    CHECK(killed.timed_out);
    const MutantEnded survived = round_trip(MutantEnded{"unchanged", {}, false});
    CHECK(survived.killed_by.empty());
    CHECK(!survived.timed_out);
}

TEST_CASE("what a sweep saw comes back") {
    const Swept swept = round_trip(Swept{"off-by-one", hostile, {1, 2, ~std::uint64_t{0}, 4, true}});
    CHECK(swept.mistake == "off-by-one");
    CHECK(swept.test == hostile);
    CHECK(swept.tally.passed == 1);
    CHECK(swept.tally.failed == 2);
    CHECK(swept.tally.passed_with == ~std::uint64_t{0});
    CHECK(swept.tally.failed_with == 4);
    CHECK(swept.tally.drew);
}

TEST_CASE("what a suite covers comes back") {
    const Covered covered = round_trip(Covered{"lookup", "table", hostile, true, "tables are dense"});
    CHECK(covered.function == "lookup");
    CHECK(covered.parameter == "table");
    CHECK(covered.circumstance == hostile);
    CHECK(covered.reached);
    CHECK(covered.left_out == "tables are dense");
}

TEST_CASE("what a probe's calls came to comes back") {
    const Probed probed = round_trip(Probed{hostile, 120, 3, std::chrono::microseconds(4'567)});
    CHECK(probed.probe == hostile);
    CHECK(probed.calls == 120);
    CHECK(probed.failed == 3);
    CHECK(probed.duration.count() == 4'567);
}

TEST_CASE("a finished case comes back with all that its findings say") {
    for (int kind = 0; kind <= static_cast<int>(Finding::Kind::broken_suite); ++kind) {
        Finding finding{.kind = static_cast<Finding::Kind>(kind),
                        .function = "lookup",
                        .text = hostile,
                        .type = "std::runtime_error",
                        .fate = model::Fate::signalled,
                        .context = "V = 1",
                        .call_number = 9,
                        .argument = 2,
                        .code = -3,
                        .before = true,
                        .untouched = true,
                        .out_of_time = model::OutOfTime::crowded,
                        .limit_ms = 1LL << 33,
                        .peak_kib = 1ULL << 40};
        finding.mismatch = model::Mismatch{
            hostile, {0, 1ULL << 63}, "1", "2", 0.125, std::numeric_limits<double>::infinity(), 7, 9};
        constexpr double infinity = std::numeric_limits<double>::infinity();
        finding.mismatch->sample = model::Sample{40,
                                                 8,
                                                 1,
                                                 4,
                                                 {1, NAN, infinity, 0},
                                                 {-0.1, 2, -infinity, 0},
                                                 {false, false, false, true},
                                                 {false, false, false, true}};
        const CaseEnded ended =
            round_trip(CaseEnded{hostile, {finding, finding}, std::chrono::microseconds(12345), hostile});
        CHECK(ended.name == hostile);
        CHECK(ended.duration.count() == 12345);
        CHECK(ended.output == hostile);
        REQUIRE(ended.findings.size() == 2);
        const Finding& read = ended.findings[1];
        CHECK(read.kind == finding.kind);
        CHECK(read.function == "lookup");
        CHECK(read.text == hostile);
        CHECK(read.type == "std::runtime_error");
        CHECK(read.fate == model::Fate::signalled);
        CHECK(read.context == "V = 1");
        CHECK(read.argument == 2);
        CHECK(read.code == -3);
        CHECK(read.before);
        CHECK(read.untouched);
        CHECK(read.out_of_time == model::OutOfTime::crowded);
        CHECK(read.limit_ms == 1LL << 33);
        CHECK(read.peak_kib == 1ULL << 40);
        REQUIRE(read.mismatch);
        CHECK(read.mismatch->what == hostile);
        CHECK(read.mismatch->index == std::vector<std::uint64_t>{0, 1ULL << 63});
        CHECK(read.mismatch->worst_abs == 0.125);
        CHECK(read.mismatch->worst_rel == std::numeric_limits<double>::infinity());
        CHECK(read.mismatch->different == 7);
        CHECK(read.mismatch->total == 9);
        REQUIRE(read.mismatch->sample);
        const model::Sample& sample = *read.mismatch->sample;
        CHECK(sample.first_row == 40);
        CHECK(sample.first_col == 8);
        CHECK(sample.expected.at(0) == 1);
        CHECK(std::isnan(sample.expected.at(1)));
        CHECK(sample.expected.at(2) == infinity);
        CHECK(sample.got.at(0) == -0.1);
        CHECK(sample.got.at(2) == -infinity);
        CHECK(sample.expected_blank == finding.mismatch->sample->expected_blank);
        CHECK(sample.got_blank == finding.mismatch->sample->got_blank);
    }
}

TEST_CASE("every fate comes back as itself") {
    for (int fate = 0; fate <= static_cast<int>(model::Fate::broke_protocol); ++fate) {
        const Finding died{.kind = Finding::Kind::died, .fate = static_cast<model::Fate>(fate)};
        CHECK(round_trip(CaseEnded{"a", {died}, {}, ""}).findings.front().fate == died.fate);
    }
}

TEST_CASE("how memory past the end of an argument was used comes back as well") {
    for (const model::Access access : {model::Access::unknown, model::Access::read, model::Access::write}) {
        const Finding died{.kind = Finding::Kind::died, .argument = 2, .access = access};
        const Finding back = round_trip(CaseEnded{"a", {died}, {}, ""}).findings.front();
        CHECK(back.access == access);
        CHECK(back.argument == 2);
    }
}

TEST_CASE("text that is no UTF-8 is carried on as replacement characters, on one line") {
    const CaseEnded ended = round_trip(CaseEnded{"a", {}, {}, "\xff\xfe ok \xc3"});
    CHECK(ended.output == "\xef\xbf\xbd\xef\xbf\xbd ok \xef\xbf\xbd");
    CHECK(round_trip(CaseEnded{"a", {}, {}, std::string("a\0b", 3)}).output == std::string("a\0b", 3));
}

TEST_CASE("what is no event is refused") {
    for (const char* line : {"", "nonsense", "{", "[]", "null", "7", "{}", R"({"event":7})",
                             R"({"event":"what"})", R"({"event":"start"})", R"({"event":"start","name":3})",
                             R"({"event":"cases","names":"a"})", R"({"event":"cases","names":[1]})",
                             R"({"event":"end","name":"a","findings":{"a":1},"us":1,"output":""})",
                             R"({"event":"end","name":"a","findings":[],"us":"soon","output":""})",
                             R"({"event":"done"} {"event":"done"})"})
        CHECK_THROWS_AS_MESSAGE(read_event(line), std::runtime_error, line);
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    CHECK_THROWS_AS(read_event(deep), std::runtime_error);
    CHECK_THROWS_AS(read_event(R"({"event":"cases","names":)" + deep + "}"), std::runtime_error);
}

TEST_CASE("a finding of no known kind or fate is refused") {
    const std::string known =
        write_event(CaseEnded{"a", {{.kind = Finding::Kind::died, .fate = model::Fate::signalled}}, {}, ""});
    CHECK_NOTHROW(read_event(known));
    for (const char* word : {"\"died\"", "\"signalled\""})
        for (const char* other : {"\"bored\"", "\"\"", "99", "-1", "null"}) {
            std::string line = known;
            line.replace(line.find(word), std::string_view(word).size(), other);
            CHECK_THROWS_AS_MESSAGE(read_event(line), std::runtime_error, line);
        }
}

TEST_CASE("a sample that is larger than a picture, or not of its size, is refused") {
    Finding finding{.kind = Finding::Kind::mismatch};
    finding.mismatch = model::Mismatch{};
    finding.mismatch->sample = model::Sample{0, 0, 1, 1, {1}, {2}, {false}, {false}};
    const auto read_with = [&](std::uint64_t rows, std::uint64_t cols) {
        finding.mismatch->sample->rows = rows;
        finding.mismatch->sample->cols = cols;
        return read_event(write_event(CaseEnded{"a", {finding}, {}, ""}));
    };
    CHECK_NOTHROW(read_with(1, 1));
    CHECK_THROWS_AS(read_with(2, 1), std::runtime_error);
    CHECK_THROWS_AS(read_with(1ULL << 32, 1ULL << 32), std::runtime_error);
}

TEST_CASE("a mismatch without its values is refused") {
    CaseEnded ended{"a", {Finding{.kind = Finding::Kind::mismatch}}, {}, ""};
    CHECK_THROWS_AS(read_event(write_event(ended)), std::runtime_error);
    ended.findings[0].mismatch = model::Mismatch{};
    CHECK_NOTHROW(read_event(write_event(ended)));
}

TEST_CASE("deeply nested text is refused, not followed") {
    CHECK_THROWS_AS(read_event(std::string(1'000'000, '[')), std::runtime_error);
}

TEST_CASE("a count that is not whole is refused, and a time need not be") {
    const std::string end = write_event(CaseEnded{"a", {}, {}, ""});
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = end;
        return text.replace(text.find(from), from.size(), to);
    };
    CHECK_THROWS_AS(read_event(with("\"calls\":0", "\"calls\":1e300")), std::runtime_error);
    CHECK_NOTHROW(read_event(with("\"times_us\":[]", "\"times_us\":[1.5]")));
}
