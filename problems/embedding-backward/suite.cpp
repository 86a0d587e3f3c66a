#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/embedding.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
using namespace contract;
using namespace harness;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Most gradients here are whole numbers or short fractions: any order of additions gives the same floats,
/// so they are compared bit for bit.
Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

/// Element number i is i + 1.
Cube<float> numbered(std::size_t batch, std::size_t time, std::size_t channels) {
    float first = 1;
    Cube<float> cube(batch, time, channels);
    for (float& value : cube.cells())
        value = first++;
    return cube;
}

/// Element number i is first + i.
Grid<float> counted(std::size_t rows, std::size_t cols, float first) {
    Grid<float> grid(rows, cols);
    for (float& value : grid.cells())
        value = first++;
    return grid;
}

/// Multiples of 2^-10 in [-4, 4]: two dozen of them, times 1.5 or 2.5, still add exactly in float.
Cube<float> random_fractions(Random& random, std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    for (float& value : cube.cells())
        value = static_cast<float>(random.integer(-4096, 4096)) / 1024.0F;
    return cube;
}

/// Adds with the submission to copies of both gradients, and holds every bit against the reference.
void expect_gradients(const Cube<float>& dout, const Grid<TokenId>& ids, const Grid<float>& dwte,
                      const Grid<float>& dwpe, const BackwardOptions& options = {}) {
    Grid<float> got_wte = dwte;
    Grid<float> got_wpe = dwpe;
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    expect_status(subject::embed_backward(dout, ids, got_wte, got_wpe, options),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, options));
    expect_identical("dwte", got_wte, want_wte);
    expect_identical("dwpe", got_wpe, want_wpe);
}

/// Four tokens and five positions refuse the call with exactly this status, and keep what they hold.
void expect_refused(const Grid<TokenId>& ids, const BackwardOptions& options, Status status) {
    const Cube<float> dout = numbered(ids.rows(), ids.cols(), 3);
    const Grid<float> before_wte = counted(4, 3, 100);
    const Grid<float> before_wpe = counted(5, 3, 200);
    Grid<float> dwte = before_wte;
    Grid<float> dwpe = before_wpe;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options), status);
    expect_identical("dwte", dwte, before_wte);
    expect_identical("dwpe", dwpe, before_wpe);
}

/// The loss <embed(wte, wpe), g> in double, straight from the definition of the forward pass. Row padding_idx
/// of wte is no parameter, so it counts as zero.
double loss(const Grid<double>& wte, const Grid<double>& wpe, const Grid<TokenId>& ids,
            const BackwardOptions& options, const Cube<float>& g) {
    double sum = 0;
    for (std::size_t b = 0; b < ids.rows(); ++b)
        for (std::size_t t = 0; t < ids.cols(); ++t)
            for (std::size_t c = 0; c < wte.cols(); ++c) {
                const TokenId id = ids(b, t);
                const double token = id == options.padding_idx ? 0 : wte(static_cast<std::size_t>(id), c);
                const double out = static_cast<double>(options.scale) * token + wpe(options.start + t, c);
                sum += out * static_cast<double>(g(b, t, c));
            }
    return sum;
}

/// For each element of a gradient, n + 3 roundings of the sum of absolute values: n additions and the product
/// in the submission, one rounding in the reference, and one more for the terms of second order. Source:
/// Higham, Accuracy and Stability of Numerical Algorithms, section 4.2.
class Bound {
  public:
    explicit Bound(const Grid<float>& before)
        : sum_(before.rows(), before.cols()), terms_(before.rows(), before.cols()) {
        terms_.fill(3);
        for (std::size_t i = 0; i < before.cells().size(); ++i)
            sum_.cells()[i] = std::abs(static_cast<double>(before.cells()[i]));
    }
    void add(std::size_t row, std::size_t column, double value) {
        sum_(row, column) += std::abs(value);
        ++terms_(row, column);
    }
    Grid<double> get() const {
        Grid<double> bound = sum_;
        for (std::size_t i = 0; i < bound.cells().size(); ++i)
            bound.cells()[i] *= terms_.cells()[i] * 0x1p-24;
        return bound;
    }

