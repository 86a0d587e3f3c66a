// right: the order of an epoch is kept in 32-bit numbers where W fits, else in 64-bit ones (a variant), and not at all without shuffle; shuffled_order itself is built by the same template
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <variant>

namespace exercise {

namespace {

template <class Number>
void permute(std::uint64_t seed, std::uint64_t epoch, std::span<Number> order) {
    std::iota(order.begin(), order.end(), Number{0});
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t left = order.size(); left > 1; --left) // i = left - 1
        std::swap(order[left - 1], order[random_bits(stream, left - 1) % left]);
}

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), options_(options), windows_(count_windows(tokens.size(), options.length, options.stride)) {
        if (options_.shuffle) {
            if (windows_ <= std::numeric_limits<std::uint32_t>::max())
                order_ = std::vector<std::uint32_t>(windows_);
            else
                order_ = std::vector<std::uint64_t>(windows_);
        }
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }

    std::size_t batches() const override {
        const bool part = !options_.drop_last && windows_ % options_.batch != 0;
        return windows_ / options_.batch + (part ? 1 : 0);
    }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const Ids both = tokens_.subspan(i * options_.stride, options_.length + 1);
        return {both.first(options_.length), both.last(options_.length)};
    }

    void begin_epoch(std::uint64_t epoch) override {
        if (!options_.shuffle) return;
        std::visit([&](auto& order) { permute(options_.seed, epoch, std::span(order)); }, order_);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch, rows = std::min(options_.batch, windows_ - first);
        const auto right = [&](const Matrix<TokenId>& m) { return m.rows == rows && m.cols == options_.length; };
        if (!right(x) || !right(y)) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(number(first + r));
            std::memcpy(x.row(r), from.x.data(), from.x.size_bytes());
            std::memcpy(y.row(r), from.y.data(), from.y.size_bytes());
        }
        return {};
    }

  private:
    std::size_t number(std::size_t place) const {
        if (!options_.shuffle) return place;
        return std::visit([&](const auto& order) { return static_cast<std::size_t>(order[place]); }, order_);
    }

    Ids tokens_;
    LoaderOptions options_;
    std::size_t windows_;
    std::variant<std::vector<std::uint32_t>, std::vector<std::uint64_t>> order_;
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return 1 + (n - length - 1) / stride;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    permute(seed, epoch, order);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const std::size_t positive[] = {options.length, options.stride, options.batch};
    for (std::size_t i = 0; i < 3; ++i)
        if (positive[i] == 0) return Status{Code::invalid_argument, i, 0, 0};
    if (n <= options.length) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t w = count_windows(n, options.length, options.stride);
    if (options.drop_last && w < options.batch)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(options.batch)};
    return {};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options) != Status{}) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
