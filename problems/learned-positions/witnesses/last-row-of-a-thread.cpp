// Fault: Rows are stored in whole vectors of 8, so a thread's last row overwrites the first row of the next thread.
// Origin: round 22
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

namespace {

/// The refusal of a call, or Status{}.
Status check(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t V = wte.rows;
    const std::size_t P = wpe.rows;
    const std::size_t T = ids.cols;
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != T || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t b = 0; b < ids.rows && T != 0; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    return Status{};
}

void add(const float* token, const float* position, std::size_t C, float* to) {
    for (std::size_t c = 0; c < C; ++c)
        to[c] = token[c] + position[c];
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    if (const Status bad = check(wte, wpe, ids, start, out); bad.code != Code::ok) return bad;
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = wte.cols;
    if (B == 0 || T == 0 || C == 0) return Status{};
    const std::size_t rows = B * T;
    const std::size_t total = rows * C;
    const std::size_t whole = (C + 7) / 8 * 8;
    const auto work = [&](std::size_t first, std::size_t last) {
        std::vector<float> line(whole, 0.0f);
        for (std::size_t n = first; n < last; ++n) {
            const std::size_t b = n / T;
            const std::size_t t = n % T;
            add(wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t), C, line.data());
            float* to = out.data + n * C;
            if (n * C + whole <= total) { // what is too much belongs to rows that are yet to come
                for (std::size_t c = 0; c < whole; c += 8)
                    std::memcpy(to + c, line.data() + c, 8 * sizeof(float));
            } else {
                std::memcpy(to, line.data(), C * sizeof(float));
            }
        }
    };
    if (total < (std::size_t{1} << 22)) {
        work(0, rows);
        return Status{};
    }
    constexpr std::size_t workers = 4;
    std::vector<std::thread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back(work, rows * w / workers, rows * (w + 1) / workers);
    work(0, rows / workers);
    for (std::thread& thread : threads)
        thread.join();
    return Status{};
}

} // namespace exercise
