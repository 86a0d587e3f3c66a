// accepted: goes through tokens by index, and counts windows by division with a remainder
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace exercise {
namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          order_(count_windows(tokens.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return order_.size(); }

    std::size_t batches() const override {
        const std::size_t whole = windows() / options_.batch;
        const bool rest = windows() % options_.batch > 0;
        return rest && !options_.drop_last ? whole + 1 : whole;
    }

    Window window(std::size_t i) const override {
        if (i >= windows()) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle)
            shuffled_order(options_.seed, epoch, order_);
        else
            std::iota(order_.begin(), order_.end(), std::uint64_t{0});
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows() - first);
        if (x.rows != rows || x.cols != options_.length) return {Code::shape_mismatch};
        if (y.rows != rows || y.cols != options_.length) return {Code::shape_mismatch};
        for (std::size_t t = 0; t < options_.length; ++t)
            for (std::size_t r = rows; r-- > 0;) {
                const TokenId* from = tokens_.data() + order_[first + r] * options_.stride + t;
                y(r, t) = from[1];
                x(r, t) = from[0];
            }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::vector<std::uint64_t> order_; ///< of the running epoch
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (n <= length || length == 0 || stride == 0) return 0;
    std::size_t windows = (n - length) / stride;
    if ((n - length) % stride > 0) ++windows;
    return windows;
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
    const std::size_t windows = count_windows(n, options.length, options.stride);
    if (options.drop_last && windows < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(windows),
                static_cast<std::int64_t>(options.batch)};
    return {};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
