// right: begin_epoch only notes the epoch; the order is made by the first load that needs it and kept until another epoch's load comes; count_windows by quotient and remainder
#include "contract.h"

#include <algorithm>
#include <optional>

namespace exercise {

namespace {

class Lazy final : public WindowLoader {
  public:
    Lazy(const Text& text, LoaderOptions options)
        : text_(text), o_(options), w_(count_windows(text.tokens().size(), options.length, options.stride)) {}

    std::size_t windows() const override { return w_; }
    std::size_t batches() const override { return (o_.drop_last ? w_ : w_ - 1) / o_.batch + (o_.drop_last ? 0 : 1); }
    Window window(std::size_t i) const override {
        if (i < w_) return {at(i, 0), at(i, 1)};
        return {Ids{}, Ids{}};
    }
    void begin_epoch(std::uint64_t epoch) override { epoch_ = epoch; }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t all = batches();
        if (!(k < all)) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), all);
        const std::size_t left = w_ - k * o_.batch;
        const std::size_t rows = left < o_.batch ? left : o_.batch;
        for (const auto& m : {x, y})
            if (m.rows != rows || m.cols != o_.length) return Status{Code::shape_mismatch};
        prepare();
        for (std::size_t r = rows; r-- > 0;) {
            const std::size_t place = k * o_.batch + r;
            const std::size_t i = o_.shuffle ? static_cast<std::size_t>(order_[place]) : place;
            std::ranges::copy(at(i, 0), x.row(r));
            std::ranges::copy(at(i, 1), y.row(r));
        }
        return {};
    }

  private:
    Ids at(std::size_t i, std::size_t shift) const {
        return {text_.tokens().data() + i * o_.stride + shift, o_.length};
    }
    void prepare() const {
        if (!o_.shuffle || made_ == epoch_) return;
        order_.resize(w_);
        shuffled_order(o_.seed, epoch_, order_);
        made_ = epoch_;
    }

    const Text& text_;
    LoaderOptions o_;
    std::size_t w_;
    std::uint64_t epoch_ = 0;
    mutable std::optional<std::uint64_t> made_;
    mutable std::vector<std::uint64_t> order_;
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0) return 0;
    const std::size_t starts = n > length ? n - length : 0; // how many places a window may begin at
    return starts / stride + (starts % stride != 0);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size(); i-- > 1;) {
        const std::uint64_t j = random_bits(stream, i) % (i + 1);
        const std::uint64_t moved = order[i];
        order[i] = order[j];
        order[j] = moved;
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const auto& [length, stride, batch, shuffle, drop_last, seed] = options;
    if (length == 0) return {Code::invalid_argument, 0};
    if (stride == 0) return {Code::invalid_argument, 1};
    if (batch == 0) return {Code::invalid_argument, 2};
    const std::size_t w = count_windows(n, length, stride);
    if (w == 0) return Status::position_out_of_range(0, static_cast<std::int64_t>(length), n);
    if (drop_last && w < batch)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(batch)};
    return {};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return {};
    return std::unique_ptr<WindowLoader>(new Lazy(text, options));
}

} // namespace exercise
