#pragma once

#include "model/problem.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kit {

/// Texts by their paths below the collection: "problems/dropout/suite.cpp".
using Texts = std::map<std::string, std::string>;

/// All of a problem that its kit is made from, read once: what is compiled is what the key was made of,
/// whatever happens to the files meanwhile.
struct Package {
    struct Mistake {
        std::string name;
        std::string path;
        std::string program;
        std::string base; ///< the right program that it differs from in few places; empty: none
    };
    std::string id;
    model::Language language = model::Language::cpp;
    Texts contract; ///< headers of the exercise
    Texts suite;
    Texts reference;
    std::vector<Mistake> mistakes;
};

/// The headers of an exercise. Throws as `read_package` does.
Texts read_contract(const std::string& id, const std::filesystem::path& exercise);

/// Throws model::ContentError where a file is missing or cannot be read.
Package read_package(const model::Problem& problem);

} // namespace kit
