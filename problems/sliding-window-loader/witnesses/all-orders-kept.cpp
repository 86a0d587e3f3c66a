// Fault: A loader keeps the order of every epoch, so memory grows with the number of epochs.
// Origin: round 11
#include "contract.h"

#include <algorithm>
#include <map>

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
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const std::size_t full = windows_ / options_.batch;
        return options_.drop_last || windows_ % options_.batch == 0 ? full : full + 1;
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        return {tokens_.subspan(i * options_.stride, options_.length),
                tokens_.subspan(i * options_.stride + 1, options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (!options_.shuffle) return;
        const auto [place, fresh] = orders_.try_emplace(epoch); // epochs may come again
        if (fresh) {
            place->second.resize(windows_);
            shuffled_order(options_.seed, epoch, place->second);
        }
        order_ = place->second.data();
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches())
            return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return {Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(options_.shuffle ? order_[first + r] : first + r);
            std::copy(from.x.begin(), from.x.end(), x.row(r));
            std::copy(from.y.begin(), from.y.end(), y.row(r));
        }
        return {};
    }

  private:
    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> orders_;
    const std::uint64_t* order_ = nullptr;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
