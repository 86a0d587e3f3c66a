#pragma once

// What the tests of this suite share.

#include "harness/adversity/adverse.h"
#include "harness/adversity/commands.h"
#include "harness/recorder.h"
#include "harness/suite.h"
#include "subject/proxies.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

// n: tokens of the text, L: tokens of a window, S: stride, W: windows of the text, B: windows of a batch
using namespace contract;
using namespace harness;

namespace suite {

using Options = LoaderOptions;
using Tokens = std::vector<TokenId>;

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

inline Options plain(std::size_t length, std::size_t stride, std::size_t batch = 1, bool drop_last = false) {
    return {.length = length, .stride = stride, .batch = batch, .shuffle = false, .drop_last = drop_last};
}

/// 100, 101, 102, ...: a token tells its place.
inline Tokens counting(std::size_t n) {
    Tokens tokens(n);
    std::iota(tokens.begin(), tokens.end(), 100);
    return tokens;
}

/// A loader of the submission, and its text, which outlives the call that made it.
struct Loader {
    subject::Object<Text> text;
    subject::Object<WindowLoader> object;

    Loader(const Tokens& tokens, const Options& options) : Loader(subject::keep(tokens), options) {}
    Loader(subject::Object<Text> kept, const Options& options)
        : text(kept), object(subject::make(text, options)) {
        REQUIRE_MESSAGE(object.valid(), "make returns no loader for a text that has windows");
    }
    std::size_t windows() const { return subject::windows(object); }
    std::size_t batches() const { return subject::batches(object); }
    Place place(std::size_t i) const { return subject::place_in(object, text, i); }
    Status load(std::size_t k, Matrix<TokenId> x, Matrix<TokenId> y) const {
        return subject::load(object, k, x, y);
    }
};

/// The windows of a text straight from their definition, as numbers of their first tokens.
inline std::vector<std::size_t> begins(std::size_t n, std::size_t length, std::size_t stride) {
    std::vector<std::size_t> all;
    for (std::size_t begin = 0; begin + length < n; begin += stride)
        all.push_back(begin);
    return all;
}

inline void expect_place(const std::string& window, const Place& got, const Place& want) {
    INFO(window);
    expect_equal("the place where x begins", got.x_begin, want.x_begin);
    expect_equal("the number of tokens of x", got.x_size, want.x_size);
    expect_equal("the place where y begins", got.y_begin, want.y_begin);
    expect_equal("the number of tokens of y", got.y_size, want.y_size);
}

} // namespace suite
