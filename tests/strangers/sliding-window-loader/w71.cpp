// wrong: begin_epoch exchanges the numbers of the order as the epoch before left it instead of beginning in ascending order, so load gives other windows than the contract from the second begin_epoch or second epoch on (the first order of a loader is right).
#include "contract.h"

#include <algorithm>
#include <cmath>
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

Status validate(std::size_t n, const LoaderOptions& o) {
    if (o.length == 0) return {Code::invalid_argument, 0};
    if (o.stride == 0) return {Code::invalid_argument, 1};
    if (o.batch == 0) return {Code::invalid_argument, 2};
    if (n <= o.length) return Status::position_out_of_range(0, static_cast<std::int64_t>(o.length), n);
    const std::size_t w = count_windows(n, o.length, o.stride);
    if (o.drop_last && w < o.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(o.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        if (options_.shuffle) {
            order_.resize(windows_);
            std::iota(order_.begin(), order_.end(), std::uint64_t{0});
        }
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const bool rest = windows_ % options_.batch != 0 && !options_.drop_last;
        return windows_ / options_.batch + (rest ? 1 : 0);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (!options_.shuffle) return;
        const std::uint64_t stream = random_bits(options_.seed, epoch);
        for (std::size_t i = order_.size(); i-- > 1;)
            std::swap(order_[i], order_[random_bits(stream, i) % (i + 1)]);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window w = window(options_.shuffle ? order_[first + r] : first + r);
            std::copy(w.x.begin(), w.x.end(), x.row(r));
            std::copy(w.y.begin(), w.y.end(), y.row(r));
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
