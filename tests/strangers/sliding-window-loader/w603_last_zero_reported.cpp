// wrong: of several options that are 0 the last one is reported; shows where two or three of L, S and B are 0; a right one reports the first
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
    Status bad;
    if (options.length == 0) bad = {Code::invalid_argument, 0};
    if (options.stride == 0) bad = {Code::invalid_argument, 1};
    if (options.batch == 0) bad = {Code::invalid_argument, 2};
    if (bad.code != Code::ok) return bad;
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
        if (options_.shuffle) order_.resize(windows_);
        begin_epoch(0);
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
        if (options_.shuffle) shuffled_order(options_.seed, epoch, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(options_.shuffle ? order_[first + r] : first + r);
            std::copy(from.x.begin(), from.x.end(), x.row(r));
            std::copy(from.y.begin(), from.y.end(), y.row(r));
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
