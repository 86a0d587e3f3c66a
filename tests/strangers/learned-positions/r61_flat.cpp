// right: one flat loop over all elements from the last to the first with divisions for b, t and c; a lambda per refusal
#include "contract.h"

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const auto shapes_fit = [&] {
        return wte.cols == wpe.cols && wte.cols == out.channels && ids.rows == out.batch && ids.cols == out.time;
    };
    const auto window_fits = [&] { return wpe.rows >= ids.cols && start <= wpe.rows - ids.cols; };

    if (!shapes_fit()) return {.code = Code::shape_mismatch};
    if (!window_fits()) {
        if (start > wpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
        return Status::position_out_of_range(wpe.rows - start, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    }
    Status first;
    if (ids.cols != 0)
        for (std::size_t i = ids.rows * ids.cols; i-- > 0;) { // backwards: the last one found is the first
            const std::int64_t id = ids(i / ids.cols, i % ids.cols);
            if (id < 0 || static_cast<std::uint64_t>(id) >= wte.rows) first = Status::id_out_of_range(i, id, wte.rows);
        }
    if (first.code != Code::ok) return first;
    for (std::size_t e = out.batch * out.time * out.channels; e-- > 0;) {
        const std::size_t c = e % out.channels, t = e / out.channels % out.time, b = e / out.channels / out.time;
        out.data[e] = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(start + t, c);
    }
    return first;
}

} // namespace exercise
