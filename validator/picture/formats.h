#pragma once

#include "picture/blocks.h"

#include <string>
#include <string_view>
#include <vector>

namespace picture {

struct Format {
    std::string_view name; ///< as `--format` takes it
    std::string_view says;
    std::string (*render)(const Picture&);
};

/// Every format of a picture. A new one is a file and a row.
const std::vector<Format>& formats();

} // namespace picture
