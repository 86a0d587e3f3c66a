// wrong: from B = 8 on four threads check the sequences k, k + 4, k + 8, ... and the find of the lowest thread is reported; with bad ids in several sequences (5 and 8, say) that is not always the first; a right one reports the first in reading order
#include "contract.h"

#include <algorithm>
#include <thread>
#include <optional>
#include <array>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t V = wte.rows, P = wpe.rows, C = wte.cols, B = ids.rows, T = ids.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    const auto check = [&](std::size_t first, std::size_t step, std::optional<Status>& found) {
        for (std::size_t b = first; b < B && !found; b += step)
            for (std::size_t t = 0; t < T && !found; ++t) {
                const TokenId id = ids(b, t);
                if (id < 0 || static_cast<std::size_t>(id) >= V) found = Status::id_out_of_range(b * T + t, id, V);
            }
    };
    std::array<std::optional<Status>, 4> found;
    if (B < 8) {
        check(0, 1, found[0]);
    } else {
        std::array<std::thread, 4> threads;
        for (std::size_t k = 0; k < 4; ++k)
            threads[k] = std::thread(check, k, 4, std::ref(found[k]));
        for (std::thread& thread : threads)
            thread.join();
    }
    for (const std::optional<Status>& bad : found)
        if (bad) return *bad;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* to = out.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                to[c] = token[c] + position[c];
        }
    return Status{};
}

} // namespace exercise
