#pragma once

#include "workload.h"

#include <cstdint>
#include <string>
#include <vector>

/// What the references on the CPU make of the synthetic inputs: some rows of the forward pass, and some
/// columns of both gradients, so that large shapes are compared with them in seconds.
namespace expected {

/// The tables and gradients are filled with workload::value of these seeds and the element's number.
enum Seed : std::uint64_t { wte = 1, wpe, dout, dwte, dwpe };

std::vector<float> table_row(Seed seed, std::size_t row, std::size_t C);

/// Row `row` of the forward pass with dropout.
template <class T>
std::vector<T> embedded_row(const workload::Shape& shape, const std::vector<std::int32_t>& ids,
                            std::size_t row);

/// How the forward pass is called.
constexpr float dropped = 0.1F;
constexpr std::uint64_t dropout_seed = 42;

struct Gradients {
    std::vector<std::size_t> columns; ///< of C, that the matrices hold
    std::vector<float> dwte;          ///< (V, columns)
    std::vector<float> dwpe;          ///< (T, columns)
};

/// After so many calls, each of which adds to what the one before left.
Gradients gradients(const workload::Shape& shape, const std::vector<std::int32_t>& ids,
                    const std::vector<std::size_t>& columns, std::size_t calls);

/// Throws a sentence about the first element that has other bits.
template <class T>
void same_bits(const std::string& what, std::size_t row, std::size_t column, T got, T wanted);

} // namespace expected