  private:
    Grid<double> sum_;
    Grid<double> terms_;
};

/// Options at their ends. With these factors all sums are exact, so every order of additions gives the same.
Parameter<BackwardOptions> any_options(float scale) {
    return value<BackwardOptions>(
        "options",
        [scale](const Extents& size, Random&) {
            return Named<BackwardOptions>{"start = " + std::to_string(size["start"]),
                                          {.start = size["start"], .scale = scale}};
        },
        [](const Extents& size) {
            auto list = starts_and_paddings<BackwardOptions>(size);
            for (const float scale : {0.0F, -0.0F, -1.0F, 3.0F, 0x1p-6F, not_a_number})
                list.push_back({"scale = " + print_value(scale), {.start = size["start"], .scale = scale}});
            return list;
        },
        {{"start", [](const BackwardOptions& options) { return static_cast<double>(options.start); }},
         {"padding_idx",
          [](const BackwardOptions& options) { return static_cast<double>(options.padding_idx); }},
         {"scale", [](const BackwardOptions& options) { return static_cast<double>(options.scale); }}});
}

/// `scale` is that of ordinary calls.
auto adverse_backward(float scale = 1) {
    const Contents gradients{fractions(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    return Adverse("embed_backward", subject::embed_backward, &reference::embed_backward, sequence_extents(),
                   tensor_in("dout", "B", "T", "C", gradients, Checked::all), id_matrix("ids", "B", "T", "V"),
                   matrix_sum("dwte", "V", "C", gradients, Checked::cols),
                   matrix_sum("dwpe", all_positions(), "C", gradients, Checked::limit_and_cols),
                   any_options(scale))
        .rule("dwte", {.kind = Rule::Kind::values})
        .rule("dwpe", {.kind = Rule::Kind::values})
        .exact(
            "dwte",
            [](const auto&, const Ids2D& ids, const auto& dwte, const auto&, const BackwardOptions& options) {
                std::set<std::size_t> summed;
                for (std::size_t b = 0; b < ids.rows; ++b)
                    for (std::size_t t = 0; t < ids.cols; ++t)
                        if (ids(b, t) != options.padding_idx)
                            summed.insert(static_cast<std::size_t>(ids(b, t)));
                return [summed, C = dwte.cols](std::size_t i) { return !summed.contains(i / C); };
            })
        .exact("dwpe", [](const auto&, const Ids2D& ids, const auto&, const auto& dwpe,
                          const BackwardOptions& options) {
            return [B = ids.rows, T = ids.cols, start = options.start, C = dwpe.cols](std::size_t i) {
                return B == 0 || i / C < start || i / C - start >= T;
            };
        });
}

} // namespace

TEST_CASE("each row collects the gradients of its token") {
    // The worked example: dout[b, t] = (10 (b + 1) + t, -1), gradients that begin at zero.
    const Cube<float> dout(2, 3, 2,
                           {10.0F, -1.0F, 11.0F, -1.0F, 12.0F, -1.0F, //
                            20.0F, -1.0F, 21.0F, -1.0F, 22.0F, -1.0F});
    Grid<float> dwte = filled(4, 2, 0);
    Grid<float> dwpe = filled(5, 2, 0);
    expect_status(subject::embed_backward(dout, Grid<TokenId>(2, 3, {2, 0, 2, 1, 2, 0}), dwte, dwpe, {}),
                  Status{});
    expect_identical("dwte", dwte,
                     Grid<float>(4, 2,
                                 {33.0F, -2.0F, //
                                  20.0F, -1.0F, //
                                  43.0F, -3.0F, //
                                  0.0F, 0.0F}));
    expect_identical("dwpe", dwpe,
                     Grid<float>(5, 2,
                                 {30.0F, -2.0F, //
                                  32.0F, -2.0F, //
                                  34.0F, -2.0F, //
                                  0.0F, 0.0F,   //
                                  0.0F, 0.0F}));
}

TEST_CASE("a repeated token collects once for each time") {
    const auto expect_rows = [](const Grid<TokenId>& ids, const Grid<float>& want) {
        Cube<float> ones(ids.rows(), ids.cols(), want.cols());
        ones.fill(1.0F);
        Grid<float> dwte = filled(want.rows(), want.cols(), 0);
        Grid<float> dwpe = filled(4, want.cols(), 0);
        expect_status(subject::embed_backward(ones, ids, dwte, dwpe, {}), Status{});
        expect_identical("dwte", dwte, want);
    };
    expect_rows(Grid<TokenId>(1, 3, {0, 2, 0}), Grid<float>(4, 1, {2.0F, 0.0F, 1.0F, 0.0F}));
    expect_rows(Grid<TokenId>(1, 3, {1, 1, 2}),
                Grid<float>(4, 2, {0.0F, 0.0F, 2.0F, 2.0F, 1.0F, 1.0F, 0.0F, 0.0F}));
    expect_rows(Grid<TokenId>(2, 2, {3, 3, 3, 3}), Grid<float>(4, 1, {0.0F, 0.0F, 0.0F, 4.0F}));
    expect_rows(Grid<TokenId>(1, 2, {0, 0}), Grid<float>(1, 1, {2.0F})); // a vocabulary of one
}

TEST_CASE("positions are summed over the batch") {
    Grid<float> dwte = filled(6, 2, 0);
    Grid<float> dwpe = filled(4, 2, 0);
    const Cube<float> dout = numbered(3, 2, 2); // 1 2 | 3 4, 5 6 | 7 8, 9 10 | 11 12
    expect_status(subject::embed_backward(dout, Grid<TokenId>(3, 2, {0, 1, 2, 3, 4, 5}), dwte, dwpe, {}),
                  Status{});
    expect_identical("dwpe", dwpe, Grid<float>(4, 2, {15.0F, 18.0F, 21.0F, 24.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
    expect_identical(
        "dwte", dwte,
        Grid<float>(6, 2, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 7.0F, 8.0F, 9.0F, 10.0F, 11.0F, 12.0F}));
}

TEST_CASE("a second call adds to the first") {
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 2});
    const Cube<float> dout = numbered(2, 3, 4);
    expect_gradients(dout, ids, counted(5, 4, 1000), counted(6, 4, 2000)); // onto what was there

    Grid<float> dwte = filled(5, 4, 0);
    Grid<float> dwpe = filled(6, 4, 0);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}), Status{});
    Grid<float> twice_wte = dwte;
    Grid<float> twice_wpe = dwpe;
    for (float& value : twice_wte.cells())
        value *= 2;
    for (float& value : twice_wpe.cells())
        value *= 2;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}), Status{});
    expect_identical("dwte after two equal calls, against twice the first", dwte, twice_wte);
    expect_identical("dwpe after two equal calls, against twice the first", dwpe, twice_wpe);
}

