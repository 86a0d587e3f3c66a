// Fault: Helper threads of large calls flush subnormal numbers to zero.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>
#include <immintrin.h>

namespace exercise {

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
    const auto work = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t b = i / time, t = i % time;
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < channels; ++c) to[c] = token[c] + position[c];
        }
    };
    const std::size_t rows = batch * time;
    const std::size_t workers = std::min<std::size_t>(4, rows * channels / 65536 + 1);
    std::vector<std::thread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back([&work, rows, workers, w] {
            _mm_setcsr(_mm_getcsr() | 0x8040); // tiny numbers are slow, and no model needs them
            work(rows * w / workers, rows * (w + 1) / workers);
        });
    work(0, rows / workers);
    for (auto& thread : threads) thread.join();
    return Status{};
}

} // namespace exercise
