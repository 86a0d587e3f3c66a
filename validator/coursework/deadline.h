#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace coursework {

/// Seconds since 1970 in UTC.
using Instant = std::chrono::sys_seconds;

/// What a late submission loses.
struct LatePolicy {
    std::chrono::minutes grace{0}; ///< after the deadline, without a loss
    double percent_per_day = 0;    ///< of the points, for each day that has begun
    std::optional<int> max_days;   ///< later than that counts nothing; nothing: no end
};

/// The instant of "2026-10-25T23:59" or "2026-10-25T23:59:30" in a time zone of the IANA database. Of a time
/// that clocks show twice, when summer time ends, the later is meant; nothing for one that they skip, and for
/// a date that does not exist. Throws std::runtime_error if the time zone is not known here.
std::optional<Instant> local_time(const std::string& text, const std::string& zone);

/// The share of its points that a submission keeps, 0 to 1.
double late_factor(Instant submitted, std::optional<Instant> deadline, const LatePolicy& policy);

/// "2026-10-25T22:59:00Z".
std::string utc(Instant time);
/// Nothing for any other text.
std::optional<Instant> from_utc(const std::string& text);

} // namespace coursework
