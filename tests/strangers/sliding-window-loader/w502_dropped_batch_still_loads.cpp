// wrong: load refuses k only where k * B >= W, so with drop_last the incomplete batch k = batches() is loaded into matrices of what is left (and gives shape_mismatch for others); a right one refuses k >= batches() with position_out_of_range.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::uint64_t number = 0;
    for (std::uint64_t& each : order)
        each = number++;
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::uint64_t i = number; i > 1;) {
        --i;
        const std::uint64_t j = random_bits(stream, i) % (i + 1);
        std::swap(order[i], order[j]);
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const std::size_t positive[] = {options.length, options.stride, options.batch};
    for (std::size_t i = 0; i < 3; ++i)
        if (positive[i] == 0) return Status{Code::invalid_argument, i};
    if (n <= options.length)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    if (const std::size_t W = count_windows(n, options.length, options.stride);
        options.drop_last && W < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(W), static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class BatchLoader final : public WindowLoader {
  public:
    BatchLoader(Ids text, const LoaderOptions& o)
        : text_(text), o_(o), W_(count_windows(text.size(), o.length, o.stride)) {
        if (o_.shuffle) {
            order_.resize(W_);
            shuffled_order(o_.seed, 0, order_);
        }
    }

    std::size_t windows() const override { return W_; }

    std::size_t batches() const override {
        std::size_t count = W_ / o_.batch;
        if (!o_.drop_last && W_ % o_.batch != 0) ++count;
        return count;
    }

    Window window(std::size_t i) const override {
        if (i >= W_) return {};
        const Ids both = text_.subspan(i * o_.stride, o_.length + 1);
        return {both.first(o_.length), both.last(o_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (o_.shuffle) shuffled_order(o_.seed, epoch, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t begin = k * o_.batch;
        if (begin >= W_) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t rows = std::min(o_.batch, W_ - begin);
        if (x.rows != rows || y.rows != rows || x.cols != o_.length || y.cols != o_.length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t number = o_.shuffle ? order_[begin + r] : begin + r;
            const TokenId* from = text_.data() + number * o_.stride;
            std::memcpy(x.row(r), from, o_.length * sizeof(TokenId));
            std::memcpy(y.row(r), from + 1, o_.length * sizeof(TokenId));
        }
        return Status{};
    }

  private:
    Ids text_;
    LoaderOptions o_;
    std::size_t W_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return {};
    return std::make_unique<BatchLoader>(text.tokens(), options);
}

} // namespace exercise
