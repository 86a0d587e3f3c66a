#pragma once

#include "exports/graded_class.h"

#include <string_view>
#include <vector>

namespace exports {

struct Format {
    std::string_view name;
    std::string_view says;
    bool folder = false; ///< several files, in a folder; else one file
    std::vector<File> (*render)(const GradedClass&) = nullptr;
};

/// Every format of `grade --export`. A new one is a function and a row here.
const std::vector<Format>& formats();

} // namespace exports
