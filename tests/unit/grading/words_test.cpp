#include "grading/words.h"

#include <csignal>
#include <doctest/doctest.h>

using events::Finding;
using model::Fate;
using model::Verdict;

namespace {

const model::Limits limits{std::chrono::milliseconds(1000), std::chrono::seconds(10), 512, 64, 16};

Finding lookup_died(Fate fate, int code = 0) {
    return {.kind = Finding::Kind::died, .function = "lookup", .fate = fate, .code = code};
}
Finding before(Finding finding) {
    finding.before = true;
    return finding;
}
Finding given(std::int64_t limit_ms, Finding finding) {
    finding.limit_ms = limit_ms;
    return finding;
}
Finding out_of_time(model::OutOfTime why, std::int64_t limit_ms) {
    Finding finding = given(limit_ms, lookup_died(Fate::timed_out));
    finding.out_of_time = why;
    return finding;
}
Finding with_memory(Finding finding, std::uint64_t mib) {
    finding.peak_kib = mib * 1024;
    return finding;
}
Finding mismatch(const std::string& text, bool untouched) {
    return {.kind = Finding::Kind::mismatch,
            .text = text,
            .untouched = untouched,
            .mismatch = model::Mismatch{.what = "out"}};
}

std::string first_line(const Finding& finding) {
    const std::string words = grading::words_for(finding, limits);
    return words.substr(0, words.find('\n'));
}

} // namespace

TEST_CASE("a crash past the end of an argument says so, and names the argument if its name is known") {
    Finding crash = lookup_died(Fate::signalled, SIGSEGV);
    crash.argument = 1;
    crash.access = model::Access::read;
    CHECK(first_line(crash) == "lookup read past the end of the memory of its argument 1");
    crash.parameter = "table";
    crash.file = "lookup.cpp";
    crash.line = 12;
    CHECK(grading::words_for(crash, limits) ==
          "lookup read past the end of `table`\nin line 12 of lookup.cpp\n"
          "which index, size or vector load is used there?");
    crash.access = model::Access::write;
    CHECK(first_line(crash) == "lookup wrote past the end of `table`");
    crash.access = model::Access::unknown;
    CHECK(first_line(crash) == "lookup read or wrote past the end of `table`");
    crash.peak_kib = limits.memory_mib * 1024; // then the memory is what it lacked
    CHECK(first_line(crash).find("past the end") == std::string::npos);
    CHECK(first_line({.kind = Finding::Kind::overrun,
                      .function = "lookup",
                      .argument = 3,
                      .parameter = "out",
                      .before = true}) == "lookup wrote before `out`");
}

TEST_CASE("a crash names its line where it is known, and else where to find it out") {
    Finding crash = lookup_died(Fate::signalled, SIGSEGV);
    CHECK(grading::words_for(crash, limits).find("submit-build adds a checked build") != std::string::npos);
    crash.file = "lookup.cpp";
    crash.line = 12;
    const std::string words = grading::words_for(crash, limits);
    CHECK(words.find("in line 12 of lookup.cpp") != std::string::npos);
    CHECK(words.find("submit-build") == std::string::npos);
}

TEST_CASE("the last call is told before what the suite says of it") {
    Finding finding = mismatch("", false);
    finding.call = "lookup(6 x 3, {2}, 1 x 3)";
    finding.context = "C = 3";
    CHECK(grading::words_for(finding, limits) ==
          "wrong value in out\nThe last call was lookup(6 x 3, {2}, 1 x 3).\nwith C = 3");
}

