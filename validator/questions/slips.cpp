#include "questions/slips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace questions {
namespace {

struct Slip {
    std::string_view unit; ///< of the question; empty: any
    double ratio;          ///< of the answer to the right one
    std::string_view says;
};

constexpr double kilo_binary = 1024;
constexpr std::string_view thousands = "It is off by a factor of 1,000: check the prefix of the unit.";
constexpr std::string_view millions = "It is off by a factor of a million: check the prefix of the unit.";
constexpr std::string_view kibis = "It is off by a factor of 1,024: check the prefix of the unit.";
constexpr std::string_view mixed = "You took 1,000 for 1,024: k is 1,000, Ki is 1,024.";

constexpr std::array<Slip, 14> slips{{
    {"bytes", 8, "That is the number of bits; a byte has eight."},
    {"bytes", 1.0 / 8, "You divided by eight: the question asks for bytes, and it was in bytes already."},
    {"bits", 1.0 / 8, "That is the number of bytes; each has eight bits."},
    {"%", 1.0 / 100, "That is the share as a fraction; the question asks for per cent."},
    {"", 1000, thousands},
    {"", 1.0 / 1000, thousands},
    {"", 1e6, millions},
    {"", 1e-6, millions},
    {"", kilo_binary, kibis},
    {"", 1 / kilo_binary, kibis},
    {"", 1000 / kilo_binary, mixed},
    {"", kilo_binary / 1000, mixed},
    {"", 1e6 / (kilo_binary * kilo_binary), mixed},
    {"", kilo_binary* kilo_binary / 1e6, mixed},
}};

} // namespace

bool agrees(double got, double want, double relative_tolerance) {
    const double roundings = 8 * std::numeric_limits<double>::epsilon();
    return std::abs(got - want) <= std::max(relative_tolerance, roundings) * std::abs(want);
}

std::string slip(double got, double want, double relative_tolerance, const std::string& unit) {
    if (want == 0) return {};
    for (const Slip& row : slips)
        if ((row.unit.empty() || row.unit == unit) && agrees(got, row.ratio * want, relative_tolerance))
            return std::string(row.says);
    return {};
}

} // namespace questions
