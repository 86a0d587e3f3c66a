// right: the order is made when the first load of an epoch needs it, in 32-bit numbers where they are enough, by one template for both widths
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <variant>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    const std::size_t room = n - length;
    return room / stride + (room % stride != 0 ? 1 : 0);
}

namespace {

template <class Number>
void permute(std::uint64_t seed, std::uint64_t epoch, std::span<Number> order) {
    const std::uint64_t stream = random_bits(seed, epoch);
    std::iota(order.begin(), order.end(), Number{0});
    std::uint64_t i = order.size();
    while (i > 1) {
        --i;
        const std::uint64_t j = random_bits(stream, i) % (i + 1);
        const Number kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

} // namespace

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    permute(seed, epoch, order);
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

class Lazy final : public WindowLoader {
  public:
    Lazy(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), how_(options), count_(count_windows(tokens.size(), options.length, options.stride)) {}

    std::size_t windows() const override { return count_; }
    std::size_t batches() const override {
        return count_ / how_.batch + (!how_.drop_last && count_ % how_.batch != 0 ? 1 : 0);
    }
    Window window(std::size_t i) const override {
        if (i >= count_) return Window{};
        const TokenId* const first = tokens_.data() + i * how_.stride;
        return Window{Ids(first, how_.length), Ids(first + 1, how_.length)};
    }
    void begin_epoch(std::uint64_t epoch) override { epoch_ = epoch; }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t all = batches();
        if (k >= all) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), all);
        const std::size_t begin = k * how_.batch;
        const std::size_t rows = std::min(how_.batch, count_ - begin);
        const auto fits = [&](const Matrix<TokenId>& m) { return m.rows == rows && m.cols == how_.length; };
        if (!fits(x) || !fits(y)) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = window(number(begin + r));
            std::ranges::copy(from.y, y.row(r));
            std::ranges::copy(from.x, x.row(r));
        }
        return Status{};
    }

  private:
    using Narrow = std::vector<std::uint32_t>;
    using Broad = std::vector<std::uint64_t>;

    std::size_t number(std::size_t place) const {
        if (!how_.shuffle) return place;
        if (made_ != epoch_) {
            if (count_ <= 0xFFFFFFFFu)
                fill<Narrow>();
            else
                fill<Broad>();
            made_ = epoch_;
        }
        return std::visit([&](const auto& order) { return static_cast<std::size_t>(order[place]); }, order_);
    }
    template <class Numbers>
    void fill() const {
        if (!std::holds_alternative<Numbers>(order_)) order_.emplace<Numbers>();
        Numbers& numbers = std::get<Numbers>(order_);
        numbers.resize(count_);
        permute(how_.seed, epoch_, std::span(numbers));
    }

    Ids tokens_;
    LoaderOptions how_;
    std::size_t count_;
    std::uint64_t epoch_ = 0;
    mutable std::optional<std::uint64_t> made_;
    mutable std::variant<Narrow, Broad> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Lazy>(text.tokens(), options);
}

} // namespace exercise
