// Fault: Rejects calls whose out lies in the padding of an input, as if they overlapped.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

// Do the elements [a, a + n) and [b, b + m) have memory in common?
bool overlap(const void* a, std::size_t n, const void* b, std::size_t m) {
    const auto first = reinterpret_cast<std::uintptr_t>(a), second = reinterpret_cast<std::uintptr_t>(b);
    return n != 0 && m != 0 && first < second + m * 4 && second < first + n * 4;
}

template <class T>
std::size_t extent(const Matrix<T>& m) {
    return m.rows == 0 || m.cols == 0 ? 0 : (m.rows - 1) * m.stride + m.cols;
}

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t vocabulary = wte.rows, positions = wpe.rows, channels = wte.cols;
    const std::size_t batch = ids.rows, time = ids.cols;
    if (wpe.cols != channels || out.batch != batch || out.time != time || out.channels != channels)
        return Status{Code::shape_mismatch};
    const std::size_t size = batch * time * channels;
    if (overlap(out.data, size, wte.data, extent(wte)) || overlap(out.data, size, wpe.data, extent(wpe)) ||
        overlap(out.data, size, ids.data, extent(ids)))
        return Status{Code::invalid_argument}; // never write into an input
    if (start > positions || time > positions - start) {
        const std::size_t p = std::max(start, positions);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
    }
    if (batch == 0 || time == 0) return Status{};
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t t = 0; t < time; ++t) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= vocabulary)
                return Status::id_out_of_range(b * time + t, id, vocabulary);
        }
    if (channels == 0) return Status{};
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t t = 0; t < time; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c) to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise
