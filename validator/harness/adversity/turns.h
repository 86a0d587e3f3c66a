#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace harness {

/// Picks every `step`-th of each of several lists, and at least one where there is one. Where it begins moves
/// on from list to list, so that lists of one shape do not always lose the same calls.
class Turns {
  public:
    explicit Turns(std::size_t step) : step_(step) {}

    /// The positions picked of the next list, which has `size` entries.
    std::vector<std::size_t> of_next(std::size_t size) {
        std::vector<std::size_t> picked;
        if (size == 0) return picked;
        for (std::size_t at = lists_++ % std::min(step_, size); at < size; at += step_)
            picked.push_back(at);
        return picked;
    }

  private:
    std::size_t step_;
    std::size_t lists_ = 0;
};

} // namespace harness
