#include "harness/adversity/seeds.h"

#include "harness/adversity/parameters.h"
#include "harness/expect.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace harness {
namespace {

constexpr std::uint64_t usual_seed = 42;

std::vector<std::uint64_t> usual_seeds() {
    std::vector<std::uint64_t> list;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        list.push_back(seed);
    for (const std::uint64_t seed : std::initializer_list<std::uint64_t>{usual_seed, 123, 1'337, 1'234'567})
        list.insert(list.end(), {seed, seed + (1ULL << 32), seed + (1ULL << 53), seed + (1ULL << 63)});
    for (const Named<std::uint64_t>& seed : ends_of_64_bits())
        list.push_back(seed.value);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

/// Seeds that are a usual one but for one bit. They are compared with usual ones only: whatever makes one
/// stream of a seed and of a table's number, two of these may give one, and nobody uses both.
std::vector<std::uint64_t> neighbours() {
    std::vector<std::uint64_t> list;
    for (int bit = 0; bit < 64; ++bit)
        list.insert(list.end(), {usual_seed + (1ULL << bit), usual_seed - (1ULL << bit)});
    return list;
}

std::size_t equal_numbers(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        count += a[i] == b[i] ? 1 : 0;
    return count;
}

/// Tables of which the first ones are of usual seeds.
struct Tables {
    Drawn all;
    std::vector<std::uint64_t> seeds; ///< of each
    std::size_t usual = 0;            ///< how many are
};

/// Two tables, one of them of a usual seed, that have three numbers in a row in common, wherever they stand.
std::optional<std::pair<std::size_t, std::size_t>> moved(const Tables& tables) {
    std::map<std::array<float, 3>, std::size_t> known;
    for (std::size_t b = 0; b < tables.all.size(); ++b) {
        const std::vector<float>& table = tables.all[b];
        for (std::size_t i = 0; i + 3 <= table.size(); ++i) {
            const std::array<float, 3> row{table[i], table[i + 1], table[i + 2]};
            const auto found = known.find(row);
            if (found != known.end() && found->second != b) return std::pair{found->second, b};
            if (b < tables.usual) known.emplace(row, b);
        }
    }
    return std::nullopt;
}

/// Two tables, one of them of a usual seed, with three equal numbers at equal places, or in a row.
std::optional<std::pair<std::size_t, std::size_t>> shared(const Tables& tables) {
    for (std::size_t a = 0; a < tables.usual; ++a)
        for (std::size_t b = a + 1; b < tables.all.size(); ++b)
            if (equal_numbers(tables.all[a], tables.all[b]) >= 3) return std::pair{a, b};
    return moved(tables);
}

} // namespace

void expect_own_numbers(const std::string& what, const std::function<Drawn(std::uint64_t)>& draw) {
    Tables tables;
    const auto draw_all = [&](const std::vector<std::uint64_t>& list) {
        for (const std::uint64_t seed : list)
            for (std::vector<float>& table : draw(seed)) {
                tables.seeds.push_back(seed);
                tables.all.push_back(std::move(table));
            }
    };
    const std::vector<std::uint64_t> usual = usual_seeds();
    draw_all(usual);
    tables.usual = tables.all.size();
    std::vector<std::uint64_t> others = neighbours();
    std::erase_if(others, [&](std::uint64_t seed) { return std::ranges::binary_search(usual, seed); });
    draw_all(others);
    if (const auto both = shared(tables)) {
        const auto [a, b] = *both;
        const std::vector<std::uint64_t>& seeds = tables.seeds;
        expect_true(what +
                        (seeds[a] == seeds[b]
                             ? " of seed " + std::to_string(seeds[a])
                             : " of seeds " + std::to_string(seeds[a]) + " and " + std::to_string(seeds[b])) +
                        " have nothing in common",
                    false,
                    what + " are partly the same for two " +
                        (seeds[a] == seeds[b] ? "tables of a seed" : "seeds"));
        return;
    }
    expect_true(what + " of different seeds have nothing in common", true);
}

} // namespace harness
