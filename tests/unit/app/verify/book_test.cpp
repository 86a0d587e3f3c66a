#include "app/verify/book.h"

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

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++times;
    return times;
}

constexpr bundle::Copied places = bundle::Copied::places;

} // namespace

TEST_CASE("a mutant of a body shares the reference's files, another one has its own") {
    const std::vector<verify::Candidate> all = verify::candidates(sources);
    const std::size_t shared = find(all, 1, "- -> +");
    const std::size_t own = find(all, 0, "1 -> 2");
    CHECK(all[shared].chosen);
    CHECK_FALSE(all[own].chosen);
    const bundle::Written book = verify::write_book({own, shared}, all, sources, {}, places);
    const auto& files = book.files;
    const std::string number = std::to_string(own);
    REQUIRE(files.size() == 5);
    CHECK(files.at(verify::file_name(number, 0)) ==
          "constexpr int one = 2;\nint f(int a) { return a + one; }\n");
    CHECK(files.at(verify::file_name(number, 1)) == sources[1]);
    CHECK(files.at(verify::file_name(verify::unchanged, 0)) == sources[0]);
    CHECK(files.at(verify::file_name(verify::unchanged, 1)).find("a + 2") != std::string::npos);

    REQUIRE(book.compiled.size() == 1);
    const std::string& main = files.at(book.compiled.front());
    CHECK(main.find("{\"" + number + "\", entries_mutant_" + number + ",") != std::string::npos);
    CHECK(main.find("{\"" + std::to_string(shared) +
                    "\", entries_mutant_unchanged, "
                    "std::size(entries_mutant_unchanged), &::chosen_program, " +
                    std::to_string(shared) + "}") != std::string::npos);
    CHECK(book.owners.at(verify::file_name(number, 1)) == number);
    CHECK(book.owners.at(verify::file_name(verify::unchanged, 1)) == verify::unchanged);
}

TEST_CASE("what is not asked for is not in the book") {
    const std::vector<verify::Candidate> all = verify::candidates(sources);
    const auto files = verify::write_book({}, all, sources, {}, places).files;
    CHECK(files.size() == 3);
    CHECK(files.at(verify::file_name(verify::unchanged, 1)) == sources[1]);
}

TEST_CASE("functions that the contract defines come from there") {
    const bundle::Written book =
        verify::write_book({}, verify::candidates(sources), sources, {"rows_of"}, places);
    CHECK(book.files.at(book.compiled.front()).find("using exercise::rows_of;") != std::string::npos);
}

TEST_CASE("a mutant is chosen at the smallest place that holds it, or with the body around it") {
    const std::vector<std::string> one{"int f(int a) {\n    a += 2;\n    return a - 1;\n}\n"};
    const std::vector<verify::Candidate> all = verify::candidates(one);
    const std::size_t k = find(all, 0, "+= -> -=");
    const std::string name = verify::file_name(verify::unchanged, 0);
    const std::string smallest = verify::write_book({k}, all, one, {}, places).files.at(name);
    CHECK(smallest.find("{a -= 2;\n}") != std::string::npos);
    CHECK(count(smallest, "return a - 1;") == 1);
    const std::string body = verify::write_book({k}, all, one, {}, bundle::Copied::bodies).files.at(name);
    CHECK(body.find("{\n    a -= 2;\n    return a - 1;\n\n}") != std::string::npos);
    CHECK(count(body, "return a - 1;") == 2);
}

TEST_CASE("what the compiler may run itself cannot be chosen while the program runs") {
    const std::vector<verify::Candidate> all =
        verify::candidates({"constexpr int offset = 3;\nconstexpr int half(int a) { return a / 2; }\n"
                            "int last(int a) { return a - 1; }\n"});
    CHECK_FALSE(all[find(all, 0, "3 -> 4")].chosen);
    CHECK_FALSE(all[find(all, 0, "/ -> *")].chosen);
    CHECK(all[find(all, 0, "- -> +")].chosen);
}
