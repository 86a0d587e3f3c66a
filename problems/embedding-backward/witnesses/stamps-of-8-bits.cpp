// Fault: A kept table is valid by a call number of 8 bits, which wraps without clearing.
// Origin: round 11
// Depth: thorough
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {

/// Everything that can be refused, in the order of the contract.
Status refusal(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
               const Matrix<float>& dwpe, const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dwte.cols != dout.channels ||
        dwpe.cols != dout.channels)
        return {Code::shape_mismatch};
    const std::size_t V = dwte.rows, P = dwpe.rows;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || dout.time > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (ids.rows == 0 || ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), V);
    return {};
}

/// Positions, in the order of the batch.
void add_positions(const Tensor3<const float>& dout, const Matrix<float>& dwpe, std::size_t start) {
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const float* g = dout.row(b, t);
            float* row = dwpe.row(start + t);
            for (std::size_t c = 0; c < dout.channels; ++c)
                row[c] += g[c];
        }
}

struct Slot {
    TokenId id = -1;
    std::uint8_t stamp = 0;
    std::size_t sum = 0;
};

/// Kept, since clearing it would cost more than a small call.
struct Table {
    std::vector<Slot> slots;
    std::vector<float> sums;
    std::uint8_t stamp = 0;
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status status = refusal(dout, ids, dwte, dwpe, options); status != Status{}) return status;
    if (dout.batch == 0 || dout.time == 0 || dout.channels == 0) return {};
    static Table table;
    const std::size_t C = dout.channels, places = dout.batch * dout.time;
    if (table.slots.size() < 4 * places) {
        std::size_t size = 64;
        while (size < 4 * places)
            size *= 2;
        table.slots.assign(size, Slot{});
    }
    if (table.sums.size() < places * C) table.sums.resize(places * C);
    if (++table.stamp == 0) table.stamp = 1;

    std::vector<TokenId> tokens;
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t) {
            const TokenId id = ids(b, t);
            std::size_t i = static_cast<std::size_t>(id) & (table.slots.size() - 1);
            while (table.slots[i].stamp == table.stamp && table.slots[i].id != id)
                i = (i + 1) & (table.slots.size() - 1);
            Slot& slot = table.slots[i];
            if (slot.stamp != table.stamp) {
                slot = {id, table.stamp, tokens.size() * C};
                std::fill_n(table.sums.begin() + static_cast<std::ptrdiff_t>(slot.sum), C, 0.0F);
                tokens.push_back(id);
            }
            const float* g = dout.row(b, t);
            for (std::size_t c = 0; c < C; ++c)
                table.sums[slot.sum + c] += g[c];
        }
    for (std::size_t k = 0; k < tokens.size(); ++k)
        if (tokens[k] != options.padding_idx)
            for (std::size_t c = 0; c < C; ++c)
                dwte(static_cast<std::size_t>(tokens[k]), c) += options.scale * table.sums[k * C + c];
    add_positions(dout, dwpe, options.start);
    return {};
}

} // namespace exercise
