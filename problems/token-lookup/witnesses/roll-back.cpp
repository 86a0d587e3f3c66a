// Fault: Rows are written before all ids are checked and restored after a bad id.
// Origin: round 15
#include "contract.h"

#include <cstring>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size(), C = table.cols;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};
    std::vector<float> before; // what the rows held that are already written
    for (std::size_t i = 0; i < T; ++i) {
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows) {
            if (C != 0)
                for (std::size_t k = 0; k < i; ++k)
                    std::memcpy(out.row(k), before.data() + k * C, C * sizeof(float));
            return Status::id_out_of_range(i, ids[i], table.rows);
        }
        if (C == 0) continue;
        before.resize((i + 1) * C);
        std::memcpy(before.data() + i * C, out.row(i), C * sizeof(float));
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), C * sizeof(float));
    }
    return Status{};
}

} // namespace exercise
