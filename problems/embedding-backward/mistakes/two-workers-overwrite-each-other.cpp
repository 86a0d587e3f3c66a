// mistake: two-workers-overwrite-each-other
// says: You let two workers add to copies of the rows and store both copies: where a token occurs in
//   both halves of the batch, the later store erases the other worker's sum.
// hint: Two workers read 0, both add 1, both store 1. How many updates are left? Divide the rows or
//   channels among workers, not the tokens.
// symptom: Updates of frequent tokens get lost; 8,192 equal ids give 4,096.
// fails: each row collects the gradients of its token; a repeated token collects once for each time;
//   a second call adds to the first; start moves the position rows; the padding token gets no gradient;
//   the scale reaches the token table alone; random shapes agree with the reference;
//   rows of any width are summed whole; padding between rows is skipped;
//   eight thousand equal ids give exactly eight thousand;
//   a hundred thousand random terms stay within their rounding; backward is the adjoint of forward;
//   finite differences give the same gradients; a gradient table of nine gigabytes is addressed whole
#include "contract.h"

#include <algorithm>
#include <map>
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
    // Each worker has half of the tokens, and rows of its own that begin as what is there.
    std::map<TokenId, std::vector<float>> rows[2];
    for (std::size_t n = 0; n < B * T; ++n) {
        const TokenId id = ids(n / T, n % T);
        if (id == options.padding_idx) continue;
        const float* there = dwte.row(static_cast<std::size_t>(id));
        std::vector<float>& row = rows[2 * n / (B * T)].try_emplace(id, there, there + C).first->second;
        for (std::size_t c = 0; c < C; ++c)
            row[c] += options.scale * dout(n / T, n % T, c);
    }
    for (const auto& worker : rows)
        for (const auto& [id, row] : worker)
            std::copy(row.begin(), row.end(), dwte.row(static_cast<std::size_t>(id)));

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            float* position = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < C; ++c)
                position[c] += gradient[c];
        }
    return {};
}

} // namespace exercise
