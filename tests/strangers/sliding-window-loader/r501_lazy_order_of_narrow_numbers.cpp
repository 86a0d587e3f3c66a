// right: the order of an epoch is made only when the first batch of it is loaded, and kept in 32-bit numbers where W fits into them; the class is a template over that number and over whether there is an order at all.
#include "contract.h"

#include <algorithm>
#include <limits>

namespace exercise {
namespace {

template <class Number>
void shuffle_numbers(std::uint64_t seed, std::uint64_t epoch, std::span<Number> order) {
    Number next = 0;
    std::generate(order.begin(), order.end(), [&next] { return next++; });
    const std::uint64_t stream = random_bits(seed, epoch);
    for (auto rest = order; rest.size() > 1; rest = rest.first(rest.size() - 1)) {
        const std::uint64_t i = rest.size() - 1;
        std::swap(rest.back(), rest[random_bits(stream, i) % rest.size()]);
    }
}

/// The order of the text.
class InOrder {
  public:
    InOrder(std::uint64_t, std::size_t) {}
    void begin(std::uint64_t) {}
    std::size_t operator()(std::size_t place) const { return place; }
};

/// The order of an epoch, made when it is needed for the first time.
template <class Number>
class Shuffled {
  public:
    Shuffled(std::uint64_t seed, std::size_t windows) : seed_(seed), windows_(windows) {}

    void begin(std::uint64_t epoch) {
        if (epoch != epoch_) made_ = false;
        epoch_ = epoch;
    }

    std::size_t operator()(std::size_t place) const {
        if (!made_) {
            order_.resize(windows_);
            shuffle_numbers<Number>(seed_, epoch_, order_);
            made_ = true;
        }
        return order_[place];
    }

  private:
    std::uint64_t seed_;
    std::size_t windows_;
    std::uint64_t epoch_ = 0;
    mutable bool made_ = false;
    mutable std::vector<Number> order_;
};

template <class Order>
class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options, std::size_t windows)
        : tokens_(tokens), length_(options.length), stride_(options.stride), batch_(options.batch),
          windows_(windows),
          batches_(windows / options.batch + (!options.drop_last && windows % options.batch != 0)),
          order_(options.seed, windows) {}

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override { return batches_; }

    Window window(std::size_t i) const override {
        if (i >= windows_) return {};
        const TokenId* first = tokens_.data() + i * stride_;
        return {Ids(first, length_), Ids(first + 1, length_)};
    }

    void begin_epoch(std::uint64_t epoch) override { order_.begin(epoch); }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches_) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches_);
        const std::size_t first = k * batch_;
        const std::size_t rows = std::min(batch_, windows_ - first);
        if (x.rows != rows || x.cols != length_ || y.rows != rows || y.cols != length_)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const auto [from_x, from_y] = window(order_(first + r));
            std::ranges::copy(from_x, x.row(r));
            std::ranges::copy(from_y, y.row(r));
        }
        return Status{};
    }

  private:
    Ids tokens_;
    std::size_t length_;
    std::size_t stride_;
    std::size_t batch_;
    std::size_t windows_;
    std::size_t batches_;
    Order order_;
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1; // those after the first, and the first
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    shuffle_numbers(seed, epoch, order);
}

Status validate(std::size_t n, const LoaderOptions& options) {
    if (options.length == 0) return Status{Code::invalid_argument, 0};
    if (options.stride == 0) return Status{Code::invalid_argument, 1};
    if (options.batch == 0) return Status{Code::invalid_argument, 2};
    if (n <= options.length)
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t windows = count_windows(n, options.length, options.stride);
    if (options.drop_last && windows < options.batch)
        return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(windows),
                      static_cast<std::int64_t>(options.batch)};
    return Status{};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    const Ids tokens = text.tokens();
    if (validate(tokens.size(), options) != Status{}) return nullptr;
    const std::size_t windows = count_windows(tokens.size(), options.length, options.stride);
    if (!options.shuffle) return std::make_unique<Loader<InOrder>>(tokens, options, windows);
    if (windows <= std::numeric_limits<std::uint32_t>::max())
        return std::make_unique<Loader<Shuffled<std::uint32_t>>>(tokens, options, windows);
    return std::make_unique<Loader<Shuffled<std::uint64_t>>>(tokens, options, windows);
}

} // namespace exercise
