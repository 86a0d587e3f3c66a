// Fault: The order of an epoch is made by undoing the last begun one, even if that epoch was never loaded.
// Origin: round 21
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
          windows_(exercise::count_windows(tokens.size(), options.length, options.stride)) {
        if (!options_.shuffle) return;
        order_.resize(windows_);
        std::iota(order_.begin(), order_.end(), std::uint64_t{0});
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        if (options_.drop_last) return windows_ / options_.batch;
        return (windows_ - 1) / options_.batch + 1;
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (epoch == epoch_) return;
        before_ = epoch_;
        epoch_ = epoch;
        stale_ = true;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t all = batches();
        if (k >= all) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), all);
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        const auto fits = [&](const Matrix<TokenId>& m) {
            return m.rows == rows && m.cols == options_.length;
        };
        if (!fits(x) || !fits(y)) return {Code::shape_mismatch};
        prepare();
        for (std::size_t r = 0; r < rows; ++r) {
            const TokenId* from = tokens_.data() + number(first + r) * options_.stride;
            std::memcpy(x.row(r), from, options_.length * sizeof(TokenId));
            std::memcpy(y.row(r), from + 1, options_.length * sizeof(TokenId));
        }
        return {};
    }

  private:
    /// Makes the exchanges of an epoch, in their order, or takes them back, in the opposite one.
    void exchange(std::uint64_t epoch, bool back) const {
        const std::uint64_t stream = random_bits(options_.seed, epoch);
        for (std::size_t step = 1; step < windows_; ++step) {
            const std::size_t i = back ? step : windows_ - step;
            std::swap(order_[i], order_[random_bits(stream, i) % (i + 1)]);
        }
    }

    /// Which window is number `place` of the running epoch.
    std::size_t number(std::size_t place) const { return options_.shuffle ? order_[place] : place; }

    /// Most loaders are asked for few epochs in full; the exchanges are made when a batch is needed.
    void prepare() const {
        if (!options_.shuffle || !stale_) return;
        if (shuffled_) exchange(before_, true);
        exchange(epoch_, false);
        shuffled_ = true;
        stale_ = false;
    }

    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::uint64_t epoch_ = 0;
    std::uint64_t before_ = 0;
    mutable bool stale_ = true;
    mutable bool shuffled_ = false;
    mutable std::vector<std::uint64_t> order_; // empty unless shuffled
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
