// wrong: windows that touch (S = L) are copied in the order of the text with one memcpy for x and one for y where x has no padding, without a look at the stride of y; shows without shuffle, S = L, x dense and y with a stride > L (its padding is written, its rows are wrong); a right one fills each by its own stride
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return {Code::invalid_argument, 0};
    if (options.stride == 0) return {Code::invalid_argument, 1};
    if (options.batch == 0) return {Code::invalid_argument, 2};
    if (n <= options.length) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t w = count_windows(n, options.length, options.stride);
    if (options.drop_last && w < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& o)
        : text_(text), l_(o.length), s_(o.stride), b_(o.batch), seed_(o.seed), shuffle_(o.shuffle),
          w_(count_windows(text.size(), o.length, o.stride)),
          batches_(w_ / b_ + (!o.drop_last && w_ % b_ != 0 ? 1 : 0)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return w_; }
    std::size_t batches() const override { return batches_; }

    Window window(std::size_t i) const override {
        if (i >= w_) return {};
        return {{text_.data() + i * s_, l_}, {text_.data() + i * s_ + 1, l_}};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (!shuffle_) return;
        order_.resize(w_);
        shuffled_order(seed_, epoch, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches_) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches_);
        const std::size_t first = k * b_, count = std::min(b_, w_ - first);
        if (x.rows != count || x.cols != l_ || y.rows != count || y.cols != l_) return {Code::shape_mismatch};
        if (!shuffle_ && s_ == l_ && x.stride == l_) {
            // the rows lie in the text one after the other
            const TokenId* from = text_.data() + first * s_;
            std::memcpy(x.data, from, count * l_ * sizeof(TokenId));
            std::memcpy(y.data, from + 1, count * l_ * sizeof(TokenId));
            return {};
        }
        for (std::size_t r = 0; r < count; ++r) {
            const TokenId* from = text_.data() + (shuffle_ ? order_[first + r] : first + r) * s_;
            std::memcpy(x.row(r), from, l_ * sizeof(TokenId));
            std::memcpy(y.row(r), from + 1, l_ * sizeof(TokenId));
        }
        return {};
    }

  private:
    Ids text_;
    std::size_t l_, s_, b_;
    std::uint64_t seed_;
    bool shuffle_;
    std::size_t w_, batches_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
