#include "harness/adversity/seeds.h"

#include "harness/adversity/parameters.h"
#include "harness/expect.h"

#include <algorithm>

namespace harness {
namespace {

std::vector<std::uint64_t> seeds_to_confuse() {
    std::vector<std::uint64_t> list;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        list.push_back(seed);
    for (const std::uint64_t seed : {42, 123, 1'337, 1'234'567})
        list.insert(list.end(), {seed, seed + (1ULL << 32), seed + (1ULL << 53), seed + (1ULL << 63)});
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

} // namespace

void expect_own_numbers(const std::string& what, const std::function<Drawn(std::uint64_t)>& draw) {
    std::vector<std::uint64_t> seeds;
    Drawn tables;
    for (const std::uint64_t seed : seeds_to_confuse())
        for (std::vector<float>& table : draw(seed)) {
            seeds.push_back(seed);
            tables.push_back(std::move(table));
        }
    for (std::size_t a = 0; a < tables.size(); ++a)
        for (std::size_t b = a + 1; b < tables.size(); ++b)
            if (equal_numbers(tables[a], tables[b]) >= 3) {
                expect_true(what +
                                (seeds[a] == seeds[b] ? " of seed " + std::to_string(seeds[a])
                                                      : " of seeds " + std::to_string(seeds[a]) + " and " +
                                                            std::to_string(seeds[b])) +
                                " have nothing in common",
                            false);
                return;
            }
    expect_true(what + " of different seeds have nothing in common", true);
}

} // namespace harness
