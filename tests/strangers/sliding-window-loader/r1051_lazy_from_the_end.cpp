// right: an epoch is shuffled only as far as its batches are asked for: the exchanges go from the last place to the first, so all places from i on are final after exchange i, and load goes on from where the loads before it stopped
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

namespace {

/// Makes exchanges number from - 1, from - 2, ..., down to `to`, or 1.
void exchange(std::uint64_t stream, std::span<std::uint64_t> order, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i > std::max<std::size_t>(to, 1);) {
        --i;
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
    }
}

void ascending(std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
}

} // namespace

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    ascending(order);
    exchange(random_bits(seed, epoch), order, order.size(), 0);
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
        stream_ = random_bits(options_.seed, epoch);
        begun_ = false;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t rows = std::min(options_.batch, windows_ - k * options_.batch);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return Status{Code::shape_mismatch};
        if (options_.shuffle) settle(k * options_.batch);
        for (std::size_t r = 0; r < rows; ++r)
            copy(number(k * options_.batch + r), x.row(r), y.row(r));
        return {};
    }

  private:
    /// Makes the places from `first` on final.
    void settle(std::size_t first) const {
        if (!begun_) {
            order_.resize(windows_);
            ascending(order_);
            settled_ = windows_;
            begun_ = true;
        }
        if (first >= settled_) return;
        exchange(stream_, order_, settled_, first);
        settled_ = first;
    }
    std::size_t number(std::size_t place) const { return options_.shuffle ? order_[place] : place; }
    void copy(std::size_t i, TokenId* x, TokenId* y) const {
        const TokenId* from = text_.data() + i * options_.stride;
        std::memcpy(x, from, options_.length * sizeof(TokenId));
        std::memcpy(y, from + 1, options_.length * sizeof(TokenId));
    }

    Ids text_;
    LoaderOptions options_;
    std::size_t windows_;
    std::uint64_t stream_ = 0;
    mutable bool begun_ = false;       ///< whether order_ and settled_ are of the running epoch
    mutable std::size_t settled_ = 0; ///< the places from here on are final
    mutable std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
