// wrong: places are bucketed by id with 16-bit counters: of a token that occurs 65,536 times or more in one call only n mod 65,536 of its n occurrences are added to dwte
#include "contract.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const auto& [start, pad, scale] = options;
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C)
        return Status{Code::shape_mismatch};
    if (pad >= static_cast<std::int64_t>(dwte.rows))
        return Status{Code::invalid_argument, 0, pad, static_cast<std::int64_t>(dwte.rows)};
    if (start > dwpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), dwpe.rows);
    if (dwpe.rows - start < T)
        return Status::position_out_of_range(dwpe.rows - start, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    struct Bucket {
        std::uint16_t count = 0;
        std::vector<std::uint32_t> place;
    };
    std::unordered_map<TokenId, Bucket> buckets;
    for (std::size_t n = B * T; n-- > 0;) {
        auto& bucket = buckets[ids(n / T, n % T)];
        bucket.place.push_back(static_cast<std::uint32_t>(n));
        ++bucket.count;
        for (std::size_t c = 0; c < C; ++c) dwpe(start + n % T, c) += dout(n / T, n % T, c);
    }
    for (const auto& [id, bucket] : buckets) {
        if (id == pad) continue;
        float* row = dwte.row(static_cast<std::size_t>(id));
        for (std::uint32_t k = 0; k < bucket.count; ++k) {
            const float* g = dout.data + bucket.place[k] * C;
            for (std::size_t c = 0; c < C; ++c) row[c] += scale * g[c];
        }
    }
    return {};
}

} // namespace exercise
