// The reports are g++ 12's own, of a file lookup.cpp, recorded once.
#include "diagnosis/sanitizer.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

using diagnosis::checked_build_ran_out_of_memory;
using diagnosis::read_sanitizer_report;

namespace {

std::string recorded(const std::string& name) {
    std::ifstream file(std::string(ENGINE_SOURCE_DIR "/tests/unit/diagnosis/reports/") + name + ".txt");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    REQUIRE_FALSE(text.empty());
    return text;
}

const std::vector<std::string> files{"lookup.cpp"};

} // namespace

TEST_CASE("each recorded report gives its kind and the learner's line") {
    struct Row {
        const char* report;
        const char* kind;
        int line;
    };
    for (const Row& row :
         {Row{"heap-buffer-overflow", "heap-buffer-overflow", 11}, Row{"double-free", "double-free", 19},
          Row{"stack-buffer-overflow", "stack-buffer-overflow", 36}, Row{"bad-free", "bad-free", 39},
          Row{"allocation-size-too-big", "allocation-size-too-big", 42},
          Row{"shift", "shift exponent 33 is too large for 32-bit type 'int'", 22}}) {
        CAPTURE(row.report);
        const auto finding = read_sanitizer_report(recorded(row.report), files);
        REQUIRE(finding);
        CHECK(kind_name(*finding) == row.kind);
        CHECK(finding->file == "lookup.cpp");
        CHECK(finding->line == row.line);
        CHECK_FALSE(checked_build_ran_out_of_memory(recorded(row.report)));
    }
}

TEST_CASE("a data race is told with the lines of both threads") {
    const auto finding = read_sanitizer_report(recorded("data-race"), files);
    REQUIRE(finding);
    CHECK(kind_name(*finding) == "data race");
    CHECK(finding->file == "lookup.cpp");
    CHECK(finding->line == 17);
    CHECK(finding->other_line == 14);
    CHECK(finding->text.starts_with("WARNING: ThreadSanitizer: data race"));
    CHECK(finding->text.find("pid") == std::string::npos);
}

TEST_CASE("the text begins at the report and is bounded in lines") {
    const auto finding = read_sanitizer_report("hello\nworld\n" + recorded("heap-buffer-overflow"), files);
    REQUIRE(finding);
    CHECK(finding->text.starts_with("ERROR: AddressSanitizer: heap-buffer-overflow"));
    CHECK(std::ranges::count(finding->text, '\n') < 20);
}

TEST_CASE("the same finding at other addresses and of another process reads the same") {
    const auto report = [](const char* process, const char* address) {
        return std::string("==") + process + "==ERROR: AddressSanitizer: SEGV on unknown address " + address +
               "\n    #0 " + address + " in f ./lookup.cpp:3\n";
    };
    const auto first = read_sanitizer_report(report("7", "0x602000000098"), files);
    const auto second = read_sanitizer_report(report("4711", "0x55f8d1b40b0e"), files);
    REQUIRE(first);
    REQUIRE(second);
    CHECK(first->text == second->text);
    CHECK(first->text ==
          "ERROR: AddressSanitizer: SEGV on unknown address 0x...\n    #0 0x... in f ./lookup.cpp:3\n");
}

TEST_CASE("a program that outgrew the checked build has no finding") {
    CHECK(checked_build_ran_out_of_memory(recorded("memory-limit")));
    CHECK_FALSE(read_sanitizer_report(recorded("memory-limit"), files));
    CHECK_FALSE(checked_build_ran_out_of_memory("an ordinary program's output"));
}

TEST_CASE("text without a report has no finding") {
    for (const char* text :
         {"", "\n", "AddressSanitizer", "lookup.cpp:3: hello", "ERROR: AddressSanitize: no"})
        CHECK_FALSE(read_sanitizer_report(text, files));
}

TEST_CASE("a report without a line of the learner's has kind and no place") {
    const auto finding = read_sanitizer_report(recorded("heap-buffer-overflow"), {"other.cpp"});
    REQUIRE(finding);
    CHECK(kind_name(*finding) == "heap-buffer-overflow");
    CHECK(finding->file.empty());
    CHECK(finding->line == 0);
}

TEST_CASE("a file whose name merely ends like the learner's is not the learner's") {
    const auto finding =
        read_sanitizer_report("==7==ERROR: AddressSanitizer: SEGV on unknown address\n"
                              "    #0 0x1 in f ./my_lookup.cpp:3\n    #1 0x2 in g ./lookup.cpp:8\n",
                              files);
    REQUIRE(finding);
    CHECK(kind_name(*finding) == "SEGV");
    CHECK(finding->line == 8);
}

TEST_CASE("a report cut anywhere is read without trouble") {
    const std::string whole = recorded("heap-buffer-overflow");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto finding = read_sanitizer_report(whole.substr(0, length), files);
        if (!finding) continue;
        CHECK(std::string("heap-buffer-overflow").starts_with(kind_name(*finding)));
        CHECK(finding->text.size() <= length);
    }
    const auto finding = read_sanitizer_report(whole.substr(0, whole.find("SUMMARY")), files);
    REQUIRE(finding);
    CHECK(kind_name(*finding) == "heap-buffer-overflow");
    CHECK(finding->line == 11);
}

TEST_CASE("a forged report is bounded, and its numbers cannot overflow") {
    const auto finding =
        read_sanitizer_report("ERROR: AddressSanitizer: " + std::string(100'000, 'A') +
                                  "\nlookup.cpp:99999999999999999999\n lookup.cpp:-4\n lookup.cpp:\n",
                              files);
    REQUIRE(finding);
    CHECK(kind_name(*finding).size() <= 200);
    CHECK(finding->line == 0);
    const auto other = read_sanitizer_report("runtime error: " + std::string(100'000, 'A'), files);
    REQUIRE(other);
    CHECK(kind_name(*other).size() <= 200);
}
