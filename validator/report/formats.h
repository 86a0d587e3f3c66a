#pragma once

#include "model/judgement.h"

#include <string>
#include <string_view>
#include <vector>

namespace report {

struct Format {
    std::string_view name; ///< as `--format` takes it
    std::string_view says; ///< one line of help
    std::string (*render)(const model::Judgement&);
};

/// Every report format. A new one is a file and a row.
const std::vector<Format>& formats();

/// Those of `engine bench`, which draws as well.
const std::vector<Format>& formats_of_bench();

} // namespace report
