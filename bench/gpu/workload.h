#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#if defined(__CUDACC__)
#define ON_BOTH_SIDES __host__ __device__
#else
#define ON_BOTH_SIDES
#endif

/// What is measured, without a device: shapes, ids, synthetic values, and the bytes that nobody can do
/// without. V: vocabulary size, C: channels, B: batch, T: time, N: B * T, U: distinct ids
namespace workload {

struct Shape {
    std::string name;
    std::size_t B, T, C, V;

    std::size_t N() const { return B * T; }
};

/// S1 to S4: GPT-2's vocabulary, and widths of its smallest and its largest model.
std::vector<Shape> shapes();
/// Small enough to hold every element against the CPU, with tails.
std::vector<Shape> tiny_shapes();

enum class Distribution {
    uniform,
    zipf, ///< token v with a probability in proportion to 1 / (v + 1)
    equal ///< one token only
};
const char* to_string(Distribution distribution);

/// N ids, the same in every run.
std::vector<std::int32_t> make_ids(const Shape& shape, Distribution distribution);
std::size_t distinct(std::vector<std::int32_t> ids);

/// Each row of a table that occurs is read once, each output written once: U C e + T C e + N C e' + 4 N.
std::size_t forward_bytes(const Shape& shape, std::size_t U, bool positions, std::size_t bytes_of_an_output);
/// dout is read once for both gradients, whose rows are read and written: N C 4 + 2 U C 4 + 2 T C 4 + 8 N.
std::size_t backward_bytes(const Shape& shape, std::size_t U);

/// At most so many of 0, ..., count - 1, evenly spread, the first and the last among them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most);

ON_BOTH_SIDES inline std::uint64_t hash(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// In [-1, 1), with 24 bits, and exact in each step: a device and a CPU agree on it.
ON_BOTH_SIDES inline float value(std::uint64_t seed, std::uint64_t index) {
    return static_cast<float>(hash(seed, index) >> 40) * 0x1p-23F - 1.0F;
}

} // namespace workload
