// wrong: with drop_last the order is made of the B * batches() windows that fill whole batches, so it is always the last windows of the text that are left out, and the order is that of a smaller W; shows with shuffle and drop_last where B does not divide W; a right one shuffles all W windows and leaves out the end of that order
#include "contract.h"

#include <algorithm>
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

class Epoch {
  public:
    Epoch(std::size_t count, bool shuffle, std::uint64_t seed) : seed_(seed), shuffle_(shuffle), order_(shuffle ? count : 0) {}
    void begin(std::uint64_t epoch) { shuffled_order(seed_, epoch, order_); }
    std::size_t operator[](std::size_t place) const { return shuffle_ ? order_[place] : place; }

  private:
    std::uint64_t seed_;
    bool shuffle_;
    std::vector<std::uint64_t> order_;
};

class Loader final : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& o)
        : text_(text), options_(o), windows_(count_windows(text.size(), o.length, o.stride)),
          used_(o.drop_last ? windows_ - windows_ % o.batch : windows_), epoch_(used_, o.shuffle, o.seed) {
        epoch_.begin(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override { return used_ / options_.batch + (used_ % options_.batch != 0 ? 1 : 0); }
    Window window(std::size_t i) const override { return i < windows_ ? cut(i) : Window{}; }
    void begin_epoch(std::uint64_t epoch) override { epoch_.begin(epoch); }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * options_.batch, count = std::min(options_.batch, used_ - first);
        if (x.rows != count || x.cols != options_.length || y.rows != count || y.cols != options_.length)
            return {Code::shape_mismatch};
        for (std::size_t r = 0; r < count; ++r) {
            const Window from = cut(epoch_[first + r]);
            std::copy(from.x.begin(), from.x.end(), x.row(r));
            std::copy(from.y.begin(), from.y.end(), y.row(r));
        }
        return {};
    }

  private:
    Window cut(std::size_t i) const {
        const std::size_t at = i * options_.stride;
        return {text_.subspan(at, options_.length), text_.subspan(at + 1, options_.length)};
    }

    Ids text_;
    LoaderOptions options_;
    std::size_t windows_, used_;
    Epoch epoch_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
