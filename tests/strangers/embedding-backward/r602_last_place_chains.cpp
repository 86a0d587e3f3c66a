// right: a small hash table of the call's own tokens links equal places into chains; each element of a row is summed along its chain in one register, channel by channel
#include "contract.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Open addressing, half empty. A slot holds the newest place of its token.
class Newest {
  public:
    Newest(Ids2D ids, std::size_t places) : ids_(ids) {
        std::size_t size = 2;
        while (size < 2 * places)
            size *= 2;
        slots_.assign(size, none);
    }
    TokenId token(std::size_t place) const { return ids_(place / ids_.cols, place % ids_.cols); }
    std::size_t& slot(TokenId id) {
        std::size_t i = (static_cast<std::uint32_t>(id) * 2654435769U) & (slots_.size() - 1);
        while (slots_[i] != none && token(slots_[i]) != id)
            i = (i + 1) & (slots_.size() - 1);
        return slots_[i];
    }
    const std::vector<std::size_t>& all() const { return slots_; }

  private:
    Ids2D ids_;
    std::vector<std::size_t> slots_;
};

bool inside(std::int64_t n, std::size_t limit) {
    return n >= 0 && static_cast<std::uint64_t>(n) < limit;
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dout.channels, V = dwte.rows, P = dwpe.rows;
    const std::size_t start = options.start;
    if (!(dout.batch == B && dout.time == T && dwte.cols == C && dwpe.cols == C)) {
        Status refused;
        refused.code = Code::shape_mismatch;
        return refused;
    }
    if (options.padding_idx >= 0 && !inside(options.padding_idx, V))
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
    if (T > P - start) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b) {
        const TokenId* row = ids.row(b);
        for (std::size_t t = 0; t < T; ++t)
            if (!inside(row[t], V)) return Status::id_out_of_range(b * T + t, row[t], V);
    }
    if (C == 0) return Status{};

    Newest newest(ids, B * T);
    std::vector<std::size_t> older(B * T, none);
    for (std::size_t place = 0; place < B * T; ++place) {
        std::size_t& slot = newest.slot(newest.token(place));
        older[place] = slot;
        slot = place;
    }
    constexpr std::size_t width = 64;
    for (const std::size_t head : newest.all()) {
        if (head == none || newest.token(head) == options.padding_idx) continue;
        float* row = dwte.row(static_cast<std::size_t>(newest.token(head)));
        for (std::size_t first = 0; first < C; first += width) {
            const std::size_t n = C - first < width ? C - first : width;
            float sum[width];
            for (std::size_t c = 0; c < n; ++c)
                sum[c] = row[first + c];
            for (std::size_t place = head; place != none; place = older[place]) {
                const float* g = dout.data + place * C + first;
                for (std::size_t c = 0; c < n; ++c)
                    sum[c] += options.scale * g[c];
            }
            for (std::size_t c = 0; c < n; ++c)
                row[first + c] = sum[c];
        }
    }
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t b = B; b-- > 0;) {
            const float* g = dout.row(b, t);
            float* row = dwpe.row(start + t);
            for (std::size_t c = 0; c < C; ++c)
                row[c] += g[c];
        }
    return Status{};
}

} // namespace exercise
