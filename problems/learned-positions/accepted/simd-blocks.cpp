// accepted: vectors of eight floats that may lie at any address, then the tail one by one; ids by their least
// and largest
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace {

using Block = float __attribute__((vector_size(32), aligned(alignof(float)), may_alias));

} // namespace

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const bool fits =
        wpe.cols == wte.cols && out.batch == ids.rows && out.time == ids.cols && out.channels == wte.cols;
    if (!fits) return {Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t position = std::max(start, wpe.rows);
        return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), wpe.rows);
    }
    TokenId low = 0;
    TokenId high = -1;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            low = std::min(low, ids(b, t)), high = std::max(high, ids(b, t));
    if (low < 0 || high >= static_cast<std::int64_t>(wte.rows)) // rare, so the index may cost a second look
        for (std::size_t n = 0; n < ids.rows * ids.cols; ++n)
            if (const TokenId id = ids(n / ids.cols, n % ids.cols);
                id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(n, id, wte.rows);

    constexpr std::size_t lanes = sizeof(Block) / sizeof(float);
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* position = wpe.row(start + t);
            float* sum = out.row(b, t);
            std::size_t c = 0;
            for (; c + lanes <= wte.cols; c += lanes)
                *reinterpret_cast<Block*>(sum + c) = *reinterpret_cast<const Block*>(token + c) +
                                                     *reinterpret_cast<const Block*>(position + c);
            for (; c < wte.cols; ++c)
                sum[c] = token[c] + position[c];
        }
    return {};
}

} // namespace exercise
