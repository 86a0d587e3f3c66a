#pragma once

#include "model/judgement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diagnosis {

/// What compute-sanitizer printed, understood as far as it is known.
struct ComputeSanitizerReport {
    std::vector<model::SanitizerFinding> findings; ///< one a kind and place, of a bounded number
    std::optional<std::uint64_t> errors; ///< that it counted; nothing: it did not come to its summary
    std::string trouble;                 ///< in its words, why it could not do its work; bounded
    std::uint64_t harmless = 0; ///< errors that are none of a kernel's: an API call that failed, a leak
    std::uint64_t ignored = 0;  ///< lines of its own that are unknown here
};

/// Reads what compute-sanitizer and the program below it printed, up to a bound. The text is untrusted: the
/// program prints what it likes, in lines that look like the tool's as well.
ComputeSanitizerReport read_compute_sanitizer(std::string_view text, const std::vector<std::string>& files);

} // namespace diagnosis
