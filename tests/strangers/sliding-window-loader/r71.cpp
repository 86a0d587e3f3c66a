// right: nothing is kept but the epoch until a batch is loaded, the order then lies in 32-bit or 64-bit numbers as W asks for, and the rows of a batch are copied by up to four joined threads, the later rows first.
#include "contract.h"

#include <cstring>
#include <optional>
#include <thread>
#include <variant>

namespace exercise {
namespace {

template <class Number>
void shuffle_into(std::uint64_t seed, std::uint64_t epoch, Number* order, std::size_t w) {
    for (std::size_t i = 0; i != w; ++i)
        order[i] = static_cast<Number>(i);
    const auto stream = random_bits(seed, epoch);
    std::size_t i = w;
    while (i > 1) {
        const std::uint64_t j = random_bits(stream, i - 1) % i;
        --i;
        const Number kept = order[j];
        order[j] = order[i];
        order[i] = kept;
    }
}

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0) return 0;
    if (n < length || n - length == 0) return 0;
    const std::size_t targets = n - length; // 1 or more
    return targets / stride + (targets % stride == 0 ? 0 : 1);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    shuffle_into(seed, epoch, order.data(), order.size());
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const std::size_t positive[] = {options.length, options.stride, options.batch};
    for (std::size_t i = 0; i < 3; ++i)
        if (positive[i] == 0) return Status{Code::invalid_argument, i};
    const std::size_t w = count_windows(n, options.length, options.stride);
    if (w == 0) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    if (!options.drop_last || w >= options.batch) return Status{};
    return Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(options.batch)};
}

namespace {

class Lazy : public WindowLoader {
    const Text* text;
    LoaderOptions o;
    std::uint64_t epoch = 0;
    mutable std::variant<std::monostate, std::vector<std::uint32_t>, std::vector<std::uint64_t>> order;

    std::size_t number(std::size_t place) const {
        if (const auto* small = std::get_if<1>(&order)) return (*small)[place];
        if (const auto* large = std::get_if<2>(&order)) return (*large)[place];
        return place;
    }

    void prepare() const {
        if (!o.shuffle || order.index() != 0) return;
        const std::size_t w = windows();
        if (w <= 0xFFFFFFFFu) {
            std::vector<std::uint32_t> numbers(w);
            shuffle_into(o.seed, epoch, numbers.data(), w);
            order = std::move(numbers);
        } else {
            std::vector<std::uint64_t> numbers(w);
            shuffle_into(o.seed, epoch, numbers.data(), w);
            order = std::move(numbers);
        }
    }

  public:
    Lazy(const Text& t, const LoaderOptions& options) : text(&t), o(options) {}

    std::size_t windows() const override { return count_windows(text->tokens().size(), o.length, o.stride); }

    std::size_t batches() const override {
        const std::size_t w = windows();
        return o.drop_last ? w / o.batch : w == 0 ? 0 : (w - 1) / o.batch + 1;
    }

    Window window(std::size_t i) const override {
        Window both;
        if (i < windows()) {
            const TokenId* p = text->tokens().data() + i * o.stride;
            both.x = Ids(p, o.length);
            both.y = Ids(p + 1, o.length);
        }
        return both;
    }

    void begin_epoch(std::uint64_t e) override {
        if (e == epoch) return;
        epoch = e;
        order = std::monostate{};
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t count = batches();
        if (k >= count) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), count);
        const std::size_t begin = k * o.batch, left = windows() - begin;
        const std::size_t rows = left < o.batch ? left : o.batch;
        for (const Matrix<TokenId>& m : {x, y})
            if (m.rows != rows || m.cols != o.length) return Status{Code::shape_mismatch};
        prepare();
        const auto some = [&](std::size_t from, std::size_t step) {
            for (std::size_t r = from; r < rows; r += step) {
                const std::size_t down = rows - 1 - r;
                const Window w = window(number(begin + down));
                std::memcpy(y.row(down), w.y.data(), o.length * sizeof(TokenId));
                std::memcpy(x.row(down), w.x.data(), o.length * sizeof(TokenId));
            }
        };
        if (rows < 64) {
            some(0, 1);
        } else {
            std::thread one(some, 1, 4), two(some, 2, 4), three(some, 3, 4);
            some(0, 4);
            one.join();
            two.join();
            three.join();
        }
        return Status{};
    }
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    std::unique_ptr<WindowLoader> loader;
    if (validate(text.tokens().size(), options) == Status{}) loader.reset(new Lazy(text, options));
    return loader;
}

} // namespace exercise
