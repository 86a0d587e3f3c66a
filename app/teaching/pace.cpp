#include "app/teaching/pace.h"

#include <cmath>
#include <fmt/format.h>

namespace teaching {
namespace {

std::string time_left(double seconds) {
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s left", whole);
    if (whole < 3600) return fmt::format("{} min left", (whole + 59) / 60);
    return fmt::format("{} h {} min left", whole / 3600, whole % 3600 / 60);
}

} // namespace

std::string pace(std::size_t done, std::size_t all, std::chrono::duration<double> elapsed) {
    std::string text = fmt::format("judging, {} of {}", done, all);
    if (done == 0 || elapsed.count() <= 0) return text;
    const double rate = static_cast<double>(done) / elapsed.count();
    text += rate >= 1 ? fmt::format(", {:.1f} a second", rate) : fmt::format(", {:.1f} a minute", rate * 60);
    if (done < all) text += ", " + time_left(static_cast<double>(all - done) / rate);
    return text;
}

} // namespace teaching
