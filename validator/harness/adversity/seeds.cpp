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

std::vector<std::uint64_t> seeds_to_confuse() {
    std::vector<std::uint64_t> list;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        list.push_back(seed);
    for (const std::uint64_t seed : {42, 123, 1'337, 1'234'567})
        list.insert(list.end(), {seed, seed + (1ULL << 32), seed + (1ULL << 53), seed + (1ULL << 63)});
    for (int bit = 0; bit < 64; ++bit)
        list.insert(list.end(), {42 + (1ULL << bit), 42 - (1ULL << bit)});
    for (const Named<std::uint64_t>& seed : ends_of_64_bits())
        list.push_back(seed.value);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::size_t equal_numbers(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        count += a[i] == b[i] ? 1 : 0;
    return count;
}

/// Two tables that have three numbers in a row in common, wherever they stand.
std::optional<std::pair<std::size_t, std::size_t>> moved(const Drawn& tables) {
    std::map<std::array<float, 3>, std::size_t> known;
    for (std::size_t b = 0; b < tables.size(); ++b)
        for (std::size_t i = 0; i + 3 <= tables[b].size(); ++i) {
            const auto [a, is_new] = known.try_emplace({tables[b][i], tables[b][i + 1], tables[b][i + 2]}, b);
            if (!is_new && a->second != b) return std::pair{a->second, b};
        }
    return std::nullopt;
}

/// Two tables with three equal numbers at equal places, or in a row.
std::optional<std::pair<std::size_t, std::size_t>> shared(const Drawn& tables) {
    for (std::size_t a = 0; a < tables.size(); ++a)
        for (std::size_t b = a + 1; b < tables.size(); ++b)
            if (equal_numbers(tables[a], tables[b]) >= 3) return std::pair{a, b};
    return moved(tables);
}

} // namespace

void expect_own_numbers(const std::string& what, const std::function<Drawn(std::uint64_t)>& draw) {
    std::vector<std::uint64_t> seeds;
    Drawn tables;
    for (const std::uint64_t seed : seeds_to_confuse())
        for (std::vector<float>& table : draw(seed)) {
            seeds.push_back(seed);
            tables.push_back(std::move(table));
        }
    if (const auto both = shared(tables)) {
        const auto [a, b] = *both;
        expect_true(what +
                        (seeds[a] == seeds[b]
                             ? " of seed " + std::to_string(seeds[a])
                             : " of seeds " + std::to_string(seeds[a]) + " and " + std::to_string(seeds[b])) +
                        " have nothing in common",
                    false);
        return;
    }
    expect_true(what + " of different seeds have nothing in common", true);
}

} // namespace harness
