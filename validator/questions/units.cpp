#include "questions/units.h"

#include "questions/words.h"

#include <algorithm>
#include <array>

namespace questions {
namespace {

enum class Quantity { data, time };

struct Unit {
    std::string_view name;
    Quantity quantity;
    double size; ///< in bits, or in seconds
};

constexpr double kibi = 1024;

// Megabit and megabyte differ in the case of one letter, so neither Mb nor mb is read as one of them.
constexpr std::array<Unit, 21> units{{
    {"B", Quantity::data, 8},
    {"byte", Quantity::data, 8},
    {"bit", Quantity::data, 1},
    {"kB", Quantity::data, 8e3},
    {"KB", Quantity::data, 8e3},
    {"MB", Quantity::data, 8e6},
    {"GB", Quantity::data, 8e9},
    {"TB", Quantity::data, 8e12},
    {"KiB", Quantity::data, 8 * kibi},
    {"MiB", Quantity::data, 8 * kibi* kibi},
    {"GiB", Quantity::data, 8 * kibi* kibi* kibi},
    {"TiB", Quantity::data, 8 * kibi* kibi* kibi* kibi},
    {"s", Quantity::time, 1},
    {"second", Quantity::time, 1},
    {"ms", Quantity::time, 1e-3},
    {"millisecond", Quantity::time, 1e-3},
    {"us", Quantity::time, 1e-6},
    {"µs", Quantity::time, 1e-6},
    {"microsecond", Quantity::time, 1e-6},
    {"ns", Quantity::time, 1e-9},
    {"nanosecond", Quantity::time, 1e-9},
}};

/// A word in small letters without the s of a plural; symbols as they are.
std::string singular(std::string_view text) {
    if (text.size() <= 3) return std::string(text);
    std::string word = lower_case(text);
    if (word.back() == 's') word.pop_back();
    return word;
}

const Unit* unit_called(std::string_view text) {
    for (const std::string& spelling : {std::string(text), singular(text)}) {
        const auto found = std::ranges::find(units, spelling, &Unit::name);
        if (found != units.end()) return found;
    }
    return nullptr;
}

} // namespace

std::optional<double> factor(std::string_view written, const std::string& asked) {
    if (singular(written) == singular(asked)) return 1;
    const Unit* const from = unit_called(written);
    const Unit* const to = unit_called(asked);
    if (from == nullptr || to == nullptr || from->quantity != to->quantity) return std::nullopt;
    return from->size / to->size;
}

} // namespace questions
