// wrong: the loader keeps a reference to the options, which need not live longer than make; shows where they are changed or gone when the loader is used; a right one copies them
#include "contract.h"

#include <algorithm>
#include <cstring>
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

struct Loader final : WindowLoader {
    Loader(const Text& given, const LoaderOptions& wanted)
        : text(given), options(wanted), order(count_windows(text.tokens().size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return order.size(); }
    std::size_t batches() const override {
        return order.size() / options.batch + (!options.drop_last && order.size() % options.batch != 0);
    }
    Window window(std::size_t i) const override {
        if (i >= order.size()) return {};
        return {text.tokens().subspan(i * options.stride, options.length),
                text.tokens().subspan(i * options.stride + 1, options.length)};
    }
    void begin_epoch(std::uint64_t epoch) override {
        if (options.shuffle)
            shuffled_order(options.seed, epoch, order);
        else
            std::iota(order.begin(), order.end(), std::uint64_t{0});
    }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t begin = k * options.batch;
        const std::size_t count = std::min(options.batch, order.size() - begin);
        for (const Matrix<TokenId>& m : {x, y})
            if (m.rows != count || m.cols != options.length) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < count; ++r) {
            const Window w = window(order[begin + r]);
            std::memcpy(x.row(r), w.x.data(), w.x.size_bytes());
            std::memcpy(y.row(r), w.y.data(), w.y.size_bytes());
        }
        return {};
    }

    const Text& text;
    const LoaderOptions& options;
    std::vector<std::uint64_t> order;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text, options);
}

} // namespace exercise
