#include "harness/places.h"

#include <algorithm>
#include <array>
#include <set>

namespace harness {
namespace {

constexpr std::array blocks{2, 4, 8, 16, 32, 64, 128, 256};

/// From the strongest to the weakest; a statement about the last row is stronger than one about the last few.
struct Sayings {
    std::string name;

    std::string last_row() const { return "only the last row of " + name + " is wrong"; }
    std::string first_row() const { return "only row 0 of " + name + " is wrong"; }
    std::string last_col() const { return "only the last column of " + name + " is wrong"; }
    std::string first_col() const { return "only column 0 of " + name + " is wrong"; }
    std::string odd_cols() const { return "only odd columns of " + name + " are wrong"; }
    std::string even_cols() const { return "only even columns of " + name + " are wrong"; }
    std::string rows_behind(int block) const {
        return "only rows of " + name + " after the last whole block of " + std::to_string(block) +
               " are wrong";
    }
    std::string cols_behind(int block) const {
        return "only columns of " + name + " after the last whole block of " + std::to_string(block) +
               " are wrong";
    }
    std::vector<std::string> by_strength() const {
        std::vector<std::string> all{last_row(),  first_row(), last_col(),
                                     first_col(), odd_cols(),  even_cols()};
        for (const int block : blocks)
            all.push_back(rows_behind(block));
        for (const int block : blocks)
            all.push_back(cols_behind(block));
        return all;
    }
};

Sayings sayings(std::string_view name) {
    return {in_words(name)};
}

/// Where rows (or columns) that are right come first in each of the calls: "from row 65536 on".
std::string shared_start(const std::vector<WrongPlaces>& calls, const char* what,
                         std::uint64_t (Places::*first)() const) {
    constexpr std::uint64_t least_worth_saying = 16; // smaller ones are chance
    std::uint64_t start = ~std::uint64_t{0};
    for (const WrongPlaces& call : calls)
        start = std::min(start, (call.places.*first)());
    if (start < least_worth_saying) return {};
    return in_words(calls.front().output) + " is right up to " + what + " " + std::to_string(start - 1);
}

} // namespace

std::string in_words(std::string_view what) {
    const std::string name(what.substr(0, what.find(',')));
    return name.find(' ') == std::string::npos ? "`" + name + "`" : name;
}

void Places::add(std::uint64_t row, std::uint64_t col) {
    first_row_ = std::min(first_row_, row);
    last_row_ = std::max(last_row_, row);
    first_col_ = std::min(first_col_, col);
    last_col_ = std::max(last_col_, col);
    (col % 2 == 0 ? even_cols_ : odd_cols_) = true;
}

std::map<std::string, bool> Places::statements(std::string_view name) const {
    const Sayings say = sayings(name);
    std::map<std::string, bool> result;
    const auto add = [&](bool holds, const std::string& words, bool telling) {
        if (holds) result[words] = telling;
    };
    add(first_row_ + 1 == rows_, say.last_row(), rows_ > 1);
    add(last_row_ == 0, say.first_row(), rows_ > 1);
    add(first_col_ + 1 == cols_, say.last_col(), cols_ > 1);
    add(last_col_ == 0, say.first_col(), cols_ > 1);
    add(!even_cols_, say.odd_cols(), cols_ > 3);
    add(!odd_cols_, say.even_cols(), cols_ > 3);
    for (const int block : blocks) {
        const auto size = static_cast<std::uint64_t>(block);
        add(first_row_ >= rows_ - rows_ % size, say.rows_behind(block), rows_ > size);
        add(first_col_ >= cols_ - cols_ % size, say.cols_behind(block), cols_ > size);
    }
    return result;
}

std::string shared_place(const std::vector<WrongPlaces>& calls) {
    if (calls.size() < 2) return {};
    for (const WrongPlaces& call : calls)
        if (call.places.empty() || call.output != calls.front().output) return {};
    std::map<std::string, std::size_t> holds;
    std::map<std::string, std::set<Places::Shape>> tells;
    for (const WrongPlaces& call : calls)
        for (const auto& [words, telling] : call.places.statements(call.output)) {
            ++holds[words];
            if (telling) tells[words].insert(call.places.shape());
        }
    for (const std::string& words : sayings(calls.front().output).by_strength())
        if (holds[words] == calls.size() && tells[words].size() > 1) return words;
    const std::string rows = shared_start(calls, "row", &Places::first_row);
    return rows.empty() ? shared_start(calls, "column", &Places::first_col) : rows;
}

} // namespace harness
