// accepted: keeps every window as two spans, and the epoch's order as pointers to them
#include "contract.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace exercise {
namespace {

class Pairs final : public WindowLoader {
  public:
    Pairs(Ids text, const LoaderOptions& options) : options_(options) {
        const std::size_t W = count_windows(text.size(), options.length, options.stride);
        for (std::size_t i = 0; i < W; ++i) {
            const Ids both = text.subspan(i * options.stride, options.length + 1);
            windows_.push_back({both.first(options.length), both.last(options.length)});
        }
        begin_epoch(0);
    }
    std::size_t windows() const override { return windows_.size(); }
    std::size_t batches() const override {
        return options_.drop_last ? windows() / options_.batch : (windows() - 1) / options_.batch + 1;
    }
    Window window(std::size_t i) const override { return i < windows() ? windows_[i] : Window{}; }
    void begin_epoch(std::uint64_t epoch) override {
        std::vector<std::uint64_t> order(windows());
        std::iota(order.begin(), order.end(), 0);
        if (options_.shuffle) shuffled_order(options_.seed, epoch, order);
        running_.clear();
        for (const std::uint64_t i : order)
            running_.push_back(&windows_[i]);
    }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        const std::size_t count = batches();
        if (k >= count) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), count);
        const std::span rest = std::span(running_).subspan(k * options_.batch);
        const auto batch = rest.first(std::min(options_.batch, rest.size()));
        for (const auto& out : {x, y})
            if (out.rows != batch.size() || out.cols != options_.length) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < batch.size(); ++r) {
            std::ranges::copy(batch[r]->x, x.row(r));
            std::ranges::copy(batch[r]->y, y.row(r));
        }
        return {};
    }

  private:
    LoaderOptions options_;
    std::vector<Window> windows_;
    std::vector<const Window*> running_;
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    const std::size_t rest = n - length;
    return rest / stride + (rest % stride != 0 ? 1 : 0);
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t left = order.size(); left > 1; --left) {
        const std::uint64_t j = random_bits(random_bits(seed, epoch), left - 1) % left;
        std::swap(order[left - 1], order[j]);
    }
}

Status validate(std::size_t n, const LoaderOptions& options) {
    const std::size_t sizes[] = {options.length, options.stride, options.batch};
    for (std::size_t i = 0; i < 3; ++i)
        if (sizes[i] == 0) return {Code::invalid_argument, i};
    const std::size_t W = count_windows(n, options.length, options.stride);
    if (W == 0) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    if (options.drop_last && W / options.batch == 0)
        return {Code::shape_mismatch, 0, static_cast<std::int64_t>(W),
                static_cast<std::int64_t>(options.batch)};
    return {};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::unique_ptr<WindowLoader>(new Pairs(text.tokens(), options));
}

} // namespace exercise
