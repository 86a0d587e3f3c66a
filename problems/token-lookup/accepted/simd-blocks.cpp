// accepted: vectors of eight floats that may lie at any address, then the tail one by one
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace {

using Block = float __attribute__((vector_size(32), aligned(alignof(float)), may_alias));

} // namespace

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    TokenId low = 0;
    TokenId high = -1;
    for (const TokenId id : ids)
        low = std::min(low, id), high = std::max(high, id);
    if (low < 0 || high >= static_cast<std::int64_t>(table.rows)) // rare, so the index may cost a second look
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);

    constexpr std::size_t lanes = sizeof(Block) / sizeof(float);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* from = table.row(static_cast<std::size_t>(ids[i]));
        float* to = out.row(i);
        std::size_t c = 0;
        for (; c + lanes <= table.cols; c += lanes)
            *reinterpret_cast<Block*>(to + c) = *reinterpret_cast<const Block*>(from + c);
        for (; c < table.cols; ++c)
            to[c] = from[c];
    }
    return {};
}

} // namespace exercise
