// wrong: the index of a bad id at 65,536 or later is reported modulo 65,536
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    std::int64_t firstBad = -1;
    unsigned short block = 0; // number within a block of 65536
    for (auto id : ids) {
        if (id < 0 || (std::size_t)id >= table.rows) { firstBad = block; return Status::id_out_of_range((std::size_t)firstBad, id, table.rows); }
        ++block;
    }
    for (std::size_t i = 0; i != ids.size(); ++i)
        if (table.cols) std::memcpy(out.row(i), table.row(ids[i]), sizeof(float) * table.cols);
    return {};
}
} // namespace exercise
