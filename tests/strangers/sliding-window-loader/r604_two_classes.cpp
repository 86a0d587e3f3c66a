// right: two classes, one for the order of the text that keeps nothing and one for shuffled orders, over a base that counts and copies; rows are copied interleaved, token by token
#include "contract.h"

#include <algorithm>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    if (order.empty()) return;
    const std::uint64_t stream = random_bits(seed, epoch);
    order[0] = 0;
    for (std::size_t i = 1; i < order.size(); ++i)
        order[i] = order[i - 1] + 1;
    for (auto last = order; last.size() > 1; last = last.first(last.size() - 1))
        std::ranges::swap(last.back(), last[random_bits(stream, last.size() - 1) % last.size()]);
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

class Base : public WindowLoader {
  public:
    Base(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), length_(options.length), stride_(options.stride), batch_(options.batch),
          windows_(count_windows(tokens.size(), length_, stride_)) {
        served_ = options.drop_last ? windows_ - windows_ % batch_ : windows_;
    }

    std::size_t windows() const final { return windows_; }
    std::size_t batches() const final { return served_ / batch_ + (served_ % batch_ ? 1 : 0); }

    Window window(std::size_t i) const final {
        if (i >= windows_) return {Ids(), Ids()};
        const Ids both = tokens_.subspan(i * stride_, length_ + 1);
        return {both.first(length_), both.last(length_)};
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const final {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        std::size_t at = k * batch_;
        const std::size_t rows = std::min(served_ - at, batch_);
        for (const Matrix<TokenId>* m : {&x, &y})
            if (m->rows != rows || m->cols != length_) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r, ++at) {
            const TokenId* token = tokens_.data() + number(at) * stride_;
            for (std::size_t t = 0; t < length_; ++t) {
                x(r, t) = *token++;
                y(r, t) = *token;
            }
        }
        return Status{};
    }

  protected:
    virtual std::uint64_t number(std::size_t place) const = 0;

  private:
    Ids tokens_;
    std::size_t length_, stride_, batch_, windows_, served_ = 0;
};

class InOrder final : public Base {
  public:
    using Base::Base;
    void begin_epoch(std::uint64_t) override {}

  private:
    std::uint64_t number(std::size_t place) const override { return place; }
};

class Shuffled final : public Base {
  public:
    Shuffled(Ids tokens, const LoaderOptions& options)
        : Base(tokens, options), seed_(options.seed), order_(std::make_unique<std::uint64_t[]>(windows())) {
        renew(0);
    }
    void begin_epoch(std::uint64_t epoch) override { renew(epoch); }

  private:
    void renew(std::uint64_t epoch) { shuffled_order(seed_, epoch, {order_.get(), windows()}); }
    std::uint64_t number(std::size_t place) const override { return order_[place]; }

    std::uint64_t seed_;
    std::unique_ptr<std::uint64_t[]> order_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    std::unique_ptr<WindowLoader> loader;
    if (validate(text.tokens().size(), options) == Status{}) {
        if (options.shuffle)
            loader.reset(new Shuffled(text.tokens(), options));
        else
            loader.reset(new InOrder(text.tokens(), options));
    }
    return loader;
}

} // namespace exercise
