// Fault: The orders of all epochs that were begun are kept in a map, so memory grows with the number of epochs.
// Origin: round 12
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

class Loader final : public WindowLoader {
  public:
    Loader(const Text& text, const LoaderOptions& options) : text_(&text), options_(options) {
        windows_ = count_windows(text.tokens().size(), options.length, options.stride);
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        std::size_t whole = windows_ / options_.batch;
        if (!options_.drop_last && whole * options_.batch != windows_) ++whole;
        return whole;
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const TokenId* begin = &text_->tokens()[i * options_.stride];
        return {{begin, options_.length}, {begin + 1, options_.length}};
    }

    // Epochs may come again: made once, an order is there.
    void begin_epoch(std::uint64_t epoch) override {
        auto [entry, fresh] = orders_.try_emplace(epoch);
        if (fresh) {
            entry->second.resize(windows_);
            if (options_.shuffle)
                shuffled_order(options_.seed, epoch, entry->second);
            else
                std::iota(entry->second.begin(), entry->second.end(), std::uint64_t{0});
        }
        now_ = &entry->second; // entries of a map stay where they are
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(options_.batch, windows_ - first);
        if (x.rows != rows || x.cols != options_.length || y.rows != rows || y.cols != options_.length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window((*now_)[first + r]);
            std::copy_n(from.x.begin(), options_.length, x.row(r));
            std::copy_n(from.y.begin(), options_.length, y.row(r));
        }
        return {};
    }

  private:
    const Text* text_;
    LoaderOptions options_;
    std::size_t windows_ = 0;
    std::map<std::uint64_t, Order> orders_;
    const Order* now_ = nullptr;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text, options);
}

} // namespace exercise
