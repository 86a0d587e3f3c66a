#pragma once

#include "harness/random.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The range one size is drawn from, both ends included.
struct SizeRange {
    std::string name;
    std::size_t least = 0;
    std::size_t most = 0;
};

/// One draw of sizes, by name.
class Sizes {
  public:
    Sizes(const std::vector<SizeRange>& ranges, std::vector<std::size_t> values);

    std::size_t
    operator[](std::string_view name) const; ///< throws std::out_of_range for a name that was not drawn
    const std::vector<std::size_t>& values() const { return values_; }
    std::string print() const; ///< "V = 6, C = 3, T = 4"

  private:
    const std::vector<SizeRange>* ranges_;
    std::vector<std::size_t> values_;
};

/// Runs `body` on `count` draws; the last of them is not drawn but the largest of every size, so that what
/// shows at large sizes alone shows for every seed. The first draw that fails is shrunk to the smallest sizes
/// that still fail, and only that failure is reported, with its sizes. `body` gets a stream that depends on
/// the sizes alone, so a shrunk case is repeatable; it makes its claims with expect_*.
void for_random_sizes(int count, const std::vector<SizeRange>& ranges,
                      const std::function<void(const Sizes&, Random&)>& body);

} // namespace harness
