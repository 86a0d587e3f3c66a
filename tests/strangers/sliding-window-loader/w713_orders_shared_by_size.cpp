// wrong: loaders of the same number of windows share one order, in a static table by W, so begin_epoch of one moves the other to its epoch and its seed; shows with two living loaders with shuffle and equal W; a right one has nothing in common with others
#include "contract.h"

#include <algorithm>
#include <map>
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

using Order = std::vector<std::uint64_t>;

// Orders are large, so those who need one of a size get the one that is there.
std::shared_ptr<Order> order_of(std::size_t size) {
    static std::map<std::size_t, std::weak_ptr<Order>> orders;
    std::weak_ptr<Order>& known = orders[size];
    std::shared_ptr<Order> order = known.lock();
    if (!order) known = order = std::make_shared<Order>(size);
    return order;
}

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& options)
        : text_(text), options_(options), windows_(count_windows(text.size(), options.length, options.stride)) {
        if (options_.shuffle) order_ = order_of(windows_);
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override {
        const std::size_t rest = windows_ % options_.batch;
        return windows_ / options_.batch + std::size_t{rest > 0 && !options_.drop_last};
    }
    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const Ids from = text_.subspan(i * options_.stride);
        return {from.first(options_.length), from.subspan(1, options_.length)};
    }
    void begin_epoch(std::uint64_t epoch) override {
        if (order_) shuffled_order(options_.seed, epoch, *order_);
    }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t begin = k * options_.batch, rows = std::min(options_.batch, windows_ - begin);
        if (x.rows != rows || x.cols != options_.length) return Status{Code::shape_mismatch};
        if (y.rows != rows || y.cols != options_.length) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(order_ ? (*order_)[begin + r] : begin + r);
            std::ranges::copy(from.x, x.row(r));
            std::ranges::copy(from.y, y.row(r));
        }
        return {};
    }

  private:
    Ids text_;
    LoaderOptions options_;
    std::size_t windows_;
    std::shared_ptr<Order> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
