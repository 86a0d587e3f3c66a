// right: keeps, instead of window numbers, where each window of the epoch begins in the text (shuffling the beginnings themselves), and large batches are copied by 3 threads
#include "contract.h"

#include <algorithm>
#include <functional>
#include <thread>

namespace exercise {

namespace {

// Fisher and Yates for anything that can exchange two places.
void exchange(std::uint64_t seed, std::uint64_t epoch, std::size_t count,
              const std::function<void(std::size_t, std::size_t)>& swap) {
    const std::uint64_t stream = random_bits(seed, epoch);
    for (std::size_t i = count; i > 1;) {
        --i;
        swap(i, static_cast<std::size_t>(random_bits(stream, i) % (std::uint64_t{i} + 1)));
    }
}

class Loader : public WindowLoader {
  public:
    Loader(Ids text, const LoaderOptions& options) : text_(text), options_(options) {
        windows_ = count_windows(text.size(), options.length, options.stride);
        batches_ = windows_ / options.batch;
        if (!options.drop_last && windows_ % options.batch > 0) ++batches_;
        if (options.shuffle) begins_.resize(windows_);
        begin_epoch(0);
    }

    std::size_t windows() const override { return windows_; }
    std::size_t batches() const override { return batches_; }

    Window window(std::size_t i) const override {
        Window shown;
        if (i < windows_) {
            shown.x = text_.subspan(i * options_.stride).first(options_.length);
            shown.y = text_.subspan(i * options_.stride + 1).first(options_.length);
        }
        return shown;
    }

    void begin_epoch(std::uint64_t epoch) override {
        for (std::size_t i = 0; i < begins_.size(); ++i)
            begins_[i] = i * options_.stride;
        exchange(options_.seed, epoch, begins_.size(), [this](std::size_t i, std::size_t j) { std::swap(begins_[i], begins_[j]); });
    }

    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const override {
        if (k >= batches_) return Status::position_out_of_range(0, static_cast<std::int64_t>(k), batches_);
        const std::size_t first = k * options_.batch;
        const std::size_t rows = std::min(windows_ - first, options_.batch);
        const std::size_t length = options_.length;
        if (x.rows != rows || x.cols != length) return Status{Code::shape_mismatch};
        if (y.rows != rows || y.cols != length) return Status{Code::shape_mismatch};
        const auto copy = [&](std::size_t from, std::size_t to) {
            for (std::size_t r = from; r < to; ++r) {
                const std::size_t begin = options_.shuffle ? begins_[first + r] : (first + r) * options_.stride;
                std::copy_n(text_.data() + begin, length, x.row(r));
                std::copy_n(text_.data() + begin + 1, length, y.row(r));
            }
        };
        if (rows < 3 || rows * length < 100000) {
            copy(0, rows);
        } else {
            std::jthread one(copy, 0, rows / 3), two(copy, rows / 3, rows / 3 * 2);
            copy(rows / 3 * 2, rows);
        }
        return {};
    }

  private:
    Ids text_;
    LoaderOptions options_;
    std::size_t windows_ = 0, batches_ = 0;
    std::vector<std::size_t> begins_; // empty without shuffle
};

} // namespace

std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride) {
    if (length == 0 || stride == 0 || length >= n) return 0;
    const std::size_t last = n - length - 1; // where the last window may begin
    return last / stride + 1;
}

void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order) {
    std::generate(order.begin(), order.end(), [i = std::uint64_t{0}]() mutable { return i++; });
    exchange(seed, epoch, order.size(), [&](std::size_t i, std::size_t j) { std::swap(order[i], order[j]); });
}

Status validate(std::size_t n, const LoaderOptions& options) {
    std::size_t which = 0;
    for (const std::size_t value : {options.length, options.stride, options.batch}) {
        if (value == 0) return Status{Code::invalid_argument, which};
        ++which;
    }
    if (options.length >= n) return Status::position_out_of_range(0, static_cast<std::int64_t>(options.length), n);
    const std::size_t w = count_windows(n, options.length, options.stride);
    return w < options.batch && options.drop_last
               ? Status{Code::shape_mismatch, 0, static_cast<std::int64_t>(w), static_cast<std::int64_t>(options.batch)}
               : Status{};
}

std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options) {
    std::unique_ptr<WindowLoader> loader;
    if (validate(text.tokens().size(), options).code == Code::ok) loader.reset(new Loader(text.tokens(), options));
    return loader;
}

} // namespace exercise
