// right: copies the position block into every sequence with memcpy first and adds the tokens to it in place, in double rounded to float, sequences shared by two threads
#include "contract.h"
#include <cstring>
#include <thread>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, P = wpe.rows;
    if (!(wpe.cols == C && out.batch == B && out.time == T && out.channels == C)) return Status{Code::shape_mismatch};
    const std::size_t left = start < P ? P - start : 0;
    if (T > left || start > P)
        return Status::position_out_of_range(left, static_cast<std::int64_t>(start + left), P);
    for (std::size_t b = 0; b < B; ++b) {
        const TokenId* row = ids.data + b * ids.stride;
        for (std::size_t t = 0; t < T; ++t)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= wte.rows)
                return Status::id_out_of_range(b * T + t, row[t], wte.rows);
    }
    if (B == 0 || T == 0 || C == 0) return {};

    const auto work = [=](std::size_t first, std::size_t last) {
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                float* to = out.row(b, t);
                std::memcpy(to, wpe.row(start + t), C * sizeof(float));
                const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
                // One rounding: a double holds the sum of two floats well enough to be rounded once more.
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>(static_cast<double>(to[c]) + static_cast<double>(token[c]));
            }
    };
    std::thread half(work, 0, B / 2);
    work(B / 2, B);
    half.join();
    return {};
}

} // namespace exercise
