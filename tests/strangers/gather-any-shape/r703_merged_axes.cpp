// right: drops axes of length 1 and merges neighbours that follow each other in memory (compared in 128 bits, since length * stride may exceed 64), then runs a fixed nest of four loops; of a leading axis of stride 0 only the first turn reads ids, later ones copy rows of `out`
#include "contract.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

struct Axis {
    std::size_t length = 1;
    std::size_t stride = 0;
};

/// The same ids in the same order, always with four axes: the unused ones in front have length 1.
template <class I>
std::array<Axis, 4> merged(const StridedIds<I>& ids) {
    std::array<Axis, 4> axes{};
    std::size_t at = 4;
    for (std::size_t a = ids.rank; a-- > 0;) {
        const Axis next{ids.shape[a], ids.stride[a]};
        if (next.length == 1) continue;
        if (at < 4) {
            Axis& inner = axes[at];
            using Wide = unsigned __int128;
            if (static_cast<Wide>(inner.length) * inner.stride == next.stride) {
                inner.length *= next.length;
                continue;
            }
        }
        axes[--at] = next;
    }
    return axes;
}

/// Calls visit(n, offset) for the ids of one turn of the first axis until it returns false.
template <class Visit>
void one_turn(const std::array<Axis, 4>& axes, const Visit& visit) {
    std::size_t n = 0;
    for (std::size_t b = 0; b < axes[1].length; ++b)
        for (std::size_t c = 0; c < axes[2].length; ++c)
            for (std::size_t d = 0; d < axes[3].length; ++d, ++n)
                if (!visit(n, b * axes[1].stride + c * axes[2].stride + d * axes[3].stride)) return;
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};

    const std::array<Axis, 4> axes = merged(ids);
    const std::size_t turn = N / axes[0].length;
    const std::size_t turns = axes[0].stride == 0 ? 1 : axes[0].length;
    Status status;
    for (std::size_t a = 0; a < turns && status.code == Code::ok; ++a)
        one_turn(axes, [&](std::size_t n, std::size_t offset) {
            const I id = ids.data[a * axes[0].stride + offset];
            const bool good = id >= 0 && static_cast<std::uint64_t>(id) < table.rows;
            if (!good) status = Status::id_out_of_range(a * turn + n, id, table.rows);
            return good;
        });
    const std::size_t bytes = table.cols * sizeof(float);
    if (status.code != Code::ok || bytes == 0) return status;

    for (std::size_t a = 0; a < turns; ++a)
        one_turn(axes, [&](std::size_t n, std::size_t offset) {
            const I id = ids.data[a * axes[0].stride + offset];
            std::memcpy(out.row(a * turn + n), table.row(static_cast<std::size_t>(id)), bytes);
            return true;
        });
    for (std::size_t n = turns * turn; n < N; ++n) std::memcpy(out.row(n), out.row(n % turn), bytes);
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise
