#include "emulator/device_library.h"

#include <algorithm>
#include <array>

namespace emulator {

namespace {

/// What of the standard library nvcc lets device code call: the mathematics of one value, and what is a cast.
constexpr std::string_view callable[] = {
    "abs",       "acos",       "acosh",         "asin",      "asinh",    "atan",    "atan2",
    "atanh",     "cbrt",       "ceil",          "copysign",  "cos",      "cosh",    "erf",
    "erfc",      "exp",        "exp2",          "expm1",     "fabs",     "fdim",    "floor",
    "fma",       "fmax",       "fmin",          "fmod",      "forward",  "frexp",   "free",
    "hypot",     "ilogb",      "isfinite",      "isinf",     "isnan",    "labs",    "ldexp",
    "lgamma",    "llabs",      "llrint",        "llround",   "log",      "log10",   "log1p",
    "log2",      "logb",       "lrint",         "lround",    "malloc",   "memcpy",  "memset",
    "modf",      "move",       "nearbyint",     "nextafter", "pow",      "printf",  "remainder",
    "remquo",    "rint",       "round",         "scalbln",   "scalbn",   "signbit", "sin",
    "sinh",      "sqrt",       "tan",           "tanh",      "tgamma",   "trunc",   "size_t",
    "ptrdiff_t", "byte",       "int8_t",        "int16_t",   "int32_t",  "int64_t", "uint8_t",
    "uint16_t",  "uint32_t",   "uint64_t",      "uintptr_t", "intptr_t", "declval", "integral_constant",
    "true_type", "false_type", "bool_constant", "nullptr_t"};

/// Classes and objects that are of no use without the functions they come with.
constexpr std::string_view classes[] = {
    "vector",   "string",  "map",           "unordered_map",  "set",         "unordered_set",
    "deque",    "list",    "function",      "cout",           "cerr",        "endl",
    "thread",   "mutex",   "unique_ptr",    "shared_ptr",     "atomic",      "mt19937",
    "optional", "variant", "ostringstream", "array",          "span",        "pair",
    "tuple",    "plus",    "minus",         "multiplies",     "less",        "greater",
    "complex",  "bitset",  "hash",          "numeric_limits", "string_view", "atomic_ref"};

struct Advice {
    std::string_view name, instead;
};

constexpr Advice advice[] = {
    {"min", "call min without std::"},
    {"max", "call max without std::"},
    {"clamp", "write min(max(v, low), high) without std::"},
    {"swap", "swap by way of a variable"},
    {"exchange", "exchange by way of a variable"},
    {"numeric_limits", "use cuda::std::numeric_limits, or FLT_MAX, INT_MAX and INFINITY"},
    {"bit_cast", "use __float_as_uint and its like"},
    {"popcount", "use __popc"},
    {"countl_zero", "use __clz"},
    {"fill", "write the loop"},
    {"copy", "write the loop"},
    {"accumulate", "write the loop"},
    {"iota", "write the loop"},
    {"array", "use cuda::std::array or a plain array"},
    {"span", "pass the pointer and the number of elements"},
    {"pair", "use your own struct"},
    {"tuple", "use your own struct"},
    {"atomic", "use atomicAdd and its like, or cuda::atomic_ref"},
    {"atomic_ref", "use cuda::atomic_ref"},
};

template <class Table>
bool contains(const Table& table, std::string_view name) {
    return std::find(std::begin(table), std::end(table), name) != std::end(table);
}

} // namespace

std::string host_only(std::string_view name, bool called) {
    if (contains(callable, name) || !(called || contains(classes, name))) return {};
    std::string message = "std::" + std::string(name) + " belongs to the host: device code cannot use it";
    const auto better =
        std::find_if(std::begin(advice), std::end(advice), [&](const Advice& a) { return a.name == name; });
    if (better != std::end(advice)) message += ", " + std::string(better->instead);
    return message + ".";
}

} // namespace emulator
