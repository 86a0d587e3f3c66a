// wrong: for a token whose row is all zeros (a padding token) the position row is copied instead of added, so +0 and -0 give -0; a right one gives the float sum, +0
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > wpe.rows || T > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t n = 0; n < B * T; ++n)
        if (const std::int64_t id = ids(n / T, n % T); id < 0 || static_cast<std::uint64_t>(id) >= wte.rows)
            return Status::id_out_of_range(n, id, wte.rows);
    if (C == 0) return Status{};
    const auto is_zero = [](float value) { return value == 0.0F; };
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            if (std::all_of(token, token + C, is_zero))
                std::memcpy(out.row(b, t), position, C * sizeof(float));
            else
                std::transform(token, token + C, position, out.row(b, t), [](float a, float p) { return a + p; });
        }
    return Status{};
}

} // namespace exercise
