// right: the order of an epoch is kept as the addresses where its windows begin; y is copied from x, one place on, and its last token from the text
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

namespace {

// Exchanges what the callback is asked to, for a permutation of `count` things.
template <class Exchange>
void fisher_yates(std::uint64_t seed, std::uint64_t epoch, std::uint64_t count, Exchange exchange) {
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::uint64_t left = count; left >= 2; --left)
        exchange(left - 1, random_bits(stream, left - 1) % left);
}

} // namespace

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::uint64_t next = 0;
    for (std::uint64_t& number : order)
        number = next++;
    fisher_yates(seed, epoch, next, [&](std::uint64_t i, std::uint64_t j) { std::swap(order[i], order[j]); });
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

class AddressLoader final : public WindowLoader {
  public:
    AddressLoader(Ids tokens, const LoaderOptions& options)
        : first_(tokens.data()), length_(options.length), stride_(options.stride), batch_(options.batch),
          seed_(options.seed), windows_(count_windows(tokens.size(), length_, stride_)),
          batches_(options.drop_last ? windows_ / batch_ : (windows_ - 1) / batch_ + 1) {
        if (options.shuffle) begins_.resize(windows_);
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override { return batches_; }

    Window window(std::size_t i) const override {
        Window shown;
        if (i < windows_) {
            shown.x = {first_ + i * stride_, length_};
            shown.y = {first_ + i * stride_ + 1, length_};
        }
        return shown;
    }

    void begin_epoch(std::uint64_t epoch) override {
        for (std::size_t i = 0; i < begins_.size(); ++i)
            begins_[i] = first_ + i * stride_;
        fisher_yates(seed_, epoch, begins_.size(),
                     [this](std::uint64_t i, std::uint64_t j) { std::swap(begins_[i], begins_[j]); });
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches_) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches_);
        const std::size_t done = k * batch_;
        const std::size_t rows = windows_ - done < batch_ ? windows_ - done : batch_;
        if (x.rows != rows || y.rows != rows || x.cols != length_ || y.cols != length_)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const TokenId* const from = begins_.empty() ? first_ + (done + r) * stride_ : begins_[done + r];
            std::memcpy(x.row(r), from, length_ * sizeof(TokenId));
            std::copy(x.row(r) + 1, x.row(r) + length_, y.row(r));
            y(r, length_ - 1) = from[length_];
        }
        return Status{};
    }

  private:
    const TokenId* first_;
    std::size_t length_, stride_, batch_;
    std::uint64_t seed_;
    std::size_t windows_, batches_;
    std::vector<const TokenId*> begins_; // empty without shuffle
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    const bool good = validate(text.tokens().size(), options) == Status{};
    if (!good) return {};
    return std::make_unique<AddressLoader>(text.tokens(), options);
}

} // namespace exercise
