// wrong: the order is made lazily, and 2^64 - 1 stands for "no order made yet"; shows with shuffle in epoch 2^64 - 1, which keeps the order of the epoch before (or the order of the text); a right one takes any epoch
#include "contract.h"

#include <algorithm>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return {Code::invalid_argument, 0};
    if (options.stride == 0) return {Code::invalid_argument, 1};
    if (options.batch == 0) return {Code::invalid_argument, 2};
    if (n <= options.length)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t count = count_windows(n, options.length, options.stride);
    if (options.drop_last && count < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(count),
                static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        order_.resize(windows_);
        for (std::size_t i = 0; i < windows_; ++i)
            order_[i] = i;
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const std::size_t full = windows_ / options_.batch;
        return options_.drop_last || windows_ % options_.batch == 0 ? full : full + 1;
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        return {tokens_.subspan(i * options_.stride, options_.length),
                tokens_.subspan(i * options_.stride + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        epoch_ = epoch; // the order is made when it is needed
        made_ = none;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        if (options_.shuffle && made_ != epoch_) {
            shuffled_order(options_.seed, epoch_, order_);
            made_ = epoch_;
        }
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(order_[first + r]);
            std::copy(from.x.begin(), from.x.end(), x.row(r));
            std::copy(from.y.begin(), from.y.end(), y.row(r));
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;

    static constexpr std::uint64_t none = ~std::uint64_t{0};
    std::uint64_t epoch_ = 0;
    mutable std::uint64_t made_ = none;
    mutable std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
