// Fault: load notes its batch before it checks the shapes, so after a rejected call the same batch has old windows.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return Status{Code::invalid_argument, 0};
    if (options.stride == 0) return Status{Code::invalid_argument, 1};
    if (options.batch == 0) return Status{Code::invalid_argument, 2};
    if (n <= options.length)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t count = count_windows(n, options.length, options.stride);
    if (options.drop_last && count < options.batch)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(count),
                      static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& options)
        : text_(text), options_(options), windows_(count_windows(text.size(), options.length, options.stride)) {
        if (options_.shuffle) order_.resize(windows_);
        ready_windows_.resize(std::min(options_.batch, windows_));
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const std::size_t full = windows_ / options_.batch;
        return full + (!options_.drop_last && windows_ % options_.batch != 0 ? 1 : 0);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {text_.subspan(begin, options_.length), text_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle) shuffled_order(options_.seed, epoch, order_);
        list(0, ready_windows_.size()); // an epoch begins with its first batch
        ready_ = 0;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const bool listed = std::exchange(ready_, k) == k;
        const std::size_t rows = std::min(options_.batch, windows_ - k * options_.batch);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return Status{Code::shape_mismatch};
        if (!listed) list(k, rows);
        for (std::size_t r = 0; r < rows; ++r)
            copy(ready_windows_[r], x.row(r), y.row(r));
        return {};
    }

  private:
    void list(std::size_t k, std::size_t rows) const {
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t place = k * options_.batch + r;
            ready_windows_[r] = options_.shuffle ? order_[place] : place;
        }
    }
    void copy(std::size_t i, TokenId* x, TokenId* y) const {
        const TokenId* from = text_.data() + i * options_.stride;
        std::memcpy(x, from, options_.length * sizeof(TokenId));
        std::memcpy(y, from + 1, options_.length * sizeof(TokenId));
    }

    Ids text_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_;
    mutable std::vector<std::size_t> ready_windows_; ///< of batch ready_
    mutable std::size_t ready_ = 0;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
