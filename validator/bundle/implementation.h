#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Several implementations of one contract in one worker program, compiled in one go: the headers are read
/// and instantiated once for all of them. The worker's argument chooses one by its name.
namespace bundle {

/// What a source begins with that holds implementations.
std::string preamble();

/// The code of one implementation: `files`, as an #include names them, with the namespace `exercise` renamed
/// to `id`, an identifier. Functions `from_contract` are defined by the contract itself and come from there.
std::string implementation(const std::string& id, const std::vector<std::string>& files,
                           const std::vector<std::string>& from_contract);

/// A name that the worker answers to, and the implementation that it means.
struct Name {
    std::string text;
    std::string id;
    std::optional<std::size_t> number; ///< what chooses it among the copies that the implementation holds
};

/// The worker's tables of these names, as an array called `list`.
std::string tables(const std::string& list, const std::vector<Name>& names);

/// The variable that chooses among copies; it comes before the implementations.
std::string selector_variable();

/// Sets that variable from the worker's argument, by the tables of `list`, before any other code runs.
std::string selector_choice(const std::string& list, std::size_t count);

/// An array of tables, and how many it has.
struct List {
    std::string name;
    std::size_t count = 0;
};

/// Says that these lists are all that the program holds.
std::string all_tables(const std::vector<List>& lists);

} // namespace bundle
