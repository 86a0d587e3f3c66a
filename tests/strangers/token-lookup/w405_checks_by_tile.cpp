// wrong: checks and copies in tiles of 256 ids, so that the ids are still in the cache when their rows are copied; a bad id at i >= 256 is refused correctly, but the rows of the tiles before it have been written. A right one writes nothing in a refused call.
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    constexpr std::size_t tile = 256;
    const std::size_t T = ids.size(), C = table.cols, V = table.rows;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};

    for (std::size_t begin = 0; begin < T; begin += tile) {
        const std::size_t end = std::min(T, begin + tile);
        for (std::size_t i = begin; i < end; ++i) {
            const std::int64_t id = ids[i];
            if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(i, id, V);
        }
        if (C == 0) continue;
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), C * sizeof(float));
    }
    return Status{};
}

} // namespace exercise
