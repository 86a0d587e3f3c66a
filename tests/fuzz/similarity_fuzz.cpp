// What the similarity tester prints, and the programs that it is about: the first line of the input is the
// tester's words, with ; for line ends, and two programs follow, divided by a line of dashes.
#include "fuzz/target.h"

#include "similarity/compare.h"
#include "similarity/page.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using similarity::Origin;
    const std::string input(fuzz::text_of(data, size));
    const std::size_t end = std::min(input.find('\n'), input.size());
    std::string printed = input.substr(0, end);
    std::ranges::replace(printed, ';', '\n');
    const std::string programs = input.substr(std::min(end + 1, input.size()));
    const std::size_t half = programs.find("\n---\n");
    std::vector<similarity::Program> all{
        similarity::read_program("a", Origin::class_, {{"a.cpp", programs.substr(0, half)}}),
        similarity::read_program(
            "b", Origin::class_,
            {{"b.cpp", half == std::string::npos ? std::string() : programs.substr(half + 5)}}),
        similarity::read_program("s", Origin::starter, {{"s.cpp", "int x;"}})};
    std::vector<std::size_t> sizes;
    for (const similarity::Program& program : all) {
        const std::string lines = similarity::tokens_as_lines(program);
        fuzz::require(std::ranges::all_of(lines, [](char c) { return c == '\n' || (c > ' ' && c <= '~'); }),
                      "the tester reads printable lines");
        fuzz::require(static_cast<std::size_t>(std::ranges::count(lines, '\n')) == program.tokens.size(),
                      "a line is a token");
        sizes.push_back(program.tokens.size());
    }
    similarity::Comparison comparison = similarity::compare(all, similarity::read_matches(printed, sizes));
    for (const similarity::Pair& pair : comparison.pairs)
        fuzz::require(pair.share > 0 && pair.share <= 1 && pair.excess > 0 && pair.excess <= 1,
                      "a share is a part of a program");
    similarity::page("t", {{"p", std::move(all), std::move(comparison), ""}}, 10);
    return 0;
}
