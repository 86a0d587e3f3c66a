#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

/// The sizes of one call, by name: V, C, T, and whatever else an argument's shape follows from.
class Extents {
  public:
    Extents() = default;
    Extents(std::initializer_list<std::pair<std::string, std::size_t>> values) : values_(values) {}

    std::size_t operator[](std::string_view name) const; ///< throws std::out_of_range for an unknown name
    void set(std::string_view name, std::size_t value);  ///< adds the name where it is new
    const std::vector<std::pair<std::string, std::size_t>>& values() const { return values_; }
    std::string print() const; ///< "V = 6, C = 3"

  private:
    std::vector<std::pair<std::string, std::size_t>> values_;
};

/// One size of an argument: an extent by its name, or a number that follows from several.
class Dim {
  public:
    Dim(const char* extent);
    Dim(std::function<std::size_t(const Extents&)> of) : of_(std::move(of)) {}

    std::size_t of(const Extents& extents) const { return of_(extents); }

  private:
    std::function<std::size_t(const Extents&)> of_;
};

/// Sizes at which loops, vector widths, blocks and buffers begin and end: 1, 2, 3, powers of two and their
/// neighbours up to 4,097, widths that are no multiple of what code is unrolled by, and some by which nobody
/// may divide by multiplying.
const std::vector<std::size_t>& boundary_sizes();

/// Of these, all up to 257, and of longer ones those above a power of two: where each call takes long.
const std::vector<std::size_t>& sparse_boundary_sizes();

/// Of these, all up to `largest`.
std::vector<std::size_t> boundary_sizes_up_to(std::size_t largest);

/// Sizes beyond what 16 bits count, and beyond what a scratch array of a round size holds.
std::vector<std::size_t> long_sizes();

/// The same for kernels, in thorough runs: a limit of a grid that holds for the smaller size holds for this
/// one.
std::vector<std::size_t> long_sizes_of_launches();

/// Boundary sizes, fewer, for pairs of extents.
const std::vector<std::size_t>& paired_sizes();
/// The same for kernels, whose threads are run one after the other.
const std::vector<std::size_t>& short_paired_sizes();

} // namespace harness
