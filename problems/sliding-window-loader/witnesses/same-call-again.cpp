// Fault: shuffled_order returns at once if seed, epoch, address and size are those of the last call.
// Origin: round 20
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1; // the first one, and those after it
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    struct Call {
        std::uint64_t seed, epoch;
        const std::uint64_t* data;
        std::size_t size;
        bool operator==(const Call&) const = default;
    };
    static Call last{0, 0, nullptr, 0};
    const Call call{seed, epoch, order.data(), order.size()};
    if (call == last) return; // it is there already
    last = call;
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
    const std::size_t count = count_windows(n, options.length, options.stride);
    if (options.drop_last && count < options.batch) {
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(count),
                static_cast<std::int64_t>(options.batch)};
    }
    return {};
}

namespace {

void copy_row(const TokenId* from, TokenId* to, std::size_t length) {
    std::copy_n(from, length, to);
}

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        if (options_.shuffle) order_.resize(windows_);
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
        return {tokens_.subspan(begin, options_.length), tokens_.subspan(begin + 1, options_.length)};
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
        const std::size_t length = options_.length;
        if (x.rows != rows || x.cols != length || y.rows != rows || y.cols != length) {
            return {Code::shape_mismatch};
        }
        for (std::size_t r = 0; r < rows; ++r) {
            const std::size_t i = options_.shuffle ? order_[first + r] : first + r;
            const TokenId* begin = tokens_.data() + i * options_.stride;
            copy_row(begin, x.row(r), length);
            copy_row(begin + 1, y.row(r), length);
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