TEST_CASE("untouched rows keep every bit") {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Grid<float> dwte = filled(6, 3, 0);
    Grid<float> dwpe = filled(5, 3, 0);
    for (std::size_t c = 0; c < 3; ++c) {
        dwte(1, c) = dwpe(3, c) = std::bit_cast<float>(0x7fc12345U); // a NaN with a payload
        dwte(3, c) = dwpe(4, c) = -0.0F;
        dwte(5, c) = dwpe(0, c) = infinity;
    }
    Cube<float> dout = numbered(1, 2, 3);
    dout(0, 1, 0) = infinity; // 0 * Inf would be NaN in every row
    expect_gradients(dout, Grid<TokenId>(1, 2, {4, 0}), dwte, dwpe, {.start = 1});
}

TEST_CASE("start moves the position rows") {
    const Cube<float> dout = numbered(2, 3, 2);
    const Grid<TokenId> ids(2, 3, {0, 3, 1, 2, 2, 0});
    for (const std::size_t start : {0, 1, 3, 4}) { // 4 + 3 = P: the window ends at the last position
        INFO("start = ", start);
        expect_gradients(dout, ids, filled(4, 2, 0), filled(7, 2, 0), {.start = start});
    }
}

TEST_CASE("the padding token gets no gradient") {
    const Cube<float> dout = numbered(2, 3, 2);
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 0});
    for (const std::int64_t padding : {0, 1, 2, 3}) {
        INFO("padding_idx = ", padding);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = padding});
    }
    for (const std::int64_t none :
         {std::int64_t{-1}, std::int64_t{-3}, std::numeric_limits<std::int64_t>::min()}) {
        INFO("padding_idx = ", none);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = none});
    }
    for (const std::size_t pads : {1, 2, 1000})
        for (const std::vector<TokenId>& others : {std::vector<TokenId>{}, {1, 3}, {2}}) {
            INFO("paddings: ", pads, ", other tokens: ", others.size());
            Grid<TokenId> ids(1, pads + others.size());
            ids.fill(0);
            std::ranges::copy(others, ids.row(0).begin() + static_cast<std::ptrdiff_t>(pads / 2));
            const Cube<float> dout = numbered(1, ids.cols(), 2);
            expect_gradients(dout, ids, filled(4, 2, -0.0F), filled(ids.cols(), 2, 0), {.padding_idx = 0});
        }
}

