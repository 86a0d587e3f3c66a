// Fault: Ids of the previous call are not checked again, although V may have become smaller.
// Origin: round 19
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace exercise {

namespace {

// The ids of the last call that passed; a loop over epochs sends the same batch again and again.
thread_local std::vector<TokenId> approved;

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size();
    const std::size_t width = table.cols;
    if (out.rows != count || out.cols != width) return Status{Code::shape_mismatch};
    const bool known = !ids.empty() && std::equal(ids.begin(), ids.end(), approved.begin(), approved.end());
    if (!known) {
        for (std::size_t i = 0; i < count; ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        approved.assign(ids.begin(), ids.end());
    }
    if (width == 0) return Status{};
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), width * sizeof(float));
    return Status{};
}

} // namespace exercise
