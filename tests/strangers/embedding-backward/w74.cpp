// wrong: for 2^18 elements or more four threads sum parts of the batch and add them to dwpe as they finish, in any order, so equal calls do not always give equal bits in dwpe (dwte is added to by one thread).
#include "contract.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace exercise {
namespace {

Status check(const Tensor3<const float>& dout, const Ids2D& ids, const Matrix<float>& dwte, const Matrix<float>& dwpe,
             const BackwardOptions& options) {
    if (dwte.cols != dwpe.cols || dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    return {};
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (const Status s = check(dout, ids, dwte, dwpe, options); s.code != Code::ok) return s;
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    const auto tokens = [&] {
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                if (ids(b, t) == options.padding_idx) continue;
                float* row = dwte.row(static_cast<std::size_t>(ids(b, t)));
                for (std::size_t c = 0; c < C; ++c)
                    row[c] += options.scale * dout(b, t, c);
            }
    };
    std::mutex lock;
    const auto places = [&](std::size_t first, std::size_t last) {
        if (first == last) return;
        std::vector<float> part(T * C);
        for (std::size_t b = first; b < last; ++b)
            for (std::size_t i = 0; i < T * C; ++i)
                part[i] += dout.data[b * T * C + i];
        const std::lock_guard guard(lock);
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c)
                dwpe(options.start + t, c) += part[t * C + c];
    };
    if (B * T * C < (std::size_t{1} << 18)) {
        places(0, B);
        tokens();
        return {};
    }
    std::vector<std::thread> team;
    for (std::size_t k = 0; k < 4; ++k)
        team.emplace_back(places, B * k / 4, B * (k + 1) / 4);
    tokens();
    for (std::thread& each : team)
        each.join();
    return {};
}

} // namespace exercise
