// right: an inverted list of the readers of each token (chains in two arrays, an ordered map of their heads), long double sums formed channel by channel, positions from the last to the first, and the additions to a row made once.
#include "contract.h"

#include <map>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const auto& [start, padding, scale] = options;
    const std::size_t sequences = ids.rows, tokens = ids.cols, width = dout.channels;
    const bool same_width = width == dwte.cols && width == dwpe.cols;
    if (!same_width || sequences != dout.batch || tokens != dout.time) return Status{Code::shape_mismatch};
    const auto vocabulary = static_cast<std::int64_t>(dwte.rows);
    if (padding >= vocabulary) return Status{Code::invalid_argument, 0, padding, vocabulary};
    if (start > dwpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), dwpe.rows);
    if (const std::size_t left = dwpe.rows - start; tokens > left)
        return Status::position_out_of_range(left, static_cast<std::int64_t>(dwpe.rows), dwpe.rows);

    std::vector<std::size_t> older; // the place before with the same token, one more than its number, or 0
    std::map<TokenId, std::size_t> newest;
    for (std::size_t b = 0; b < sequences; ++b)
        for (std::size_t t = 0; t < tokens; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || id >= vocabulary) return Status::id_out_of_range(older.size(), id, dwte.rows);
            std::size_t& head = newest[id];
            older.push_back(head);
            head = older.size();
        }

    for (const auto& [id, head] : newest) {
        if (id == padding) continue;
        for (std::size_t c = 0; c < width; ++c) {
            long double sum = 0;
            for (std::size_t place = head; place != 0; place = older[place - 1])
                sum += dout.data[(place - 1) * width + c];
            float& to = dwte(static_cast<std::size_t>(id), c);
            to = static_cast<float>(to + static_cast<long double>(scale) * sum);
        }
    }
    for (std::size_t t = sequences > 0 ? tokens : 0; t-- > 0;)
        for (std::size_t c = width; c-- > 0;) {
            long double sum = dwpe(start + t, c);
            for (std::size_t b = sequences; b-- > 0;)
                sum += dout(b, t, c);
            dwpe(start + t, c) = static_cast<float>(sum);
        }
    return Status{};
}

} // namespace exercise