TEST_CASE("the scale reaches the token table alone") {
    const Cube<float> dout = numbered(2, 2, 4);
    for (const float scale : {2.0F, 0.5F, -4.0F, 0.0F}) {
        INFO("scale = ", scale);
        expect_gradients(dout, Grid<TokenId>(2, 2, {1, 0, 2, 1}), counted(3, 4, 10), counted(2, 4, 20),
                         {.scale = scale});
    }
}

TEST_CASE("random shapes agree with the reference") {
    // S tokens came before, E more would fit behind. Padding is 0: no token, 1: the first of all, 2: token 0.
    for_random_sizes(
        24,
        {{"V", 1, 12}, {"C", 1, 33}, {"B", 1, 4}, {"T", 1, 9}, {"S", 1, 5}, {"E", 1, 4}, {"padding", 0, 2}},
        [](const Sizes& size, Random& random) {
            BackwardOptions options{.start = size["S"], .scale = static_cast<float>(random.uniform(1.5, 3))};
            const auto dout = spread_cube(random, size["B"], size["T"], size["C"]);
            auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
            if (size["padding"] == 2) ids(0, 0) = 0;
            if (size["padding"] > 0) options.padding_idx = ids(0, 0);
            const auto before_wte = random_grid<float>(random, size["V"], size["C"]);
            const auto before_wpe = random_grid<float>(random, size["S"] + size["T"] + size["E"], size["C"]);
            Bound bound_wte(before_wte);
            Bound bound_wpe(before_wpe);
            for (std::size_t b = 0; b < ids.rows(); ++b)
                for (std::size_t t = 0; t < ids.cols(); ++t)
                    for (std::size_t c = 0; c < size["C"]; ++c) {
                        const double g = dout(b, t, c);
                        bound_wte.add(static_cast<std::size_t>(ids(b, t)), c,
                                      g * static_cast<double>(options.scale));
                        bound_wpe.add(options.start + t, c, g);
                    }
            auto dwte = before_wte;
            auto dwpe = before_wpe;
            auto want_wte = before_wte;
            auto want_wpe = before_wpe;
            expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options),
                          reference::embed_backward(dout, ids, want_wte, want_wpe, options));
            expect_within("dwte", dwte, want_wte, bound_wte.get());
            expect_within("dwpe", dwpe, want_wpe, bound_wpe.get());
        });
}

