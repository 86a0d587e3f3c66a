// right: positions outside and sequences inside, the last position first, four threads for large calls (joined), and the sum formed in double and rounded to float, which for two floats is the float sum bit for bit, NaN payloads and subnormals included.
#include "contract.h"

#include <algorithm>
#include <system_error>
#include <thread>

namespace exercise {

namespace {

struct Work {
    Matrix<const float> wte, wpe;
    Ids2D ids;
    std::size_t start;
    Tensor3<float> out;

    void operator()(std::size_t first, std::size_t step) const {
        for (std::size_t n = first; n < ids.cols; n += step) {
            const std::size_t t = ids.cols - 1 - n;
            const float* position = wpe.row(start + t);
            for (std::size_t b = 0; b < ids.rows; ++b) {
                const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
                float* to = out.row(b, t);
                for (std::size_t c = 0; c < wte.cols; ++c)
                    to[c] = static_cast<float>(static_cast<double>(token[c]) + static_cast<double>(position[c]));
            }
        }
    }
};

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b) {
        const TokenId* row = ids.row(b);
        const TokenId* bad = std::find_if(
            row, row + T, [V](TokenId id) { return id < 0 || static_cast<std::uint64_t>(id) >= V; });
        if (bad != row + T)
            return Status::id_out_of_range(b * T + static_cast<std::size_t>(bad - row), *bad, V);
    }
    if (C == 0) return Status{};

    const Work work{wte, wpe, ids, start, out};
    constexpr std::size_t parts = 4;
    if (B * T * C < (std::size_t{1} << 17)) {
        work(0, 1);
        return Status{};
    }
    std::thread threads[parts];
    for (std::size_t k = 1; k < parts; ++k) {
        try {
            threads[k] = std::thread(work, k, parts);
        } catch (const std::system_error&) {
            work(k, parts);
        }
    }
    work(0, parts);
    for (std::thread& thread : threads)
        if (thread.joinable()) thread.join();
    return Status{};
}

} // namespace exercise
