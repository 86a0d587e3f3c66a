// Fault: Without shuffle the batch is one copy, which overwrites the padding between rows.
// Origin: round 24
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size(); i-- > 1;) {
        const std::size_t j = random_bits(stream, i) % (i + 1);
        std::swap(order[i], order[j]);
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return {Code::invalid_argument, 0};
    if (options.stride == 0) return {Code::invalid_argument, 1};
    if (options.batch == 0) return {Code::invalid_argument, 2};
    if (n <= options.length) {
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    }
    const std::size_t windows = count_windows(n, options.length, options.stride);
    if (options.drop_last && windows < options.batch) {
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(windows),
                static_cast<std::int64_t>(options.batch)};
    }
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& options)
        : text_(text), options_(options), windows_(count_windows(text.size(), options.length, options.stride)) {
        if (options_.shuffle) order_.resize(windows_);
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const bool partial = !options_.drop_last && windows_ % options_.batch != 0;
        return windows_ / options_.batch + (partial ? 1 : 0);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {text_.subspan(begin, options_.length), text_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle) shuffled_order(options_.seed, epoch, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) {
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        }
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || y.rows != rows || x.cols != options_.length || y.cols != options_.length) {
            return {Code::shape_mismatch};
        }
        if (!options_.shuffle && x.stride == options_.stride && y.stride == options_.stride) {
            // The rows lie in x and y as the windows lie in the text: one copy each.
            const std::size_t tokens = (rows - 1) * options_.stride + options_.length;
            const TokenId* from = text_.data() + first * options_.stride;
            std::memcpy(x.data, from, tokens * sizeof(TokenId));
            std::memcpy(y.data, from + 1, tokens * sizeof(TokenId));
            return {};
        }
        const std::size_t bytes = options_.length * sizeof(TokenId);
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t number = options_.shuffle ? order_[first + r] : first + r;
            const TokenId* from = text_.data() + number * options_.stride;
            std::memcpy(x.row(r), from, bytes);
            std::memcpy(y.row(r), from + 1, bytes);
        }
        return {};
    }

  private:
    Ids text_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_; // of the running epoch; empty unless shuffle
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
