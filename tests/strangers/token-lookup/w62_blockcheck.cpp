// wrong: ids are checked and copied in blocks of 4,096, so a bad id at place 4,096 or later is reported after the blocks before it have been written to out
#include "contract.h"
#include <cstring>

namespace exercise {

// Checks and copies a block while its ids are still in the cache.
static constexpr std::size_t block = 4096;

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t first = 0; first < ids.size(); first += block) {
        const std::size_t last = first + block < ids.size() ? first + block : ids.size();
        for (std::size_t i = first; i < last; ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        if (table.cols == 0) continue;
        for (std::size_t i = first; i < last; ++i)
            std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    }
    return {};
}

} // namespace exercise
