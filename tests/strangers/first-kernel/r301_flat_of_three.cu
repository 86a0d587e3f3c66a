// right: blocks of 32 x 3 threads in a two-dimensional grid, two elements a thread half an array apart, taken from the end of the array, and each sum made in double (rounding an exact-enough double sum of two floats once more gives the float sum)
#include "contract.h"

namespace {

constexpr unsigned rows = 3;
constexpr unsigned threads = 32 * rows;
constexpr unsigned most_columns = 1000;

__device__ float sum_of(float a, float b) {
    return static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
}

__global__ void add_halves(contract::DeviceSpan<const float> tokens, contract::DeviceSpan<const float> positions,
                           contract::DeviceSpan<float> out, std::size_t half) {
    const std::size_t block = static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x;
    const std::size_t number = (block * rows + threadIdx.y) * 32 + threadIdx.x;
    if (number >= half) return;
    const std::size_t n = out.size();
    const std::size_t upper = n - 1 - number; // n - half .. n - 1
    out[upper] = sum_of(tokens[upper], positions[upper]);
    const std::size_t lower = half - 1 - number; // 0 .. half - 1, which for odd n meets the upper half
    if (lower < n - half) out[lower] = sum_of(tokens[lower], positions[lower]);
}

} // namespace

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    const std::size_t n = out.size();
    if (n == 0) return;
    const std::size_t half = n - n / 2;
    const std::size_t blocks = (half + threads - 1) / threads;
    const unsigned columns = static_cast<unsigned>(blocks < most_columns ? blocks : most_columns);
    const unsigned lines = static_cast<unsigned>((blocks + columns - 1) / columns);
    add_halves<<<dim3(columns, lines), dim3(32, rows), 0, stream>>>(tokens, positions, out, half);
}

} // namespace exercise
