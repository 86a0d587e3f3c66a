// right: all sums are balanced trees made by recursive halving (over the places of a token, over the batch), and scale multiplies the finished sum
#include "contract.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace exercise {
namespace {

/// The sum over [first, last) of at(i), by halves; at least one term.
template <class At>
float tree(std::size_t first, std::size_t last, const At& at) {
    if (last - first == 1) return at(first);
    const std::size_t middle = first + (last - first) / 2;
    return tree(first, middle, at) + tree(middle, last, at);
}

using Place = std::pair<TokenId, std::size_t>;

/// Merge sort, since the rest of this file halves, too.
void sort(Place* places, Place* spare, std::size_t n) {
    if (n < 2) return;
    const std::size_t half = n / 2;
    sort(places, spare, half);
    sort(places + half, spare, n - half);
    std::size_t i = 0, j = half, k = 0;
    while (i < half || j < n)
        spare[k++] = j == n || (i < half && !(places[j] < places[i])) ? places[i++] : places[j++];
    for (k = 0; k < n; ++k)
        places[k] = spare[k];
}

Status check(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte,
             const Matrix<float>& dwpe, const BackwardOptions& o) {
    if (dout.batch != ids.rows) return {Code::shape_mismatch};
    if (dout.time != ids.cols) return {Code::shape_mismatch};
    if (dwte.cols != dout.channels || dwpe.cols != dwte.cols) return {Code::shape_mismatch};
    if (o.padding_idx >= 0 && static_cast<std::uint64_t>(o.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, o.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t left = o.start < dwpe.rows ? dwpe.rows - o.start : 0;
    if (o.start > dwpe.rows || left < dout.time)
        return Status::position_out_of_range(left, static_cast<std::int64_t>(o.start + left), dwpe.rows);
    if (ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, dwte.rows);
        }
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const Status status = check(dout, ids, dwte, dwpe, options);
    if (status != Status{} || dout.batch == 0 || dout.time == 0 || dout.channels == 0) return status;

    const std::size_t n = dout.batch * dout.time;
    std::vector<Place> places;
    places.reserve(n);
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t)
            places.emplace_back(ids(b, t), b * dout.time + t);
    {
        std::vector<Place> spare(n);
        sort(places.data(), spare.data(), n);
    }
    for (std::size_t first = 0, last; first < n; first = last) {
        last = first + 1;
        while (last < n && places[last].first == places[first].first)
            ++last;
        if (places[first].first == options.padding_idx) continue;
        float* row = dwte.row(static_cast<std::size_t>(places[first].first));
        for (std::size_t c = 0; c < dout.channels; ++c)
            row[c] += options.scale * tree(first, last, [&](std::size_t k) {
                return dout.data[places[k].second * dout.channels + c];
            });
    }
    for (std::size_t t = 0; t < dout.time; ++t)
        for (std::size_t c = 0; c < dout.channels; ++c)
            dwpe(options.start + t, c) += tree(0, dout.batch, [&](std::size_t b) { return dout(b, t, c); });
    return {};
}

} // namespace exercise
