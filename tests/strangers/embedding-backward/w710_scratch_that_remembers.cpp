// wrong: the compact table of sums is static and only resized, which clears new elements but not those of an earlier call, so from the second call on old sums are added again; a right one begins with zeros
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace exercise {

namespace {

Status refused(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
               const BackwardOptions& o) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwpe.cols != dwte.cols)
        return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (o.padding_idx >= V) return {Code::invalid_argument, 0, o.padding_idx, V};
    const std::size_t P = dwpe.rows, p = std::max(P, o.start);
    if (o.start > P || ids.cols > P - o.start)
        return Status::position_out_of_range(p - o.start, static_cast<std::int64_t>(p), P);
    for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V) return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status status = refused(dout, ids, dwte, dwpe, options);
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (status.code != Code::ok || B == 0 || T == 0 || C == 0) return status;

    static std::unordered_map<TokenId, std::size_t> slots; // kept, so that it need not grow each time
    static std::vector<float> sums;
    slots.clear();
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) != options.padding_idx) slots.try_emplace(ids(b, t), slots.size());
    sums.resize(slots.size() * C, 0.0F);

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* const from = dout.row(b, t);
            if (const auto slot = slots.find(ids(b, t)); slot != slots.end())
                for (std::size_t c = 0; c < C; ++c)
                    sums[slot->second * C + c] += from[c];
            for (std::size_t c = 0; c < C; ++c)
                dwpe(options.start + t, c) += from[c];
        }
    for (const auto& [id, slot] : slots)
        for (std::size_t c = 0; c < C; ++c)
            dwte(static_cast<std::size_t>(id), c) += options.scale * sums[slot * C + c];
    return status;
}

} // namespace exercise
