// right: two classes, one in the order of the text and one shuffled, over a common base with a virtual place-to-window number; x is copied by token and y's row from x's row shifted, with its last token from the text
#include "contract.h"

#include <algorithm>

namespace exercise {

namespace {

struct Plan {
    std::size_t length, stride, batch, windows, batches;
};

Plan plan(std::size_t n, const LoaderOptions& o) {
    const std::size_t w = count_windows(n, o.length, o.stride);
    const std::size_t full = w / o.batch;
    return {o.length, o.stride, o.batch, w, full + (!o.drop_last && full * o.batch < w ? 1 : 0)};
}

class InOrder : public WindowLoader {
  public:
    InOrder(const TokenId* text, const Plan& cut) : text_(text), cut_(cut) {}

    std::size_t windows() const final { return cut_.windows; }
    std::size_t batches() const final { return cut_.batches; }
    Window window(std::size_t i) const final {
        if (i >= cut_.windows) return Window();
        const TokenId* begin = text_ + cut_.stride * i;
        return {Ids(begin, begin + cut_.length), Ids(begin + 1, cut_.length)};
    }
    void begin_epoch(std::uint64_t) override {}
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const final {
        if (k >= cut_.batches) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), cut_.batches);
        const std::size_t begin = k * cut_.batch;
        const std::size_t count = cut_.windows - begin < cut_.batch ? cut_.windows - begin : cut_.batch;
        if (x.rows != count || y.rows != count || x.cols != cut_.length || y.cols != cut_.length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < count; ++r) {
            const TokenId* from = text_ + cut_.stride * at(begin + r);
            TokenId* const to = x.row(r);
            for (std::size_t t = 0; t < cut_.length; ++t)
                to[t] = from[t];
            std::copy(to + 1, to + cut_.length, y.row(r));
            y(r, cut_.length - 1) = from[cut_.length];
        }
        return Status{};
    }

  protected:
    const Plan& cut() const { return cut_; }

  private:
    virtual std::size_t at(std::size_t place) const { return place; }

    const TokenId* text_;
    Plan cut_;
};

class Shuffled final : public InOrder {
  public:
    Shuffled(const TokenId* text, const Plan& cut, std::uint64_t seed)
        : InOrder(text, cut), seed_(seed), order_(std::make_unique<std::uint64_t[]>(cut.windows)) {
        Shuffled::begin_epoch(0);
    }
    void begin_epoch(std::uint64_t epoch) override { shuffled_order(seed_, epoch, {order_.get(), cut().windows}); }

  private:
    std::size_t at(std::size_t place) const override { return static_cast<std::size_t>(order_[place]); }

    std::uint64_t seed_;
    std::unique_ptr<std::uint64_t[]> order_;
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0) return 0;
    if (n <= length) return 0;
    const unsigned __int128 room = n - length;
    return static_cast<std::size_t>((room + stride - 1) / stride);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::uint64_t number = 0;
    for (std::uint64_t& place : order)
        place = number++;
    if (order.empty()) return;
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size() - 1; i > 0; --i)
        std::iter_swap(order.begin() + static_cast<std::ptrdiff_t>(i),
                       order.begin() + static_cast<std::ptrdiff_t>(random_bits(stream, i) % (i + 1)));
}

Status validate(std::size_t n, const LoaderOptions& options) {
    Status status;
    if (options.length == 0 || options.stride == 0 || options.batch == 0) {
        status.code = Code::invalid_argument;
        status.where = options.length == 0 ? 0 : options.stride == 0 ? 1 : 2;
    } else if (n <= options.length) {
        status = Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    } else if (const std::size_t w = count_windows(n, options.length, options.stride); options.drop_last && w < options.batch) {
        status.code = Code::shape_mismatch;
        status.value = static_cast<std::int64_t>(w);
        status.limit = static_cast<std::int64_t>(options.batch);
    }
    return status;
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    const Ids tokens = text.tokens();
    if (validate(tokens.size(), options).code != Code::ok) return nullptr;
    const Plan cut = plan(tokens.size(), options);
    if (options.shuffle) return std::make_unique<Shuffled>(tokens.data(), cut, options.seed);
    return std::make_unique<InOrder>(tokens.data(), cut);
}

} // namespace exercise
