// right: channel by channel: the outermost loop is over the channels, one column of both tables at a time, with a template for the two scatters
#include "contract.h"

namespace exercise {
namespace {

template <class Where, class Factor>
void scatter(Tensor3<const float> g, std::size_t c, Matrix<float> table, Where where, Factor factor) {
    const float* p = g.data + c;
    for (std::size_t b = 0; b != g.batch; ++b)
        for (std::size_t t = 0; t != g.time; ++t) {
            const std::int64_t r = where(b, t);
            if (r >= 0) *(table.data + static_cast<std::size_t>(r) * table.stride + c) += factor(p[(b * g.time + t) * g.channels]);
        }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& o) {
    const bool same = dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols && dout.channels == dwpe.cols;
    if (!same) return Status{Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (o.padding_idx >= V) return Status{Code::invalid_argument, 0, o.padding_idx, V};
    // start + T > P without wrapping: T - room > 0
    const std::size_t room = o.start <= dwpe.rows ? dwpe.rows - o.start : 0;
    if (dout.time > room || o.start > dwpe.rows)
        return Status::position_out_of_range(room, static_cast<std::int64_t>(o.start + room), dwpe.rows);
    Status bad{};
    for (std::size_t b = ids.rows; b-- > 0;)
        for (std::size_t t = ids.cols; t-- > 0;)
            if (ids(b, t) < 0 || ids(b, t) >= V) bad = Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    if (bad != Status{}) return bad;
    for (std::size_t c = dwte.cols; c-- > 0;) {
        scatter(dout, c, dwpe, [&](std::size_t, std::size_t t) { return static_cast<std::int64_t>(o.start + t); },
                [](float x) { return x; });
        scatter(dout, c, dwte,
                [&](std::size_t b, std::size_t t) -> std::int64_t {
                    return ids(b, t) == o.padding_idx ? -1 : ids(b, t);
                },
                [&](float x) { return x * o.scale; });
    }
    return Status{};
}

} // namespace exercise
