// wrong: for C > 256 that leave a rest of 1 to 7 behind blocks of 8, the last C mod 8 channels of the last row stay unwritten if the last id equals the one before it
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    const std::size_t C = table.cols, T = ids.size();
    for (std::size_t i = 0; i < T; ++i) {
        const float* s = table.row(ids[i]);
        float* d = out.row(i);
        std::size_t c = 0;
        for (; c + 8 <= C; c += 8) std::memcpy(d + c, s + c, 32);
        const bool again = i > 0 && ids[i] == ids[i - 1];
        if (again && C > 256 && i == T - 1) break;
        for (; c < C; ++c) std::memcpy(d + c, s + c, 4);
    }
    return Status{};
}
} // namespace exercise