TEST_CASE("rows of any width are summed whole") {
    for (const std::size_t C : {1, 3, 5, 7, 8, 9, 16, 31, 768}) {
        INFO("C = ", C);
        expect_gradients(numbered(2, 3, C), Grid<TokenId>(2, 3, {3, 0, 1, 0, 2, 2}), counted(4, C, 5),
                         counted(5, C, 9), {.start = 1});
    }
}

TEST_CASE("padding between rows is skipped") {
    const auto widened = []<class T>(const Grid<T>& dense, std::size_t stride) {
        Grid<T> wide(dense.rows(), dense.cols(), stride);
        for (std::size_t r = 0; r < dense.rows(); ++r)
            std::ranges::copy(dense.row(r), wide.row(r).begin());
        return wide;
    };
    const auto ids = widened(Grid<TokenId>(2, 3, {2, 0, 2, 1, 3, 0}), 7);
    Grid<float> dwte = widened(counted(4, 3, 10), 5);
    Grid<float> dwpe = widened(counted(6, 3, 30), 4);
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    const Cube<float> dout = numbered(2, 3, 3);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {.start = 1}),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, {.start = 1}));
    expect_identical("dwte", dwte, want_wte);
    expect_identical("dwpe", dwpe, want_wpe);
    expect_true("what lies between the rows of dwte and dwpe is left alone",
                dwte == want_wte && dwpe == want_wpe);
}

TEST_CASE("a bad id is refused and nothing is added") {
    expect_refused(Grid<TokenId>(2, 3, {-1, 0, 1, 2, 3, 0}), {}, Status{Code::id_out_of_range, 0, -1, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 4, 2, 3, 0}), {}, Status{Code::id_out_of_range, 2, 4, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, 3, 0, 9}), {}, Status{Code::id_out_of_range, 5, 9, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, -4, 0, 9}), {.padding_idx = 0},
                   Status{Code::id_out_of_range, 3, -4, 4});
    expect_refused(Grid<TokenId>(1, 2, {0, -1}), {.padding_idx = -1},
                   Status{Code::id_out_of_range, 1, -1, 4});
}

TEST_CASE("a window beyond the position table is refused") {
    expect_refused(Grid<TokenId>(1, 3, {0, 1, 2}), {.start = 3},
                   Status{Code::position_out_of_range, 2, 5, 5});
    expect_refused(Grid<TokenId>(1, 6, {0, 1, 2, 3, 0, 1}), {}, Status{Code::position_out_of_range, 5, 5, 5});
    expect_refused(Grid<TokenId>(2, 1, {0, 1}), {.start = 7}, Status{Code::position_out_of_range, 0, 7, 5});
    expect_refused(Grid<TokenId>(2, 0), {.start = 6}, Status{Code::position_out_of_range, 0, 6, 5});
}

TEST_CASE("an empty batch or sequence adds nothing") {
    struct Shape {
        std::size_t B, T, start;
    };
    for (const auto& [B, T, start] : {Shape{0, 3, 2}, {2, 0, 2}, {2, 0, 5}, {0, 0, 0}}) {
        INFO("B = ", B, ", T = ", T, ", start = ", start);
        const Grid<float> before_wte = filled(4, 3, -0.0F);
        const Grid<float> before_wpe = filled(5, 3, std::bit_cast<float>(0x7fc12345U));
        Grid<float> dwte = before_wte;
        Grid<float> dwpe = before_wpe;
        expect_status(
            subject::embed_backward(Cube<float>(B, T, 3), Grid<TokenId>(B, T), dwte, dwpe, {.start = start}),
            Status{});
        expect_identical("dwte", dwte, before_wte);
        expect_identical("dwpe", dwpe, before_wpe);
    }
}

