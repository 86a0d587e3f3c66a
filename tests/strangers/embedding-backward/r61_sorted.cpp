// right: places sorted by id, one sum in double per touched row and channel, written once; positions likewise, blocks of seven channels
#include "contract.h"
#include <algorithm>
#include <numeric>
#include <ranges>
#include <vector>

namespace exercise {
namespace {

struct Place {
    TokenId id;
    std::size_t n;
    auto operator<=>(const Place&) const = default;
};

// row += factor * (sum of the rows of dout that `places` names)
template <class Rows>
void add(float* row, double factor, const Rows& places, Tensor3<const float> dout) {
    const std::size_t C = dout.channels;
    for (std::size_t block = 0; block < C; block += 7) {
        const std::size_t width = std::min<std::size_t>(7, C - block);
        double sum[7] = {};
        for (std::size_t n : places)
            for (std::size_t k = 0; k < width; ++k)
                sum[k] += factor * dout.data[n * C + block + k];
        for (std::size_t k = 0; k < width; ++k)
            row[block + k] = static_cast<float>(row[block + k] + sum[k]);
    }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols;
    const auto [start, padding, scale] = options;
    if (dout.batch != B || dout.time != T || dout.channels != dwte.cols || dwte.cols != dwpe.cols)
        return {.code = Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (padding >= V) return {Code::invalid_argument, 0, padding, V};
    const std::size_t room = start <= dwpe.rows ? dwpe.rows - start : 0;
    if (start > dwpe.rows || T > room)
        return Status::position_out_of_range(room, static_cast<std::int64_t>(start + room), dwpe.rows);
    std::vector<Place> places;
    places.reserve(B * T);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            if (ids(b, t) < 0 || ids(b, t) >= V) return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);
            if (ids(b, t) != padding) places.push_back({ids(b, t), b * T + t});
        }
    std::ranges::sort(places);
    for (auto first = places.begin(); first != places.end();) {
        const auto last = std::find_if(first, places.end(), [id = first->id](const Place& p) { return p.id != id; });
        add(dwte.row(static_cast<std::size_t>(first->id)), scale,
            std::ranges::subrange(first, last) | std::views::transform(&Place::n), dout);
        first = last;
    }
    if (B != 0)
        for (std::size_t t = 0; t < T; ++t)
            add(dwpe.row(start + t), 1.0,
                std::views::iota(std::size_t{0}, B) | std::views::transform([=](std::size_t b) { return b * T + t; }),
                dout);
    return {};
}

} // namespace exercise
