// wrong: a static table of the tokens of the call is filled while the ids are checked and cleared only at the end of a call that succeeds, so after a call refused for a bad id the next call with the same dwte (address and V) also adds scale * 0 to the rows of tokens that stood before the bad id, so in rows without a token -0.0 becomes +0.0, a signalling NaN quiet, and everything NaN where scale is infinite.
#include "contract.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace exercise {
namespace {

// Sums of the tokens of one call. Kept, because making a hash table anew is slow.
struct Sums {
    std::unordered_map<TokenId, std::size_t> slots;
    std::vector<double> values;

    void see(TokenId id) { slots.try_emplace(id, slots.size()); }
    void prepare(std::size_t width) { values.assign(slots.size() * width, 0.0); }
    double* of(TokenId id, std::size_t width) { return values.data() + slots.at(id) * width; }
    void clear() { slots.clear(); }

    const float* table = nullptr;
    std::size_t rows = 0;
    void belong_to(const Matrix<float>& m) {
        if (table != m.data || rows != m.rows) clear();
        table = m.data;
        rows = m.rows;
    }
};

Sums sums;

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, P = dwpe.rows;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C) return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = std::max(options.start, P);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    sums.belong_to(dwte);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= dwte.rows)
                return Status::id_out_of_range(b * T + t, id, dwte.rows);
            sums.see(id);
        }
    sums.prepare(C);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            double* sum = sums.of(ids(b, t), C);
            float* place = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c) {
                sum[c] += dout(b, t, c);
                place[c] += dout(b, t, c);
            }
        }
    for (const auto& [id, slot] : sums.slots) {
        if (id == options.padding_idx) continue;
        float* row = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = 0; c < C; ++c)
            row[c] = static_cast<float>(row[c] + options.scale * sums.values[slot * C + c]);
    }
    sums.clear();
    return {};
}

} // namespace exercise
