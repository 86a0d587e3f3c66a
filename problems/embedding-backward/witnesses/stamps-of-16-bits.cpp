// Fault: Stamps of 16 bits are not cleared when they wrap, so in the 65,536th call tokens count as already seen.
// Origin: round 21
// Depth: thorough
#include "contract.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {

namespace {

Status check(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
             const BackwardOptions& options) {
    const std::size_t channels = dwte.cols, vocabulary = dwte.rows, positions = dwpe.rows;
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != channels || dwpe.cols != channels)
        return {Code::shape_mismatch, 0, 0, 0};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= vocabulary)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(vocabulary)};
    if (options.start > positions || ids.cols > positions - options.start) {
        const std::size_t p = std::max(options.start, positions);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), positions);
    }
    if (ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= vocabulary)
                return Status::id_out_of_range(b * ids.cols + t, row[t], vocabulary);
    }
    return {};
}

/// Where the sum of a token lies. A stamp that is not the number of this call is an old one, so that the
/// table need not be cleared from call to call.
struct Slots {
    std::vector<std::uint16_t> stamp;
    std::vector<std::size_t> slot;
    std::uint16_t call = 0;
};
Slots slots;

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = check(dout, ids, dwte, dwpe, options); status.code != Code::ok) return status;
    const std::size_t batch = dout.batch, time = dout.time, channels = dout.channels;
    if (batch == 0 || time == 0 || channels == 0) return {};

    const std::size_t reach = std::min<std::size_t>(dwte.rows, std::size_t{1} << 31);
    if (slots.stamp.size() < reach) {
        slots.stamp.resize(reach);
        slots.slot.resize(reach);
    }
    ++slots.call;

    std::vector<TokenId> met;
    std::vector<float> sums(std::min(batch * time, reach) * channels);
    for (std::size_t b = 0; b < batch; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < time; ++t) {
            const float* from = dout.row(b, t);
            float* at = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < channels; ++c)
                at[c] += from[c];
            if (row[t] == options.padding_idx) continue;
            const auto v = static_cast<std::size_t>(row[t]);
            if (slots.stamp[v] != slots.call) {
                slots.stamp[v] = slots.call;
                slots.slot[v] = met.size();
                met.push_back(row[t]);
            }
            float* sum = sums.data() + slots.slot[v] * channels;
            for (std::size_t c = 0; c < channels; ++c)
                sum[c] += from[c];
        }
    }
    for (std::size_t i = 0; i < met.size(); ++i) {
        float* to = dwte.row(static_cast<std::size_t>(met[i]));
        const float* sum = sums.data() + i * channels;
        for (std::size_t c = 0; c < channels; ++c)
            to[c] += options.scale * sum[c];
    }
    return {};
}

} // namespace exercise
