// wrong: positions are checked token by token, so a call with T = 0 and start > P has none to check and returns Status{} instead of position_out_of_range(0, start, P).
#include "contract.h"

#include <optional>

namespace exercise {
namespace {

std::optional<Status> window(std::size_t start, std::size_t count, std::size_t limit) {
    if (start < limit && count <= limit - start) return {};
    for (std::size_t t = start < limit ? limit - start : 0; t < count; ++t) // all before are inside
        if (start + t >= limit) return Status::position_out_of_range(t, static_cast<std::int64_t>(start + t), limit);
    return {};
}

std::optional<Status> words(Ids2D ids, std::size_t limit) {
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (const std::int64_t id = ids(b, t); id < 0 || id >= static_cast<std::int64_t>(limit))
                return Status::id_out_of_range(b * ids.cols + t, id, limit);
    return {};
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (const auto refused = window(start, ids.cols, wpe.rows)) return *refused;
    if (const auto refused = words(ids, wte.rows)) return *refused;
    float* to = out.data;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* place = wpe.row(start + t);
            for (std::size_t c = 0; c < wte.cols; ++c)
                *to++ = token[c] + place[c];
        }
    return Status{};
}

} // namespace exercise
