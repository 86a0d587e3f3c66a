// wrong: the window refusal is always position_out_of_range(P - start, P, P), so with start > P where is a number that wrapped around and value is P instead of start
#include "contract.h"

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    std::size_t B = ids.rows, T = ids.cols, C = wte.cols;
    if (wpe.cols != C) return Status{Code::shape_mismatch};
    if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};

    // the first position that does not exist is wpe.rows
    if (start > wpe.rows || T > wpe.rows - start)
        return Status::position_out_of_range(wpe.rows - start, (std::int64_t)wpe.rows, wpe.rows);

    for (std::size_t i = 0; i < B * T; i++) {
        TokenId id = ids(i / T, i % T);
        if (id < 0 || (std::size_t)id >= wte.rows) return Status::id_out_of_range(i, id, wte.rows);
    }

    for (std::size_t t = 0; t < T; t++)
        for (std::size_t b = 0; b < B; b++)
            for (std::size_t c = 0; c < C; c++) out(b, t, c) = wte(ids(b, t), c) + wpe(start + t, c);
    return Status{};
}

} // namespace exercise
