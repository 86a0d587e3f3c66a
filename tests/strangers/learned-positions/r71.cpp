// right: positions in the outer loop and everything from the last to the first, the sums are made in double and rounded once (which is the float sum), the bad id is searched from the end.
#include "contract.h"

#include <optional>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const auto [words, vocabulary, width, word_stride] = wte;
    const auto [places, limit, place_width, place_stride] = wpe;
    if (place_width != width || out.channels != width) return Status{Code::shape_mismatch};
    if (out.batch != ids.rows || out.time != ids.cols) return Status{Code::shape_mismatch};
    if (limit < start) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), limit);
    const std::size_t free = limit - start;
    if (free < ids.cols) return Status::position_out_of_range(free, static_cast<std::int64_t>(limit), limit);

    std::optional<Status> refused;
    for (std::size_t b = ids.rows; b-- > 0;)
        for (std::size_t t = ids.cols; t-- > 0;) {
            const std::int64_t id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= vocabulary)
                refused = Status::id_out_of_range(b * ids.cols + t, id, vocabulary);
        }
    if (refused) return *refused;

    for (std::size_t t = ids.cols; t-- > 0;) {
        for (std::size_t b = ids.rows; b-- > 0;) {
            const std::size_t word = static_cast<std::size_t>(ids(b, t)) * word_stride;
            const std::size_t place = (start + t) * place_stride;
            for (std::size_t c = width; c-- > 0;)
                out(b, t, c) = static_cast<float>(double{words[word + c]} + double{places[place + c]});
        }
    }
    return Status{};
}

} // namespace exercise