TEST_CASE("every finding has its verdict and its first sentence") {
    using Kind = Finding::Kind;
    struct Row {
        Finding finding;
        Verdict verdict;
        std::string sentence;
    };
    const std::vector<Row> rows{
        {mismatch("", false), Verdict::wrong_answer, "wrong value in out"},
        {mismatch("", true), Verdict::wrong_answer, "out was never written"},
        {mismatch("out must stay untouched, but was written to", false), Verdict::wrong_answer,
         "out must stay untouched, but was written to"},
        {{.kind = Kind::assertion, .text = "does not hold: x"}, Verdict::wrong_answer, "does not hold: x"},
        {{.kind = Kind::changed_input, .function = "lookup", .argument = 2},
         Verdict::wrong_answer,
         "lookup changed its argument 2, which is an input and must stay as it is"},
        {{.kind = Kind::left_modes, .function = "lookup"},
         Verdict::wrong_answer,
         "lookup left the modes of floating-point arithmetic changed (rounding, tiny numbers, or traps)"},
        {{.kind = Kind::overrun, .function = "lookup", .argument = 3},
         Verdict::run_time_error,
         "lookup wrote past the end of the memory of its argument 3"},
        {{.kind = Kind::overrun, .function = "lookup", .argument = 3, .before = true},
         Verdict::run_time_error,
         "lookup wrote before the memory of its argument 3"},
        {{.kind = Kind::threw, .text = "too few", .type = "std::out_of_range"},
         Verdict::run_time_error,
         "an exception came out of your code: std::out_of_range (too few)"},
        {{.kind = Kind::threw, .type = "int"},
         Verdict::run_time_error,
         "an exception came out of your code: int"},
        {{.kind = Kind::not_implemented, .function = "lookup"},
         Verdict::not_implemented,
         "lookup is not implemented yet"},
        {{.kind = Kind::out_of_memory, .function = "lookup"},
         Verdict::memory_limit_exceeded,
         "lookup asked for more memory than there is; the limit is 512 MiB"},
        {{.kind = Kind::broken_suite, .text = "bad index"},
         Verdict::judge_error,
         "the judge itself failed in this test: bad index"},
        {lookup_died(Fate::timed_out), Verdict::time_limit_exceeded, "lookup gave no answer within 1000 ms"},
        {given(5000, lookup_died(Fate::timed_out)), Verdict::time_limit_exceeded,
         "lookup gave no answer within 5000 ms"},
        {out_of_time(model::OutOfTime::computing, 1000), Verdict::time_limit_exceeded,
         "lookup gave no answer within 1000 ms of CPU time"},
        {out_of_time(model::OutOfTime::sleeping, 5000), Verdict::time_limit_exceeded,
         "lookup waits for ever: in 5000 ms it did not return, and hardly computed anything"},
        {out_of_time(model::OutOfTime::crowded, 10'000), Verdict::time_limit_exceeded,
         "lookup gave no answer within 10000 ms, twice: other programs kept the machine busy"},
        {out_of_time(model::OutOfTime::budget, 30'000), Verdict::time_limit_exceeded,
         "lookup was stopped: the calls of all tests together used up 30 s"},
        {lookup_died(Fate::output_exceeded), Verdict::output_limit_exceeded,
         "lookup printed more than 64 KiB"},
        {lookup_died(Fate::broke_protocol), Verdict::run_time_error,
         "lookup wrote over memory that belongs to the judge"},
        {lookup_died(Fate::exited, 0), Verdict::run_time_error,
         "lookup ended the program with exit status 0 instead of returning"},
        {lookup_died(Fate::exited, 98), Verdict::run_time_error,
         "lookup did something undefined; the checked build says where, below"},
        {lookup_died(Fate::exited, 99), Verdict::run_time_error,
         "lookup did something undefined; the checked build says where, below"},
        {lookup_died(Fate::signalled, SIGSEGV), Verdict::run_time_error,
         "lookup crashed: it used memory that is not its own (SIGSEGV)"},
        {lookup_died(Fate::signalled, SIGBUS), Verdict::run_time_error,
         "lookup crashed: it used an address that does not exist (SIGBUS)"},
        {lookup_died(Fate::signalled, SIGFPE), Verdict::run_time_error,
         "lookup crashed: an integer was divided by zero (SIGFPE)"},
        {lookup_died(Fate::signalled, SIGABRT), Verdict::run_time_error,
         "lookup aborted (SIGABRT): a failed assertion, or abort() was called"},
        {lookup_died(Fate::signalled, SIGILL), Verdict::run_time_error,
         "lookup ran into an instruction that must not be reached (SIGILL)"},
        {lookup_died(Fate::signalled, SIGKILL), Verdict::run_time_error,
         "lookup was ended by signal 9 (Killed)"},
        {lookup_died(Fate::signalled, SIGXCPU), Verdict::time_limit_exceeded,
         "lookup used more than 10 s of CPU time"},
        {with_memory(lookup_died(Fate::signalled, SIGABRT), 500), Verdict::memory_limit_exceeded,
         "lookup used 500 MiB of memory; the limit is 512 MiB"},
        {with_memory(lookup_died(Fate::signalled, SIGABRT), 400), Verdict::run_time_error,
         "lookup aborted (SIGABRT): a failed assertion, or abort() was called"},
        {with_memory(lookup_died(Fate::memory_exceeded), 600), Verdict::memory_limit_exceeded,
         "lookup used 600 MiB of memory; the limit is 512 MiB"},
        {before(lookup_died(Fate::exited, 0)), Verdict::run_time_error,
         "your program ended before lookup could be called"},
        {before(lookup_died(Fate::signalled, SIGSEGV)), Verdict::run_time_error,
         "your program ended before lookup could be called"},
    };
    for (const Row& row : rows) {
        CHECK(grading::verdict_of(row.finding, limits) == row.verdict);
        CHECK(first_line(row.finding) == row.sentence);
    }
}

TEST_CASE("a program that never gets to its first call is told apart from a slow call") {
    CHECK(grading::verdict_of(before(lookup_died(Fate::timed_out)), limits) == Verdict::time_limit_exceeded);
    CHECK(first_line(before(lookup_died(Fate::timed_out)))
              .starts_with("your program did not get as far as its first call"));
}

TEST_CASE("sizes and other facts come last") {
    Finding finding = mismatch("", false);
    finding.context = "V = 6, T = 4";
    CHECK(grading::words_for(finding, limits).ends_with("\nwith V = 6, T = 4"));
    finding.context.clear();
    CHECK_FALSE(grading::words_for(finding, limits).ends_with("\nwith "));
}
