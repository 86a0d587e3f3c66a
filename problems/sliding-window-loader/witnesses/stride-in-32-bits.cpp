// Fault: Texts below 2^32 tokens are counted in 32 bits, including the stride.
// Origin: round 15
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    if (n <= 0xFFFFFFFFu) { // a 32-bit division is several times as fast
        const std::uint32_t rest = static_cast<std::uint32_t>(n - length);
        return (rest - 1) / static_cast<std::uint32_t>(stride) + 1;
    }
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (std::size_t i = order.size(); i > 1;) {
        --i;
        const std::size_t j = random_bits(stream, i) % (i + 1);
        std::swap(order[i], order[j]);
    }
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
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options), count_(count_windows(tokens.size(), options.length, options.stride)) {
        if (options_.shuffle) order_.resize(count_);
        begin_epoch(0);
    }

    std::size_t windows() const override { return count_; }

    std::size_t batches() const override {
        const std::size_t full = count_ / options_.batch;
        return !options_.drop_last && count_ % options_.batch != 0 ? full + 1 : full;
    }

    Window window(std::size_t i) const override {
        if (i >= count_) return {};
        const std::size_t begin = i * options_.stride;
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle) shuffled_order(options_.seed, epoch, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, count_ - first);
        const std::size_t length = options_.length;
        if (x.rows != rows || x.cols != length || y.rows != rows || y.cols != length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window w = window(options_.shuffle ? static_cast<std::size_t>(order_[first + r]) : first + r);
            std::copy(w.x.begin(), w.x.end(), x.row(r));
            std::copy(w.y.begin(), w.y.end(), y.row(r));
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t count_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
