// wrong: the block of position rows is kept from call to call as long as address, shape and start are the same, so positions that the caller has changed in place since are not seen; a right one reads wpe in every call.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

namespace exercise {
namespace {

/// The rows start .. start + T - 1 of wpe without their padding.
class PositionBlock {
  public:
    const float* rows(Matrix<const float> wpe, std::size_t start, std::size_t time) {
        const Key key{wpe.data, wpe.rows, wpe.cols, wpe.stride, start, time};
        if (key != key_) {
            block_.resize(time * wpe.cols);
            for (std::size_t t = 0; t < time && wpe.cols > 0; ++t)
                std::memcpy(block_.data() + t * wpe.cols, wpe.row(start + t), wpe.cols * sizeof(float));
            key_ = key;
        }
        return block_.data();
    }

  private:
    using Key = std::tuple<const float*, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;
    Key key_{};
    std::vector<float> block_;
};

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.cols == 0 || ids.rows == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);

    static PositionBlock block;
    const float* positions = block.rows(wpe, start, ids.cols);
    const std::size_t channels = wte.cols;
    float* to = out.data;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t, to += channels) {
            const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
            std::transform(token, token + channels, positions + t * channels, to,
                           [](float x, float y) { return x + y; });
        }
    return Status{};
}

} // namespace exercise
