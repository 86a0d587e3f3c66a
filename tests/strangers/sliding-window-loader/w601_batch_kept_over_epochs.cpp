// wrong: load keeps the window numbers of the batch it loaded last and uses them again for the same k, also after begin_epoch; shows with shuffle where the same batch is loaded before and after a change of epoch with no other load between; a right one follows the epoch
#include "contract.h"

#include <algorithm>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
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
    const std::size_t count = count_windows(n, options.length, options.stride);
    if (options.drop_last && count < options.batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(count),
                static_cast<std::int64_t>(options.batch)};
    return {};
}

namespace {

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)), order_(windows_) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        return windows_ / options_.batch + (windows_ % options_.batch > 0 && !options_.drop_last);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const Ids from = tokens_.subspan(i * options_.stride);
        return {from.first(options_.length), from.subspan(1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle)
            shuffled_order(options_.seed, epoch, order_);
        else
            for (std::size_t i = 0; i < windows_; ++i)
                order_[i] = i;
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::vector<std::uint64_t>& batch = prepared(k);
        for (const Matrix<TokenId>& m : {x, y})
            if (m.rows != batch.size() || m.cols != options_.length) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < batch.size(); ++r) {
            const Window from = window(batch[r]);
            std::copy(from.x.begin(), from.x.end(), x.row(r));
            std::copy(from.y.begin(), from.y.end(), y.row(r));
        }
        return {};
    }

  private:
    const std::vector<std::uint64_t>& prepared(std::size_t k) const {
        if (batch_.empty() || k != number_) {
            batch_.clear();
            for (std::size_t i = k * options_.batch; i < windows_ && batch_.size() < options_.batch; ++i)
                batch_.push_back(order_[i]);
            number_ = k;
        }
        return batch_;
    }

    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::vector<std::uint64_t> order_;
    mutable std::vector<std::uint64_t> batch_;
    mutable std::size_t number_ = 0;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
