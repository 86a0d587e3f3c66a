// wrong: reads ids[i + 4] to prefetch its row, for the last four ids too, so it reads up to four ids behind the end of `ids`, where there may be no memory; a right one reads only the T ids (the results are right)
#include "contract.h"

#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return Status{};

    const TokenId* id = ids.data();
    const auto* bytes = reinterpret_cast<const char*>(table.data);
    const std::size_t pitch = table.stride * sizeof(float);
    for (std::size_t i = 0; i < ids.size(); ++i, ++id) {
        // An address that leads nowhere does no harm to a prefetch.
        const volatile TokenId* ahead = id + 4;
        __builtin_prefetch(bytes + static_cast<std::size_t>(*ahead) * pitch);
        std::memcpy(out.row(i), bytes + static_cast<std::size_t>(*id) * pitch, table.cols * sizeof(float));
    }
    return Status{};
}

} // namespace exercise
