#include "app/verify/book.h"

#include "app/verify/alternatives.h"

#include <doctest/doctest.h>

namespace {

const std::vector<std::string> sources{"constexpr int one = 1;\nint f(int a) { return a + one; }\n",
                                       "int g(int a) { return a - 2; }\n"};

std::size_t find(const std::vector<verify::Candidate>& all, std::size_t file, const std::string& mutation) {
    for (std::size_t k = 0; k < all.size(); ++k)
        if (all[k].file == file && all[k].mutant.mutation == mutation) return k;
    FAIL("no such mutant");
    return 0;
}

} // namespace

TEST_CASE("a mutant of a body shares the reference's files, another one has its own") {
    const std::vector<verify::Candidate> all = verify::candidates(sources);
    const std::size_t shared = find(all, 1, "- -> +");
    const std::size_t own = find(all, 0, "1 -> 2");
    CHECK(all[shared].chosen);
    CHECK_FALSE(all[own].chosen);
    const auto files = verify::write_book({own, shared}, all, sources, {}, verify::Copied::place);
    const std::string number = std::to_string(own);
    REQUIRE(files.size() == 5);
    CHECK(files.at(verify::file_name(number, 0)) ==
          "constexpr int one = 2;\nint f(int a) { return a + one; }\n");
    CHECK(files.at(verify::file_name(number, 1)) == sources[1]);
    CHECK(files.at(verify::file_name(verify::unchanged, 0)) == sources[0]);
    CHECK(files.at(verify::file_name(verify::unchanged, 1)).find("a + 2") != std::string::npos);

    const std::string& main = files.at(verify::book_name);
    CHECK(main.find("{\"" + number + "\", entries_mutant_" + number + ",") != std::string::npos);
    CHECK(main.find("{\"" + std::to_string(shared) + "\", entries_mutant_unchanged,") != std::string::npos);
}

TEST_CASE("what is not asked for is not in the book") {
    const std::vector<verify::Candidate> all = verify::candidates(sources);
    const auto files = verify::write_book({}, all, sources, {}, verify::Copied::place);
    CHECK(files.size() == 3);
    CHECK(files.at(verify::file_name(verify::unchanged, 1)) == sources[1]);
}

TEST_CASE("functions that the contract defines come from there") {
    const auto files =
        verify::write_book({}, verify::candidates(sources), sources, {"rows_of"}, verify::Copied::place);
    CHECK(files.at(verify::book_name).find("using exercise::rows_of;") != std::string::npos);
}

TEST_CASE("an error is laid on the mutant whose code it is in, or that led to it") {
    using Names = std::set<std::string>;
    CHECK(verify::blamed("mutant_3_0.cpp:5:1: error: 'x' was not declared\n"
                         "mutant_unchanged_0.cpp:2:1: note: candidate\n") == Names{"3"});
    // A header's error: included by the unchanged part, and met through a template in mutant 36.
    CHECK(verify::blamed("In file included from mutant_unchanged_0.cpp:3:\n"
                         "stl_algo.h: In instantiation of 'copy_n':\n"
                         "mutant_36_0.cpp:30:20:   required from 'gather'\n"
                         "mutant_unchanged_0.cpp:38:18:   required from here\n"
                         "stl_algo.h:810:11: error: no type named 'iterator_category'\n") == Names{"36"});
    CHECK(verify::blamed("mutant_unchanged_0.cpp:2:1: error: expected ';'\n") == Names{verify::unchanged});
    CHECK(verify::blamed("cc1plus: error: out of memory\n") == Names{""});
    CHECK(verify::blamed("mutant_3_0.cpp:5:1: warning: unused\n").empty());
}
