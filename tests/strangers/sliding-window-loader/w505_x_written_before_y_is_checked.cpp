// wrong: load fills x before it looks at the shape of y, so where x fits and y does not the refused call has written x; a right one checks both and writes nothing.
#include "contract.h"

#include <algorithm>
#include <numeric>

namespace exercise {
namespace {

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
        if (options_.drop_last) return windows_ / options_.batch;
        return windows_ == 0 ? 0 : (windows_ - 1) / options_.batch + 1;
    }
    Window window(std::size_t i) const override {
        return i < windows_ ? Window{part(i, 0), part(i, 1)} : Window{};
    }
    void begin_epoch(std::uint64_t epoch) override { shuffled_order(options_.seed, epoch, order_); }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        if (const Status status = fill(k, x, 0); status.code != Code::ok) return status;
        return fill(k, y, 1);
    }

  private:
    /// The tokens of window i, or with shift 1 those that follow.
    Ids part(std::size_t i, std::size_t shift) const {
        return tokens_.subspan(i * options_.stride + shift, options_.length);
    }

    Status fill(std::size_t k, Matrix<TokenId> to, std::size_t shift) const {
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (to.rows != rows || to.cols != options_.length) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Ids from = part(options_.shuffle ? order_[first + r] : first + r, shift);
            std::copy(from.begin(), from.end(), to.row(r));
        }
        return Status{};
    }

    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_; // empty without shuffle
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    return n > length && length > 0 && stride > 0 ? 1 + (n - length - 1) / stride : 0;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    const std::uint64_t stream = random_bits(seed, epoch);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::size_t i = order.empty() ? 0 : order.size() - 1; i > 0; --i) {
        const std::size_t j = random_bits(stream, i) % (i + 1);
        const std::uint64_t moved = order[i];
        order[i] = order[j];
        order[j] = moved;
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return Status{Code::invalid_argument, 0};
    if (options.stride == 0) return Status{Code::invalid_argument, 1};
    if (options.batch == 0) return Status{Code::invalid_argument, 2};
    if (n <= options.length)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t windows = count_windows(n, options.length, options.stride);
    if (options.drop_last && windows < options.batch)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(windows),
                      static_cast<std::int64_t>(options.batch)};
    return Status{};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
