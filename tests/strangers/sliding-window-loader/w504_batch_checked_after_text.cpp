// wrong: B = 0 is looked for only after the text was found long enough, so B = 0 with n <= L gives position_out_of_range; a right one refuses L, S and B of 0 first, with invalid_argument and 2 for B.
#include "contract.h"

#include <algorithm>
#include <numeric>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    const std::size_t room = n - length;
    return room / stride + (room % stride == 0 ? 0 : 1);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t count = order.size(); count >= 2; --count) {
        const std::size_t i = count - 1;
        const std::size_t j = random_bits(stream, i) % count;
        std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(i), order.begin() + static_cast<std::ptrdiff_t>(j));
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const auto& [L, S, B, shuffle, drop_last, seed] = options;
    // How the text is cut.
    if (L == 0) return Status{Code::invalid_argument, 0};
    if (S == 0) return Status{Code::invalid_argument, 1};
    if (n <= L) return Status::position_out_of_range(0, static_cast<std::int64_t>(L), n);
    // How windows come together.
    if (B == 0) return Status{Code::invalid_argument, 2};
    const std::size_t W = count_windows(n, L, S);
    if (drop_last && W < B)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(W), static_cast<std::int64_t>(B)};
    return Status{};
}

namespace {

class Windows final : public WindowLoader {
  public:
    Windows(Ids text, const LoaderOptions& options)
        : text_(text), options_(options), order_(count_windows(text.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return order_.size(); }
    std::size_t batches() const override {
        const auto [whole, rest] = std::pair{windows() / options_.batch, windows() % options_.batch};
        return whole + (rest != 0 && !options_.drop_last);
    }
    Window window(std::size_t i) const override {
        Window result;
        if (i < windows()) {
            result.x = {text_.data() + i * options_.stride, options_.length};
            result.y = {result.x.data() + 1, options_.length};
        }
        return result;
    }
    void begin_epoch(std::uint64_t epoch) override {
        if (options_.shuffle)
            shuffled_order(options_.seed, epoch, order_);
        else
            std::iota(order_.begin(), order_.end(), std::uint64_t{0});
    }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        std::span<const std::uint64_t> batch = order_;
        batch = batch.subspan(k * options_.batch);
        batch = batch.first(std::min(batch.size(), options_.batch));
        for (const Matrix<TokenId>& each : {x, y})
            if (each.rows != batch.size() || each.cols != options_.length) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < batch.size(); ++r) {
            const Window from = window(batch[r]);
            std::copy_n(from.x.data(), from.x.size(), x.row(r));
            std::copy_n(from.y.data(), from.y.size(), y.row(r));
        }
        return Status{};
    }

  private:
    Ids text_;
    LoaderOptions options_;
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Windows>(text.tokens(), options);
}

} // namespace exercise
