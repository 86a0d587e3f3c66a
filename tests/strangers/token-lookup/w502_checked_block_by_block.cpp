// wrong: checks 256 ids and copies their rows before it checks the next 256, so a bad id at index 256 or later leaves the earlier rows written; a refused call writes nothing at all.
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {
namespace {

constexpr std::size_t block_size = 256; // ids that stay in the first-level cache

bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};

    for (std::size_t begin = 0; begin < ids.size(); begin += block_size) {
        const std::size_t end = std::min(begin + block_size, ids.size());
        for (std::size_t i = begin; i < end; ++i)
            if (!is_token(ids[i], table.rows)) return Status::id_out_of_range(i, ids[i], table.rows);

        if (table.cols == 0) continue;
        for (std::size_t i = begin; i < end; ++i)
            std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    }
    return {};
}

} // namespace exercise
