// wrong: an id that equals the id of some earlier place of the same call modulo 65,536 but not fully (5 and 65,541) gets the row of the earlier one if no other id of the same residue modulo 256 stood between
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    struct Slot { bool used; std::uint16_t tag; std::size_t row; } memo[256] = {};
    for (std::size_t i = 0; i < ids.size(); ++i) {
        Slot& s = memo[ids[i] & 255];
        const std::uint16_t tag = static_cast<std::uint16_t>(ids[i]);
        const float* from;
        if (s.used && s.tag == tag) from = out.row(s.row); // still warm in the cache
        else { from = table.row(ids[i]); s = {true, tag, i}; }
        if (table.cols) std::memcpy(out.row(i), from, table.cols * sizeof(float));
    }
    return Status{};
}
} // namespace exercise
