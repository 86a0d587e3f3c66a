// right: begin_epoch only writes the ascending numbers; a load goes on with the exchanges, from the last place on, until those of its batch are settled.
#include "contract.h"

#include <algorithm>
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
    const std::size_t windows = count_windows(n, options.length, options.stride);
    if (options.drop_last && windows < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(windows), static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options), windows_(count_windows(tokens.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const std::size_t whole = windows_ / options_.batch;
        return whole + (!options_.drop_last && windows_ % options_.batch > 0 ? 1 : 0);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (!options_.shuffle) return;
        stream_ = random_bits(options_.seed, epoch);
        order_.resize(windows_);
        std::iota(order_.begin(), order_.end(), std::uint64_t{0});
        settled_ = windows_;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        if (options_.shuffle) settle(first);
        for (std::size_t r = 0; r < rows; ++r) {
            const Window one = window(options_.shuffle ? order_[first + r] : first + r);
            std::copy(one.x.begin(), one.x.end(), x.row(r));
            std::copy(one.y.begin(), one.y.end(), y.row(r));
        }
        return {};
    }

  private:
    /// Shuffles on until the places from `first` on are settled: a place is, once it was the larger of two
    /// that were exchanged. What comes before has to wait until somebody asks for it.
    void settle(std::size_t first) const {
        while (settled_ > first) {
            const std::size_t i = --settled_;
            std::swap(order_[i], order_[random_bits(stream_, i) % (i + 1)]);
        }
    }

    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::uint64_t stream_ = 0;                 ///< of the running epoch
    mutable std::vector<std::uint64_t> order_; ///< of the running epoch, from `settled_` on
    mutable std::size_t settled_ = 0;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
