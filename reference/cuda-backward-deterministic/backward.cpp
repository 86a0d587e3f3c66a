#include "contract.h"

#include <algorithm>
#include <map>
#include <vector>

// What the kernels are held against: the same sums on a CPU, one after another.
namespace exercise {

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};

    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};

    // start + T may wrap around; P - start cannot once start <= P is known.
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }

    // The places of each token that occurs, in reading order: rows of others are never touched.
    std::map<TokenId, std::vector<const float*>> places;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id >= 0 && id < V && id != options.padding_idx) places[id].push_back(dout.row(b, t));
        }
    for (const auto& [id, rows] : places)
        for (std::size_t c = 0; c < C; ++c) {
            float total = 0;
            for (std::size_t first = 0; first < rows.size(); first += terms_of_a_partial) {
                const std::size_t end = std::min(first + terms_of_a_partial, rows.size());
                float partial = 0;
                for (std::size_t i = first; i < end; ++i)
                    partial += rows[i][c];
                total += partial;
            }
            dwte(static_cast<std::size_t>(id), c) += total;
        }

    if (B == 0) return {};
    for (std::size_t t = 0; t < T; ++t)
        for (std::size_t c = 0; c < C; ++c) {
            float sum = 0;
            for (std::size_t b = 0; b < B; ++b)
                sum += dout(b, t, c);
            dwpe(options.start + t, c) += sum;
        }
    return {};
}

} // namespace exercise
