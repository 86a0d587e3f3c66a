// accepted: the places are sorted by their id; each run of equal ids is summed in double and added once
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    std::vector<std::size_t> places(B * T);
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto id_at = [&](std::size_t place) { return ids(place / T, place % T); };
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return id_at(a) < id_at(b); });
    for (auto first = places.begin(); first != places.end();) {
        const TokenId id = id_at(*first);
        const auto last =
            std::find_if(first, places.end(), [&](std::size_t place) { return id_at(place) != id; });
        for (std::size_t c = 0; c < C && id != options.padding_idx; ++c) {
            double sum = 0;
            for (auto place = first; place != last; ++place)
                sum += static_cast<double>(dout.data[*place * C + c]);
            float& gradient = dwte(static_cast<std::size_t>(id), c);
            gradient =
                static_cast<float>(static_cast<double>(gradient) + static_cast<double>(options.scale) * sum);
        }
        first = last;
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                dwpe(options.start + t, c) += dout(b, t, c);
    return {};
}

} // namespace exercise
