// Fault: Loaders share the order of epoch 0, and one of them reshuffles it in place.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <map>
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

using Order = std::vector<std::uint64_t>;

/// The order of epoch 0, which every loader starts with. Loaders alike share it until they move on.
std::shared_ptr<Order> first_order(std::uint64_t seed, std::size_t count) {
    static std::map<std::pair<std::uint64_t, std::size_t>, std::weak_ptr<Order>> made;
    if (const auto found = made.find({seed, count}); found != made.end())
        if (std::shared_ptr<Order> shared = found->second.lock()) return shared;
    std::erase_if(made, [](const auto& entry) { return entry.second.expired(); });
    // not make_shared, whose weak pointers would hold on to the memory
    std::shared_ptr<Order> order(new Order(count));
    shuffled_order(seed, 0, *order);
    made[{seed, count}] = order;
    return order;
}

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& options)
        : text_(text), options_(options), windows_(count_windows(text.size(), options.length, options.stride)) {
        if (options_.shuffle) order_ = first_order(options_.seed, windows_);
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
        if (!options_.shuffle) return;
        if (order_.use_count() > 1) order_ = std::make_shared<Order>(windows_); // someone else reads the old one
        shuffled_order(options_.seed, epoch, *order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t rows = std::min(options_.batch, windows_ - k * options_.batch);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r)
            copy(number(k * options_.batch + r), x.row(r), y.row(r));
        return {};
    }

  private:
    std::size_t number(std::size_t place) const { return options_.shuffle ? (*order_)[place] : place; }
    void copy(std::size_t i, TokenId* x, TokenId* y) const {
        const TokenId* from = text_.data() + i * options_.stride;
        std::memcpy(x, from, options_.length * sizeof(TokenId));
        std::memcpy(y, from + 1, options_.length * sizeof(TokenId));
    }

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
