#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/random.h"
#include "common/rules.h"
#include "common/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

// n: tokens of the text, L: tokens of a window, S: stride, W: windows of the text, B: windows of a batch

namespace contract {

/// The way in which a text is cut into examples.
struct LoaderOptions {
    std::size_t length = 256; ///< L, how many tokens a window has; > 0
    std::size_t stride = 128; ///< S, from the beginning of a window to that of the next; > 0
    std::size_t batch = 4;    ///< B, how many windows are loaded together; > 0
    bool shuffle = true;      ///< load the windows in another order in each epoch
    bool drop_last = true;    ///< leave out the epoch's last batch where it has fewer than B windows
    std::uint64_t seed = 0;   ///< of all orders
};

/// A text that is lent: its tokens stay as they are, and at one place, while there are loaders of it. It may
/// be larger than the free memory.
class Text {
  public:
    explicit Text(Ids lent) : tokens_(lent) {}
    explicit Text(std::vector<TokenId> kept) : kept_(std::move(kept)), tokens_(kept_) {}
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;
    virtual ~Text() = default;

    Ids tokens() const { return tokens_; }

  private:
    std::vector<TokenId> kept_;
    Ids tokens_;
};

/// One example: L tokens, and the token that follows each of them. Both spans show the text itself.
struct Window {
    Ids x;
    Ids y;
};

/// Cuts a text into windows and hands them out in batches. Window i, of W = count_windows(n, L, S), is
///
///     x = text[i * S]     ... text[i * S + L - 1]
///     y = text[i * S + 1] ... text[i * S + L]
///
/// Example, with L = 3 and S = 2:
///
///     text 10 11 12 13 14 15      window 0    x 10 11 12    y 11 12 13
///                                 window 1    x 12 13 14    y 13 14 15
///
/// A loader never copies the text. It may keep the order of the current epoch, one number a window, but not
/// of other epochs.
class WindowLoader {
  public:
    virtual ~WindowLoader() = default;

    virtual std::size_t windows() const = 0; ///< W
    virtual std::size_t batches() const = 0; ///< of an epoch: W / B, rounded down if drop_last, else up

    /// Window i in the order of the text, in every epoch; two empty spans if i >= W.
    virtual Window window(std::size_t i) const = 0;

    /// Epochs may come in any order, also repeatedly. A new loader is in epoch 0.
    virtual void begin_epoch(std::uint64_t epoch) = 0;

    /// Copies batch k of the current epoch: the windows number k * B, k * B + 1, ... of shuffled_order, or of
    /// the text without `shuffle`. There are R of them: B, or fewer in the last batch. Row r of `x` and `y`,
    /// both (R, L), gets window r of the batch. Refusals, in this order, writing nothing:
    ///
    ///     1. Status::position_out_of_range(0, k, batches())    k >= batches()
    ///     2. Status{Code::shape_mismatch}                      x or y is not (R, L)
    virtual Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const = 0;
};

/// The place of a window in its text, for the judge.
struct Place {
    std::size_t x_begin = 0; ///< number of its first token; 0 where the span is empty
    std::size_t x_size = 0;
    std::size_t y_begin = 0;
    std::size_t y_size = 0;

    bool operator==(const Place&) const = default;
};

/// `x_begin` and `y_begin` of a span that does not show the text.
inline constexpr std::size_t elsewhere = ~std::size_t{0};

} // namespace contract

namespace exercise {
using namespace contract;

/// The number of windows: ceil((n - L) / S) if n > L, else 0. The last window ends before the last token,
/// because its last target is a token. 0 if L or S is 0. Exact for all 64-bit numbers.
std::size_t count_windows(std::size_t n, std::size_t length, std::size_t stride);

/// Writes the order of an epoch: the numbers 0 to W - 1, with W = order.size(). Begin in ascending order;
/// then, for i = W - 1, W - 2, ..., 1, swap the numbers at places i and j (Fisher and Yates):
///
///     j = random_bits(random_bits(seed, epoch), i) % (i + 1)
void shuffled_order(std::uint64_t seed, std::uint64_t epoch, std::span<std::uint64_t> order);

/// Whether a loader can be made for a text of n tokens. Refusals, in this order:
///
///     1. Status{Code::invalid_argument, 0}              L is 0; {..., 1} if S is 0, {..., 2} if B is 0
///     2. Status::position_out_of_range(0, L, n)         n <= L: the text has no window
///     3. Status{Code::shape_mismatch, 0, W, B}          drop_last and W < B: no batch is left
Status validate(std::size_t n, const LoaderOptions& options);

/// A loader of `text`, or a null pointer if `validate` refuses. Loaders share nothing but the text, which
/// outlives them; the options need not.
std::unique_ptr<WindowLoader> make(const Text& text, const LoaderOptions& options);

// The methods as functions, for the judge, and texts that outlive a call. They are written already.
[[gnu::used]] inline std::unique_ptr<Text> keep(Ids tokens) {
    return std::make_unique<Text>(std::vector<TokenId>(tokens.begin(), tokens.end()));
}
[[gnu::used]] inline std::unique_ptr<Text> lend(Ids tokens) {
    return std::make_unique<Text>(tokens);
}
[[gnu::used]] inline std::vector<TokenId> read(const Text& text) {
    return {text.tokens().begin(), text.tokens().end()};
}
[[gnu::used]] inline std::size_t windows(const WindowLoader& loader) {
    return loader.windows();
}
[[gnu::used]] inline std::size_t batches(const WindowLoader& loader) {
    return loader.batches();
}
[[gnu::used]] inline void begin_epoch(WindowLoader& loader, std::uint64_t epoch) {
    loader.begin_epoch(epoch);
}
[[gnu::used]] inline Status load(const WindowLoader& loader, std::size_t k, Matrix<TokenId> x,
                                 Matrix<TokenId> y) {
    return loader.load(k, x, y);
}
[[gnu::used]] inline Place place_in(const WindowLoader& loader, const Text& text, std::size_t i) {
    const Window window = loader.window(i);
    const auto begin = [&](Ids span) -> std::size_t {
        if (span.empty()) return 0;
        const auto bytes = reinterpret_cast<std::uintptr_t>(span.data()) -
                           reinterpret_cast<std::uintptr_t>(text.tokens().data());
        const bool inside = bytes % sizeof(TokenId) == 0 && bytes / sizeof(TokenId) <= text.tokens().size();
        return inside ? bytes / sizeof(TokenId) : elsewhere;
    };
    return {begin(window.x), window.x.size(), begin(window.y), window.y.size()};
}

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(count_windows)                                                                                      \
    CALL(shuffled_order)                                                                                     \
    CALL(validate)                                                                                           \
    CALL(make)                                                                                               \
    CALL(keep)                                                                                               \
    CALL(lend)                                                                                               \
    CALL(read)                                                                                               \
    CALL(windows)                                                                                            \
    CALL(batches)                                                                                            \
    CALL(begin_epoch)                                                                                        \
    CALL(load)                                                                                               \
    CALL(place_in)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.
