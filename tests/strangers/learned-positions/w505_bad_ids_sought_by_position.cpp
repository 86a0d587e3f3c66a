// wrong: ids are checked position by position, all sequences at each, so of two bad ids one at a smaller t in a later sequence is reported; a right one reports the first in reading order, sequence by sequence.
#include "contract.h"

#include <cstdint>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t batch = ids.rows, time = ids.cols, channels = wte.cols;
    if (channels != wpe.cols || out.batch != batch || out.time != time || out.channels != channels)
        return {Code::shape_mismatch};

    const std::size_t first_missing = start > wpe.rows ? start : wpe.rows;
    if (time > first_missing - start || start > wpe.rows)
        return Status::position_out_of_range(first_missing - start, static_cast<std::int64_t>(first_missing),
                                             wpe.rows);

    const auto for_each_token = [&](auto&& visit) {
        // A position is in use for the whole batch, one after another: its row stays in the cache.
        for (std::size_t t = 0; t < time; ++t)
            for (std::size_t b = 0; b < batch; ++b)
                if (!visit(b, t)) return;
    };

    Status status{};
    for_each_token([&](std::size_t b, std::size_t t) {
        const TokenId id = ids(b, t);
        if (id >= 0 && static_cast<std::size_t>(id) < wte.rows) return true;
        status = Status::id_out_of_range(b * time + t, id, wte.rows);
        return false;
    });
    if (status.code != Code::ok) return status;

    for_each_token([&](std::size_t b, std::size_t t) {
        const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
        const float* position = wpe.row(start + t);
        float* sum = out.row(b, t);
        for (std::size_t c = 0; c < channels; ++c)
            sum[c] = token[c] + position[c];
        return true;
    });
    return status;
}

} // namespace exercise
