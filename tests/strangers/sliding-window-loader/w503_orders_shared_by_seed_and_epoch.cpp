// wrong: orders are kept in a static table under seed and epoch alone, so a second loader with the same seed and another number of windows gets the order of the first while that lives; a right one has an order of its own windows, since loaders have nothing in common.
#include "contract.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (n <= length || length == 0 || stride == 0) return 0;
    const std::size_t last_begin = n - length - 1; // the largest place where a window could begin
    return last_begin / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::iota(order.begin(), order.end(), 0);
    if (order.empty()) return;
    const auto stream = random_bits(seed, epoch);
    for (std::uint64_t i = order.size() - 1; i >= 1; --i)
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return {Code::invalid_argument, 0};
    if (options.stride == 0) return {Code::invalid_argument, 1};
    if (options.batch == 0) return {Code::invalid_argument, 2};
    const auto W = count_windows(n, options.length, options.stride);
    if (W == 0) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    if (options.drop_last && W < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(W), static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

using Order = std::shared_ptr<const std::vector<std::uint64_t>>;

/// Orders in use, so that epochs that come again need no second shuffle.
Order order_of(std::uint64_t seed, std::uint64_t epoch, std::size_t windows) {
    static std::map<std::pair<std::uint64_t, std::uint64_t>, std::weak_ptr<const std::vector<std::uint64_t>>> known;
    auto& entry = known[{seed, epoch}];
    if (Order order = entry.lock()) return order;
    auto fresh = std::make_shared<std::vector<std::uint64_t>>(windows);
    shuffled_order(seed, epoch, *fresh);
    entry = fresh;
    return fresh;
}

class CachedLoader final : public WindowLoader {
  public:
    CachedLoader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override {
        return windows_ / options_.batch + (!options_.drop_last && windows_ % options_.batch > 0 ? 1 : 0);
    }
    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }
    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle) order_ = order_of(options_.seed, epoch, windows_);
    }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            std::size_t number = first + r;
            if (order_ != nullptr) number = number < order_->size() ? (*order_)[number] : number;
            const Window from = window(number);
            std::ranges::copy(from.x, x.row(r));
            std::ranges::copy(from.y, y.row(r));
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    Order order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return nullptr;
    return std::make_unique<CachedLoader>(text.tokens(), options);
}

} // namespace exercise
