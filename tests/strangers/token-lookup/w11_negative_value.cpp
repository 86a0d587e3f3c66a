// wrong: a negative id -k is refused, but with value 2^32 - k instead of -k in the status
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    std::size_t i = 0;
    for (std::uint32_t id : ids) { // negative ones become huge
        if (id >= table.rows) return Status::id_out_of_range(i, id, table.rows);
        ++i;
    }
    i = 0;
    for (std::uint32_t id : ids) {
        if (table.cols) std::memcpy(out.row(i), table.row(id), table.cols * 4);
        ++i;
    }
    return {};
}
} // namespace exercise