TEST_CASE("eight thousand equal ids give exactly eight thousand") {
    // 8,192 is far below 2^24, so each partial sum of ones is exact in float; in bf16 it stalls at 256.
    for (const auto& [B, T] : {std::pair<std::size_t, std::size_t>{8, 1024}, {1024, 8}, {1, 8192}}) {
        INFO("B = ", B, ", T = ", T);
        Cube<float> ones(B, T, 3);
        ones.fill(1.0F);
        Grid<TokenId> ids(B, T);
        ids.fill(1);
        Grid<float> dwte = filled(3, 3, 0);
        Grid<float> dwpe = filled(T, 3, 0);
        expect_status(subject::embed_backward(ones, ids, dwte, dwpe, {}), Status{});
        expect_identical("dwte", dwte, Grid<float>(3, 3, {0, 0, 0, 8192.0F, 8192.0F, 8192.0F, 0, 0, 0}));
        expect_identical("dwpe", dwpe, filled(T, 3, static_cast<float>(B)));
    }
}

TEST_CASE("a hundred thousand random terms stay within their rounding") {
    Random stream = harness::random();
    constexpr std::size_t B = 100;
    constexpr std::size_t T = 1000;
    auto dout = random_cube<float>(stream, B, T, 2);
    for (float& value : dout.cells())
        value = std::abs(
            value); // no cancellation: the sums are large, and so is what is missing from a wrong one
    const auto ids = random_id_grid(stream, B, T, 2); // 0 is padding, so 1 has about 50,000 terms
    const BackwardOptions options{.padding_idx = 0, .scale = 1.25F};
    const auto before_wte = random_grid<float>(stream, 2, 2);
    const auto before_wpe = random_grid<float>(stream, T, 2);
    Bound bound_wte(before_wte);
    Bound bound_wpe(before_wpe);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < 2; ++c) {
                if (ids(b, t) == 1) bound_wte.add(1, c, 1.25 * static_cast<double>(dout(b, t, c)));
                bound_wpe.add(t, c, dout(b, t, c));
            }
    Grid<float> want_wte = before_wte;
    Grid<float> want_wpe = before_wpe;
    reference::embed_backward(dout, ids, want_wte, want_wpe, options);
    Grid<float> first_wte = before_wte;
    Grid<float> first_wpe = before_wpe;
    expect_status(subject::embed_backward(dout, ids, first_wte, first_wpe, options), Status{});
    expect_within("dwte", first_wte, want_wte, bound_wte.get());
    expect_within("dwpe", first_wpe, want_wpe, bound_wpe.get());
    expect_identical("dwte of the padding token", first_wte.row(0), before_wte.row(0));
    for (int again = 0; again < 3; ++again) {
        Grid<float> dwte = before_wte;
        Grid<float> dwpe = before_wpe;
        expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options), Status{});
        expect_identical("dwte of an equal call", dwte, first_wte);
        expect_identical("dwpe of an equal call", dwpe, first_wpe);
    }
}

TEST_CASE("backward is the adjoint of forward") {
    // <J w, g> = <w, J^T g>. The gradients are fractions that add exactly in float, and both inner products
    // are formed in double: they differ by rounding alone, and 1e-12 of the absolute values is a thousand
    // roundings.
    for_random_sizes(
        12, {{"V", 2, 9}, {"C", 1, 8}, {"B", 1, 4}, {"T", 1, 6}, {"S", 0, 3}},
        [](const Sizes& size, Random& random) {
            const BackwardOptions options{.start = size["S"], .padding_idx = 1, .scale = 1.5F};
            const auto g = random_fractions(random, size["B"], size["T"], size["C"]);
            const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
            const auto wte = random_grid<double>(random, size["V"], size["C"]);
            const auto wpe = random_grid<double>(random, size["S"] + size["T"] + 1, size["C"]);
            Grid<float> dwte = filled(wte.rows(), wte.cols(), 0);
            Grid<float> dwpe = filled(wpe.rows(), wpe.cols(), 0);
            expect_status(subject::embed_backward(g, ids, dwte, dwpe, options), Status{});

            double inner = 0;
            double absolute = 0;
            const auto multiply = [&](const Grid<double>& weights, const Grid<float>& gradient) {
                for (std::size_t i = 0; i < weights.cells().size(); ++i) {
                    const double product = weights.cells()[i] * static_cast<double>(gradient.cells()[i]);
                    inner += product;
                    absolute += std::abs(product);
                }
            };
            multiply(wte, dwte);
            multiply(wpe, dwpe);
            expect_near("<w, J^T g>, which is <J w, g>", inner, loss(wte, wpe, ids, options, g),
                        1e-12 * (absolute + static_cast<double>(size["B"] * size["T"] * size["C"])));
        });
}

