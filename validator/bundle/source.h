#pragma once

#include "bundle/places.h"
#include "reader/declarations.h"
#include "reader/functions.h"
#include "reader/words.h"

#include <set>
#include <string>
#include <vector>

namespace bundle {

/// A text with everything that tokens tell about it. The text must outlive it.
struct Source {
    const std::string& text;
    std::vector<reader::Word> words;
    std::vector<Place> places;
    std::vector<reader::Declaration> declarations;
    std::set<std::string> includes; ///< what its #include lines name, with quotes or angle brackets
    bool other_directives = false;  ///< any that are no plain #include
    bool stateful = false;          ///< keeps_state()

    explicit Source(const std::string& all);
    explicit Source(std::string&&) = delete;
};

} // namespace bundle
