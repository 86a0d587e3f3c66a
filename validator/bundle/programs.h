#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bundle {

/// An implementation of a contract, under the name that the worker answers to.
struct Program {
    std::string name;
    std::string text;
    std::string base; ///< the text that it differs from in few places; empty: none
};

/// How much of a program is written anew.
enum class Copied {
    places, ///< the statements, conditions and values that it changes
    bodies, ///< also the whole of a function
    whole   ///< all of it, in a namespace of its own
};

/// How a worker's source is written.
struct Options {
    /// Programs that are copied whole. Others are where tokens cannot show that copies of places do the same.
    std::set<std::string> whole;
    /// Copies all of them whole: where code that chooses would be traced and counted, as in CUDA.
    bool all_whole = false;
    /// Copies whole what would else share lines that have another number in its own text.
    bool own_lines = false;
    std::size_t parts = 0; ///< how many files are compiled; 0: by their size
};

/// A worker's source.
struct Written {
    std::map<std::string, std::string> files; ///< by name
    std::vector<std::string> compiled;        ///< the files to compile; they include the others
    std::map<std::string, Copied> copied;     ///< by program
    std::map<std::string, std::string>
        owners; ///< for `blamed`: the program that each file belongs to, or `shared`

    static constexpr const char* shared = "shared code";
};

/// A worker that is all of these programs, each under its name, which no two have in common. The worker's
/// argument chooses one, and a later request another one. `contract` is the contract's text.
Written write_programs(const std::vector<Program>& programs, const std::string& contract,
                       const Options& options = {});

} // namespace bundle
