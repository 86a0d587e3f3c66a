#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bundle {

/// A known mistake: the name it is chosen by, and its C++ as an #include names it.
struct Mistake {
    std::string name;
    std::string file;
};

/// The source of these mistakes and of their tables, an array called `list`. `contract` is the text of the
/// contract.
std::string mistakes(const std::string& list, const std::vector<Mistake>& which, const std::string& contract);

} // namespace bundle
