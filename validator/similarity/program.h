#pragma once

#include "model/submission.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Finds programs of a class that are more alike than independent programs are. The result is a list for a
/// person to read, and says nothing about how two programs came to be alike.
namespace similarity {

enum class Origin {
    class_,  ///< handed in by the class
    earlier, ///< handed in to be compared with: last year's
    course,  ///< the reference or an accepted variant
    starter, ///< handed out to all
};

/// Longer ones are not compared.
inline constexpr std::size_t max_program_bytes = 64 << 10;

/// A token of a program, without comments and preprocessor lines, by its bytes in the text.
struct Place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// A program to compare. Equal ones are one, with several names.
struct Program {
    std::vector<std::string> names; ///< each student, or what a program of the course is called
    std::vector<Origin> origins;    ///< of each name
    std::string text;
    std::vector<Place> tokens;

    bool is(Origin origin) const;
};

/// The text of the files in a row, as tokens.
Program read_program(const std::string& name, Origin origin, const std::vector<model::SourceFile>& files);

/// The tester's input: a token a line, so that its line numbers are positions of tokens, counted from 1. All
/// bytes are printable ASCII, and literals are empty.
std::string tokens_as_lines(const Program& program);

/// Programs with the same tokens become one. The order is that of the first of each.
std::vector<Program> merge_equal(std::vector<Program> programs);

} // namespace similarity
