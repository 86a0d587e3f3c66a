// accepted: bare pointers that walk through ids and rows, the range test as one unsigned comparison
#include "contract.h"

#include <cstdint>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.cols != table.cols || out.rows != ids.size()) return {Code::shape_mismatch};
    const TokenId* const end = ids.data() + ids.size();
    for (const TokenId* id = ids.data(); id != end; ++id)
        if (static_cast<std::uint64_t>(static_cast<std::int64_t>(*id)) >= table.rows)
            return Status::id_out_of_range(static_cast<std::size_t>(id - ids.data()), *id, table.rows);

    float* to = out.data;
    for (const TokenId* id = ids.data(); id != end; ++id, to += out.stride) {
        const float* from = table.data + static_cast<std::size_t>(*id) * table.stride;
        for (std::size_t c = 0; c < table.cols; ++c)
            to[c] = from[c];
    }
    return {};
}

} // namespace exercise
