#include "coursework/deadline.h"

#include <date/tz.h>

#include <algorithm>
#include <sstream>

namespace coursework {
namespace {

template <class Time>
bool parse(const std::string& text, const char* format, Time& time) {
    std::istringstream stream(text);
    stream >> date::parse(format, time);
    return !stream.fail() && stream.peek() == std::istringstream::traits_type::eof();
}

} // namespace

std::optional<Instant> local_time(const std::string& text, const std::string& zone) {
    date::local_seconds local;
    if (!parse(text, "%FT%T", local) && !parse(text, "%FT%R", local)) return std::nullopt;
    const date::time_zone* const where = date::locate_zone(zone);
    if (where->get_info(local).result == date::local_info::nonexistent) return std::nullopt;
    return where->to_sys(local, date::choose::latest);
}

double late_factor(Instant submitted, std::optional<Instant> deadline, const LatePolicy& policy) {
    if (!deadline || submitted <= *deadline + policy.grace) return 1;
    const auto days = std::chrono::ceil<std::chrono::days>(submitted - *deadline).count();
    if (policy.max_days && days > *policy.max_days) return 0;
    return std::max(0.0, 1 - static_cast<double>(days) * policy.percent_per_day / 100);
}

std::string utc(Instant time) {
    return date::format("%FT%TZ", time);
}

std::optional<Instant> from_utc(const std::string& text) {
    Instant time;
    if (!parse(text, "%FT%TZ", time)) return std::nullopt;
    return time;
}

} // namespace coursework
