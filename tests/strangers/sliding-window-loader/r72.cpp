// right: counts in 128 bits, exchanges by xor, lets two derived classes stand for shuffled and plain loaders, and fills x in blocks of 7 columns and y from its last row to its first.
#include "contract.h"

#include <ranges>

namespace exercise {

__extension__ typedef unsigned __int128 u128;

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length * (stride != 0) == 0 || n <= length) return 0;
    return static_cast<std::size_t>((u128{n - length} + stride - 1) / stride);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::uint64_t i = 0; auto& each : order)
        each = i++;
    const std::uint64_t stream = random_bits(seed, epoch);
    const auto exchange = [&](std::uint64_t i) {
        const std::uint64_t j = random_bits(stream, i) % (i + 1);
        if (i == j) return;
        order[i] ^= order[j];
        order[j] ^= order[i];
        order[i] ^= order[j];
    };
    if (order.size() > 1)
        for (const std::uint64_t i : std::views::iota(std::uint64_t{1}, std::uint64_t{order.size()}) | std::views::reverse)
            exchange(i);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    Status status;
    const std::size_t w = count_windows(n, options.length, options.stride);
    const int zero = !options.length ? 0 : !options.stride ? 1 : !options.batch ? 2 : 3;
    if (zero < 3) {
        status.code = Code::invalid_argument;
        status.where = static_cast<std::size_t>(zero);
    } else if (n <= options.length) {
        status.code = Code::position_out_of_range;
        status.value = static_cast<std::int64_t>(options.length);
        status.limit = static_cast<std::int64_t>(n);
    } else if (options.drop_last && w < options.batch) {
        status.code = Code::shape_mismatch;
        status.value = static_cast<std::int64_t>(w);
        status.limit = static_cast<std::int64_t>(options.batch);
    }
    return status;
}

namespace {

class Plain : public WindowLoader {
  public:
    Plain(Ids text, const LoaderOptions& options) : text_(text), o_(options) {
        w_ = count_windows(text.size(), o_.length, o_.stride);
        full_ = w_ / o_.batch;
        rest_ = o_.drop_last ? 0 : w_ % o_.batch;
    }
    std::size_t windows() const final { return w_; }
    std::size_t batches() const final { return full_ + (rest_ > 0); }
    Window window(std::size_t i) const final {
        if (i >= w_) return Window{Ids{}, Ids{}};
        const Ids both = text_.subspan(i * o_.stride).first(o_.length + 1);
        return Window{both.first(both.size() - 1), both.last(both.size() - 1)};
    }
    void begin_epoch(std::uint64_t) override {}
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const final {
        if (!(k < batches())) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t rows = k < full_ ? o_.batch : rest_;
        const bool fits = x.rows == rows && y.rows == rows && x.cols == o_.length && y.cols == o_.length;
        if (!fits) return Status{Code::shape_mismatch};
        std::vector<const TokenId*> begins(rows);
        for (std::size_t r = 0; r < rows; ++r)
            begins[r] = window(number(k * o_.batch + r)).x.data();
        constexpr std::size_t block = 7;
        for (std::size_t c0 = 0; c0 < x.cols; c0 += block)
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = c0; c < x.cols && c < c0 + block; ++c)
                    x(r, c) = begins[r][c];
        for (std::size_t r = rows; r-- > 0;)
            for (std::size_t c = y.cols; c-- > 0;)
                y(r, c) = begins[r][c + 1];
        return Status{};
    }

  protected:
    virtual std::size_t number(std::size_t place) const { return place; }
    const LoaderOptions& options() const { return o_; }

  private:
    Ids text_;
    LoaderOptions o_;
    std::size_t w_, full_, rest_;
};

class Shuffled final : public Plain {
  public:
    Shuffled(Ids text, const LoaderOptions& options) : Plain(text, options), order_(windows()) { Shuffled::begin_epoch(0); }
    void begin_epoch(std::uint64_t epoch) override { shuffled_order(options().seed, epoch, order_); }

  private:
    std::size_t number(std::size_t place) const override { return order_[place]; }
    std::vector<std::uint64_t> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    if (options.shuffle) return std::make_unique<Shuffled>(text.tokens(), options);
    return std::make_unique<Plain>(text.tokens(), options);
}

} // namespace exercise
