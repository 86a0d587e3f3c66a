// wrong: ids are checked in blocks of 4,096 just before the block is copied, so a bad id at 4,096 or later is refused after the rows of the blocks before it have been written
#include "contract.h"
#include <algorithm>
#include <cstring>
namespace exercise {
constexpr std::size_t kBlock = 4096;
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t first = 0; first < ids.size(); first += kBlock) {
        const std::size_t last = std::min(first + kBlock, ids.size());
        for (std::size_t i = first; i < last; ++i)
            if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
        if (table.cols)
            for (std::size_t i = first; i < last; ++i)
                std::memcpy(out.row(i), table.row(ids[i]), table.cols * sizeof(float));
    }
    return Status{};
}
} // namespace exercise