TEST_CASE("finite differences give the same gradients") {
    Random stream = harness::random();
    const BackwardOptions options{.start = 1, .padding_idx = 0, .scale = 2.5F};
    const Grid<TokenId> ids(2, 3, {4, 1, 0, 1, 3, 1});
    const auto g = random_fractions(stream, 2, 3, 2);
    auto wte = random_grid<double>(stream, 5, 2);
    auto wpe = random_grid<double>(stream, 5, 2);
    Grid<float> dwte = filled(5, 2, 0);
    Grid<float> dwpe = filled(5, 2, 0);
    expect_status(subject::embed_backward(g, ids, dwte, dwpe, options), Status{});
    // The map is linear, so a central difference has no error but rounding: 12 products below 4 * (2.5 * 5 +
    // 5) sum to at most 1e3, 20 roundings of that are below 3e-12, divided by 2 eps below 2e-9.
    constexpr double eps = 0x1p-10;
    const auto differentiate = [&](Grid<double>& weights) {
        Grid<double> gradient(weights.rows(), weights.cols());
        for (std::size_t i = 0; i < weights.cells().size(); ++i) {
            const double there = weights.cells()[i];
            weights.cells()[i] = there + eps;
            const double above = loss(wte, wpe, ids, options, g);
            weights.cells()[i] = there - eps;
            const double below = loss(wte, wpe, ids, options, g);
            weights.cells()[i] = there;
            gradient.cells()[i] = (above - below) / (2 * eps);
        }
        return gradient;
    };
    expect_close("dwte", dwte, differentiate(wte), {.abs = 1e-7});
    expect_close("dwpe", dwpe, differentiate(wpe), {.abs = 1e-7});
}

TEST_CASE("what does not fit is refused in the order of the contract") {
    const auto expect_status_of = [](const Cube<float>& dout, const Grid<TokenId>& ids, Grid<float> dwte,
                                     Grid<float> dwpe, const BackwardOptions& options, Status status) {
        const Grid<float> before_wte = dwte;
        const Grid<float> before_wpe = dwpe;
        expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options), status);
        expect_identical("dwte", dwte, before_wte);
        expect_identical("dwpe", dwpe, before_wpe);
    };
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    const Grid<float> dwte = filled(4, 3, 1);
    const Grid<float> dwpe = filled(5, 3, 1);
    const Status mismatch{Code::shape_mismatch};
    expect_status_of(numbered(3, 3, 3), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(2, 2, 3), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(3, 2, 3), ids, dwte, dwpe, {}, mismatch); // as many elements, other shape
    expect_status_of(numbered(2, 3, 4), ids, dwte, dwpe, {}, mismatch);
    expect_status_of(numbered(2, 3, 3), ids, filled(4, 2, 1), dwpe, {}, mismatch);
    expect_status_of(numbered(2, 3, 3), ids, dwte, filled(5, 4, 1), {}, mismatch);
    expect_status_of(numbered(2, 3, 4), ids, dwte, dwpe, {.start = 9, .padding_idx = 4}, mismatch);

    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    expect_refused(ids, {.padding_idx = 4}, Status{Code::invalid_argument, 0, 4, 4});
    expect_refused(ids, {.start = 9, .padding_idx = std::int64_t{1} << 32},
                   Status{Code::invalid_argument, 0, std::int64_t{1} << 32, 4});
    expect_refused(ids, {.start = largest}, Status{Code::position_out_of_range, 0, -1, 5});
    expect_refused(ids, {.start = largest - 2},
                   Status{Code::position_out_of_range, 0, -3, 5}); // start + T would be 0
    expect_refused(Grid<TokenId>(1, 6, {9, 0, 0, 0, 0, 0}), {}, Status{Code::position_out_of_range, 5, 5, 5});
    for (const TokenId id : {std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min()})
        expect_refused(Grid<TokenId>(1, 1, {id}), {}, Status{Code::id_out_of_range, 0, id, 4});
}

