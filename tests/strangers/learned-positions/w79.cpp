// wrong: where out has 2^20 elements or more, four threads take B * T / 4 rows each (rounded down), so the last (B * T) modulo 4 rows of out are not written.
#include "contract.h"

#include <algorithm>
#include <thread>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t T = ids.cols, C = wte.cols, rows = ids.rows * ids.cols;
    if (wpe.cols != C || out.batch != ids.rows || out.time != T || out.channels != C) return {Code::shape_mismatch};
    if (start > wpe.rows || T > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    for (std::size_t i = 0; i < rows; ++i) {
        const TokenId id = ids(i / T, i % T);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows) return Status::id_out_of_range(i, id, wte.rows);
    }
    const auto work = [=](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t b = i / T, t = i % T;
            const float* x = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* y = wpe.row(start + t);
            float* z = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                z[c] = x[c] + y[c];
        }
    };
    if (rows * C < (std::size_t{1} << 20)) {
        work(0, rows);
        return {};
    }
    constexpr std::size_t threads = 4;
    const std::size_t share = rows / threads;
    std::thread team[threads];
    for (std::size_t k = 0; k < threads; ++k)
        team[k] = std::thread(work, k * share, (k + 1) * share);
    for (std::thread& each : team)
        each.join();
    return {};
}

} // namespace exercise
