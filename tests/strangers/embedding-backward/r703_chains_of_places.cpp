// right: the places of an id form a chain through an array, latest first, found by a hash map; each channel of a row sums its chain in long double and scales the sum
#include "contract.h"

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace exercise {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

struct Chains {
    std::unordered_map<TokenId, std::size_t> last; ///< the latest place of an id
    std::vector<std::size_t> before;               ///< the place of the same id before this one

    Chains(Ids2D ids, std::int64_t without) : before(ids.rows * ids.cols, nowhere) {
        for (std::size_t place = 0; place < before.size(); ++place) {
            const TokenId id = ids(place / ids.cols, place % ids.cols);
            if (id == without) continue;
            const auto [entry, first] = last.try_emplace(id, place);
            if (!first) {
                before[place] = entry->second;
                entry->second = place;
            }
        }
    }
};

Status refusal(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
               const BackwardOptions& o) {
    const bool fits = dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols &&
                      dwte.cols == dwpe.cols;
    if (!fits) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows); // at most 2^63 - 1
    if (o.padding_idx >= V) return {Code::invalid_argument, 0, o.padding_idx, V};
    __extension__ using Wide = unsigned __int128;
    const Wide end = static_cast<Wide>(o.start) + ids.cols;
    if (end > dwpe.rows) {
        const std::size_t p = o.start > dwpe.rows ? o.start : dwpe.rows;
        return Status::position_out_of_range(p - o.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    std::size_t t = 0, b = 0;
    if (ids.rows == 0 || ids.cols == 0) return {};
    while (b < ids.rows) {
        const std::int64_t id = ids(b, t);
        if (id < 0 || id >= V) return Status::id_out_of_range(b * ids.cols + t, id, dwte.rows);
        if (++t == ids.cols) t = 0, ++b;
    }
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status no = refusal(dout, ids, dwte, dwpe, options); no != Status{}) return no;
    const std::size_t B = dout.batch, T = dout.time, C = dout.channels;
    if (B == 0 || T == 0 || C == 0) return {};

    const Chains chains(ids, options.padding_idx);
    for (const auto& [id, last] : chains.last) {
        float* const row = dwte.row(static_cast<std::size_t>(id));
        for (std::size_t c = 0; c < C; ++c) {
            long double sum = 0;
            for (std::size_t place = last; place != nowhere; place = chains.before[place])
                sum += dout.data[place * C + c];
            row[c] = static_cast<float>(row[c] + static_cast<long double>(options.scale) * sum);
        }
    }
    for (std::size_t t = T; t-- > 0;)
        for (std::size_t c = C; c-- > 0;) {
            long double sum = dwpe(options.start + t, c);
            for (std::size_t b = B; b-- > 0;)
                sum += dout(b, t, c);
            dwpe(options.start + t, c) = static_cast<float>(sum);
        }
    return {};
}

} // namespace exercise