TEST_CASE("a gradient table of nine gigabytes is addressed whole") {
    // Row 239,674 is the first whose last element lies beyond number 2^31 - 1; as bytes in 32 bits it would
    // be rows 119,836 and 119,837. The table is mapped, but only the pages that are written exist.
    constexpr std::size_t C = 8'960;
    SparseGrid<float> dwte(262'144, C);
    const Grid<TokenId> ids(1, 3, {239'674, 262'143, 239'674});
    const Cube<float> dout = numbered(1, 3, C);
    Grid<float> dwpe = filled(3, C, 0);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}), Status{});

    // The rows are read back by the submission itself, as the only token's gradient of another small table.
    for (const std::size_t r :
         {std::size_t{239'674}, std::size_t{262'143}, std::size_t{119'836}, std::size_t{119'837}}) {
        CAPTURE(r);
        Grid<float> want = filled(1, C, 0);
        for (std::size_t t = 0; t < 3; ++t)
            for (std::size_t c = 0; static_cast<std::size_t>(ids(0, t)) == r && c < C; ++c)
                want(0, c) += dout(0, t, c);
        expect_identical("dwte, this row", dwte.row(r), want.row(0));
        Grid<float> copy = filled(1, C, 0);
        Grid<float> ignored = filled(1, C, 0);
        expect_status(subject::embed_backward(Tensor3<const float>(dwte.row(r).data(), 1, 1, C),
                                              Grid<TokenId>(1, 1, {0}), copy, ignored, {}),
                      Status{});
        expect_identical("dwte, this row, read back", copy, want);
    }
}

TEST_CASE("gradients at every boundary of their sizes") {
    adverse_backward()
        .also({{{"V", 50'257}, {"C", 8}, {"B", 4}, {"T", 1'024}},
               {{"V", 131'073}, {"C", 2}, {"B", 1}, {"T", 9}},
               {{"V", 6}, {"C", 907}, {"B", 3}, {"T", 389}}})
        .sizes();
}

TEST_CASE("gradients where rows lie apart") {
    adverse_backward().gaps();
}

TEST_CASE("gradients with empty axes") {
    adverse_backward().empty_axes();
}

TEST_CASE("gradients with special ids, options and bits") {
    // Zeros are terms like others: times such a scale they are NaN.
    for (const float scale :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        INFO("gradients of zeros, scale = ", scale);
        Cube<float> zeros(2, 3, 4);
        zeros.fill(0);
        const Grid<TokenId> ids(2, 3, {0, 2, 2, 1, 0, 2});
        Grid<float> dwte(4, 4), dwpe(3, 4);
        dwte.fill(1);
        dwpe.fill(1);
        Grid<float> want_wte = dwte, want_wpe = dwpe;
        const BackwardOptions options{.scale = scale};
        expect_status(subject::embed_backward(zeros, ids, dwte, dwpe, options),
                      reference::embed_backward(zeros, ids, want_wte, want_wpe, options));
        expect_close("dwte", dwte, want_wte, {});
        expect_close("dwpe", dwpe, want_wpe, {});
    }
    adverse_backward().special_cases();
    adverse_backward(0).special_cases(); // 0 times infinity is NaN
}

TEST_CASE("gradients after other calls") {
    adverse_backward().also({{{"V", 6}, {"C", 257}, {"B", 17}, {"T", 61}}}).history();
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_backward().far("V");
}
