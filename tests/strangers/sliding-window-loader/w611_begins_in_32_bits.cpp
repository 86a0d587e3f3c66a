// wrong: the order is kept as the numbers of the first tokens, 32 bits each, to save half of the memory; shows in load with shuffle in texts of more than 2^32 tokens; a right one reaches every token
#include "contract.h"

#include <algorithm>

namespace exercise {

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || n <= length) return 0;
    return (n - length - 1) / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = order.size(); i-- > 1;)
        std::swap(order[i], order[random_bits(stream, i) % (i + 1)]);
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

class Loader final : public WindowLoader {
  public:
    Loader(Ids tokens, const LoaderOptions& options)
        : tokens_(tokens), how_(options),
          windows_(count_windows(tokens.size(), options.length, options.stride)) {
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override {
        return how_.drop_last ? windows_ / how_.batch : (windows_ - 1) / how_.batch + 1;
    }
    Window window(std::size_t i) const override { return i < windows_ ? at(i * how_.stride) : Window{}; }

    void begin_epoch(std::uint64_t epoch) override {
        if (!how_.shuffle) return;
        begins_.resize(windows_);
        for (std::size_t i = 0; i < windows_; ++i)
            begins_[i] = static_cast<std::uint32_t>(i * how_.stride);
        const std::uint64_t stream = random_bits(how_.seed, epoch);
        for (std::size_t i = windows_; i-- > 1;)
            std::swap(begins_[i], begins_[random_bits(stream, i) % (i + 1)]);
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches()) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches());
        const std::size_t first = k * how_.batch;
        const std::size_t rows = std::min(how_.batch, windows_ - first);
        if (x.rows != rows || y.rows != rows || x.cols != how_.length || y.cols != how_.length)
            return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < rows; ++r) {
            const Window from = how_.shuffle ? at(begins_[first + r]) : window(first + r);
            std::ranges::copy(from.x, x.row(r));
            std::ranges::copy(from.y, y.row(r));
        }
        return Status{};
    }

  private:
    Window at(std::size_t begin) const {
        return {tokens_.subspan(begin, how_.length), tokens_.subspan(begin + 1, how_.length)};
    }

    Ids tokens_;
    LoaderOptions how_;
    std::size_t windows_;
    std::vector<std::uint32_t> begins_;
};

} // namespace

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    if (validate(text.tokens().size(), options).code != Code::ok) return nullptr;
    return std::make_unique<Loader>(text.tokens(), options);
}

} // namespace exercise
