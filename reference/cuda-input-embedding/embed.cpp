#include "contract.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

// What the kernels are held against: the same on a CPU, one element at a time.
namespace exercise {
namespace {

double uniform(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (static_cast<double>((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

float drop(float value, Dropout dropout, std::uint64_t element) {
    if (!dropout.train) return value;
    if (uniform(dropout.seed, dropout.offset + element) < dropout.p) return 0.0F;
    return value * (1.0F / (1.0F - dropout.p));
}

/// Adding half a step, or a hair less where the upper half is even, carries into it exactly if it must grow.
std::uint16_t to_bf16(float value) {
    if (std::isnan(value)) return 0x7fff;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

void store(float& to, float value) {
    to = value;
}
void store(std::uint16_t& to, float value) {
    to = to_bf16(value);
}

template <class T>
Status embed_as(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
                std::size_t start, Dropout dropout, DeviceTensor3<T> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (!(dropout.p >= 0 && dropout.p <= 1)) return {Code::invalid_argument};

    std::uint64_t element = 0;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            for (std::size_t c = 0; c < wte.cols; ++c) {
                const TokenId id = ids(b, t);
                const bool known = id >= 0 && static_cast<std::size_t>(id) < wte.rows;
                const float token =
                    known ? wte(static_cast<std::size_t>(id), c) : std::numeric_limits<float>::quiet_NaN();
                store(out(b, t, c), drop(token + wpe(start + t, c), dropout, element++));
            }
    return {};
}

} // namespace

Status embed(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe, DeviceMatrix<const TokenId> ids,
             std::size_t start, Dropout dropout, DeviceTensor3<float> out, cudaStream_t) {
    return embed_as(wte, wpe, ids, start, dropout, out);
}

Status embed_bf16(DeviceMatrix<const float> wte, DeviceMatrix<const float> wpe,
                  DeviceMatrix<const TokenId> ids, std::size_t start, Dropout dropout,
                  DeviceTensor3<std::uint16_t> out, cudaStream_t) {
    return embed_as(wte, wpe, ids, start, dropout, out);
}

} // namespace exercise
