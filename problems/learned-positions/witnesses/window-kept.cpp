// Fault: The position window is cached and reused if address, shape, first and last value agree.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

namespace {
// The window of positions without gaps. It is the same call after call, so it is kept.
struct Window {
    const float* data = nullptr;
    std::size_t start = 0, time = 0, channels = 0, stride = 0;
    std::vector<float> rows;
};
thread_local Window window;

const float* window_of(const Matrix<const float>& wpe, std::size_t start, std::size_t time) {
    const float* first = wpe.row(start);
    const float* last = wpe.row(start + time - 1) + wpe.cols - 1;
    const bool known = window.data == wpe.data && window.start == start && window.time == time &&
                       window.channels == wpe.cols && window.stride == wpe.stride &&
                       std::memcmp(&window.rows.front(), first, sizeof(float)) == 0 &&
                       std::memcmp(&window.rows.back(), last, sizeof(float)) == 0;
    if (!known) {
        window = {wpe.data, start, time, wpe.cols, wpe.stride, std::vector<float>(time * wpe.cols)};
        for (std::size_t t = 0; t < time; ++t)
            std::memcpy(window.rows.data() + t * wpe.cols, wpe.row(start + t), wpe.cols * sizeof(float));
    }
    return window.rows.data();
}
} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t vocabulary = wte.rows, positions = wpe.rows, channels = wte.cols;
    const std::size_t batch = ids.rows, time = ids.cols;
    if (wpe.cols != channels || out.batch != batch || out.time != time || out.channels != channels)
        return Status{Code::shape_mismatch};
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
    const float* const table = window_of(wpe, start, time);
    for (std::size_t b = 0; b < batch; ++b)
        for (std::size_t t = 0; t < time; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = table + t * channels;
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c) to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise
