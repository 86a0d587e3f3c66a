#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "harness/adversity/embedding.h"
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
//
// forward, save and load are exact. Sums of floats may be made in any order: n additions in float are off by
// n * 2^-24 times the sum of the absolute values, and what is compared with is itself rounded once.
using namespace contract;
using namespace harness;

namespace {

constexpr double u = 0x1p-24;
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr Dropout evaluation{0.1F, false, 3, 5};

Dropout training(float p, std::uint64_t seed, std::uint64_t offset = 0) {
    return {p, true, seed, offset};
}

/// Element (r, c) is offset + r * cols + c + 1: every number occurs once, and none is zero.
Grid<float> numbered(std::size_t rows, std::size_t cols, float offset = 0) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = offset + static_cast<float>(r * cols + c + 1);
    return table;
}

Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> table(rows, cols);
    table.fill(value);
    return table;
}

Grid<TokenId> striding_ids(std::size_t B, std::size_t T, std::size_t V) {
    Grid<TokenId> ids(B, T);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            ids(b, t) = static_cast<TokenId>(((b * T + t) * 7 + 3) % V);
    return ids;
}

/// The inverse of z ^= z >> shift.
std::uint64_t undo_shift(std::uint64_t z, int shift) {
    std::uint64_t result = z;
    for (int known = shift; known < 64; known += shift)
        result = z ^ (result >> shift);
    return result;
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration (each step doubles the right bits).
std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t x = odd;
    for (int step = 0; step < 6; ++step)
        x *= 2 - odd * x;
    return x;
}

/// The seed whose random bits at index 0 are `bits`: the generator is a bijection.
std::uint64_t seed_that_gives(std::uint64_t bits) {
    std::uint64_t z = undo_shift(bits, 31) * inverse(0x94D049BB133111EBu);
    z = undo_shift(z, 27) * inverse(0xBF58476D1CE4E5B9u);
    return undo_shift(z, 30) - 0x9E3779B97F4A7C15u;
}

/// How both directions are called.
struct Call {
    Grid<TokenId> ids;
    std::size_t start = 0;
    Dropout dropout = evaluation;
    Stream stream = Stream::standard;
};

void expect_forward(const Grid<float>& wte, const Grid<float>& wpe, const Call& call) {
    Cube<float> out(call.ids.rows(), call.ids.cols(), wte.cols()), want = out;
    expect_status(subject::forward(wte, wpe, call.ids, call.start, call.dropout, out, call.stream),
                  reference::forward(wte, wpe, call.ids, call.start, call.dropout, want, call.stream));
    expect_identical("out", out, want);
}

/// The bound of the contract, for gradients that began as `before`: from the same sums with all signs
/// removed. Where nothing is added it is 0.
Grid<double> bound_of(const Grid<float>& before, const Grid<float>& added, const Grid<float>& counts) {
    Grid<double> bound(before.rows(), before.cols());
    for (std::size_t r = 0; r < before.rows(); ++r)
        for (std::size_t c = 0; c < before.cols(); ++c) {
            const double n = counts(r, c);
            bound(r, c) = n == 0 ? 0 : (n + 3) * u * (double{added(r, c)} + std::abs(double{before(r, c)}));
        }
    return bound;
}

struct BackwardBounds {
    Grid<double> tokens, positions;
};

BackwardBounds bounds_of(const Cube<float>& dout, const Grid<float>& dwte, const Grid<float>& dwpe,
                         const Ids2D& ids, std::size_t start, const Dropout& dropout) {
    Cube<float> sizes = dout, ones = dout;
    std::ranges::transform(dout.cells(), sizes.cells().begin(), [](float x) { return std::abs(x); });
    ones.fill(1);
    const auto none = [](const Grid<float>& like) { return filled(like.rows(), like.cols(), 0); };
    Grid<float> token_sizes = none(dwte), position_sizes = none(dwpe);
    reference::backward(sizes, ids, start, dropout, token_sizes, position_sizes, Stream::standard);
    Grid<float> token_counts = none(dwte), position_counts = none(dwpe);
    reference::backward(ones, ids, start, {0, false, 0, 0}, token_counts, position_counts, Stream::standard);
    return {bound_of(dwte, token_sizes, token_counts), bound_of(dwpe, position_sizes, position_counts)};
}

/// Gradients that begin as `dwte` and `dwpe`, held against the reference; padding has to survive as well.
void expect_backward(const Cube<float>& dout, const Grid<float>& dwte, const Grid<float>& dwpe,
                     const Call& call) {
    const auto& [ids, start, dropout, stream] = call;
    Grid<float> tokens = dwte, positions = dwpe, want_tokens = dwte, want_positions = dwpe;
    expect_status(subject::backward(dout, ids, start, dropout, tokens, positions, stream),
                  reference::backward(dout, ids, start, dropout, want_tokens, want_positions, stream));

    const BackwardBounds bounds = bounds_of(dout, dwte, dwpe, ids, start, dropout);
    expect_within("dwte", tokens, want_tokens, bounds.tokens);
    expect_within("dwpe", positions, want_positions, bounds.positions);
    for (const auto& [got, from] : {std::pair{&tokens, &dwte}, std::pair{&positions, &dwpe}})
        for (std::size_t r = 0; r + 1 < got->rows(); ++r)
            for (std::size_t i = r * got->stride() + got->cols(); i < (r + 1) * got->stride(); ++i)
                expect_true("padding stays as it was", std::bit_cast<std::uint32_t>(got->cells()[i]) ==
                                                           std::bit_cast<std::uint32_t>(from->cells()[i]));
}

double bound_of_logit(std::span<const float> hidden, std::span<const float> row) {
    double size = 0;
    for (std::size_t c = 0; c < row.size(); ++c)
        size += std::abs(double{hidden[c]} * double{row[c]});
    return (static_cast<double>(row.size()) + 2) * u * size;
}

void expect_logits(const Cube<float>& hidden, const Grid<float>& wte, std::size_t stride, Stream stream) {
    const std::size_t B = hidden.batch(), V = wte.rows();
    Grid<float> logits(B, V, stride), want(B, V, stride);
    expect_status(subject::last_logits(hidden, wte, logits, stream),
                  reference::last_logits(hidden, wte, want, stream));
    Grid<double> bound(B, V);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t v = 0; v < V; ++v)
            bound(b, v) = bound_of_logit(hidden.row(b, hidden.time() - 1), wte.row(v));
    expect_within("logits", logits, want, bound);
}

using Header = std::array<std::uint8_t, 64>;

/// V = 3, P = 2, C = 2, p = 0.5, in training, seed 0x0102030405060708, offset 258, 10 parameters.
constexpr Header small_header{'G', 'P', 'T', '2', 'I', 'N', '0', '1', 3,  0, 0, 0, 0, 0, 0, 0, //
                              2,   0,   0,   0,   0,   0,   0,   0,   2,  0, 0, 0, 0, 0, 0, 0, //
                              0,   0,   0,   63,  1,   0,   0,   0,   8,  7, 6, 5, 4, 3, 2, 1, //
                              2,   1,   0,   0,   0,   0,   0,   0,   10, 0, 0, 0, 0, 0, 0, 0};

void expect_state(const StageState& got, const StageState& want) {
    expect_equal("V", got.vocabulary, want.vocabulary);
    expect_equal("P", got.positions, want.positions);
    expect_equal("C", got.channels, want.channels);
    expect_equal("p", std::bit_cast<std::uint32_t>(got.dropout.p),
                 std::bit_cast<std::uint32_t>(want.dropout.p));
    expect_equal("train", got.dropout.train, want.dropout.train);
    expect_equal("seed", got.dropout.seed, want.dropout.seed);
    expect_equal("offset", got.dropout.offset, want.dropout.offset);
}

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += double{a[i]} * double{b[i]};
    return sum;
}

/// Exact, and of a NaN it is free which.
auto adverse_forward() {
    const Contents summed = added();
    return Adverse("forward", subject::forward, &reference::forward, sequence_extents(),
                   matrix_in("wte", "V", "C", summed),
                   matrix_in("wpe", all_positions(), "C", summed, Checked::limit_and_cols),
                   device_id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
                   dropout_options<Dropout>("dropout"), tensor_out("out", "B", "T", "C"), stream("stream"))
        .rule("out", {.kind = Rule::Kind::any_nan});
}

/// One of the two bounds of a backward pass, for views that may have any shape.
std::vector<double> bounds_of_backward(bool of_tokens, const Tensor3<const float>& dout, const Ids2D& ids,
                                       std::size_t start, const Dropout& dropout, const Matrix<float>& dwte,
                                       const Matrix<float>& dwpe) {
    const auto copy = [](const Matrix<float>& from) {
        Grid<float> grid(from.rows, from.cols);
        for (std::size_t r = 0; r < from.rows; ++r)
            std::copy_n(from.row(r), from.cols, grid.row(r).begin());
        return grid;
    };
    Cube<float> terms(dout.batch, dout.time, dout.channels);
    for (std::size_t b = 0; b < dout.batch; ++b)
        for (std::size_t t = 0; t < dout.time; ++t)
            std::copy_n(dout.row(b, t), dout.channels, terms.row(b, t).begin());
    const BackwardBounds bounds = bounds_of(terms, copy(dwte), copy(dwpe), ids, start, dropout);
    const Grid<double>& wanted = of_tokens ? bounds.tokens : bounds.positions;
    std::vector<double> list;
    for (std::size_t r = 0; r < wanted.rows(); ++r)
        list.insert(list.end(), wanted.row(r).begin(), wanted.row(r).end());
    return list;
}
auto adverse_backward() {
    const Contents gradients{normal(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    return Adverse(
               "backward", subject::backward, &reference::backward, sequence_extents(),
               tensor_in("dout", "B", "T", "C", gradients, Checked::all),
               device_id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
               dropout_options<Dropout>("dropout"), matrix_sum("dwte", "V", "C", gradients, Checked::cols),
               matrix_sum("dwpe", all_positions(), "C", gradients, Checked::limit_and_cols), stream("stream"))
        .bounds("dwte",
                [](const auto& dout, const auto& ids, std::size_t start, const Dropout& dropout,
                   const auto& dwte, const auto& dwpe,
                   Stream) { return bounds_of_backward(true, dout, ids, start, dropout, dwte, dwpe); })
        .bounds("dwpe",
                [](const auto& dout, const auto& ids, std::size_t start, const Dropout& dropout,
                   const auto& dwte, const auto& dwpe,
                   Stream) { return bounds_of_backward(false, dout, ids, start, dropout, dwte, dwpe); })
        .unordered("dwte")
        .unordered("dwpe");
}

/// No bound is needed, which is dear for large tables and cannot be had for far ones: where half of all
/// elements are dropped and the others doubled, sums of fractions are exact.
auto exact_backward() {
    const auto halves = value<Dropout>(
        "dropout",
        [](const Extents&, Random& random) {
            return Named<Dropout>{"p = 0.5", training(0.5F, random.bits())};
        },
        [](const Extents&) { return std::vector<Named<Dropout>>{}; });
    return Adverse("backward", subject::backward, &reference::backward, sequence_extents(),
                   tensor_in("dout", "B", "T", "C", {}, Checked::all), device_id_matrix("ids", "B", "T", "V"),
                   start("start", "start", "T", all_positions()), halves,
                   matrix_sum("dwte", "V", "C", {}, Checked::cols),
                   matrix_sum("dwpe", all_positions(), "C", {}, Checked::limit_and_cols), stream("stream"))
        .rule("dwte", {.kind = Rule::Kind::values})
        .rule("dwpe", {.kind = Rule::Kind::values})
        .exact("dwte",
               [](const auto&, const Ids2D& ids, std::size_t, const Dropout&, const auto& dwte, const auto&,
                  Stream) {
                   std::set<std::size_t> summed;
                   for (std::size_t b = 0; b < ids.rows; ++b)
                       for (std::size_t t = 0; t < ids.cols; ++t)
                           summed.insert(static_cast<std::size_t>(ids(b, t)));
                   return [summed, C = dwte.cols](std::size_t i) { return !summed.contains(i / C); };
               })
        .exact("dwpe", [](const auto&, const Ids2D& ids, std::size_t first, const Dropout&, const auto&,
                          const auto& dwpe, Stream) {
            return [B = ids.rows, T = ids.cols, first, C = dwpe.cols](std::size_t i) {
                return B == 0 || i / C < first || i / C - first >= T;
            };
        });
}

auto adverse_last_logits() {
    return Adverse("last_logits", subject::last_logits, &reference::last_logits,
                   {{.name = "V", .ordinary = 6, .largest = 1'025}, // a warp a logit takes its time
                    {.name = "C", .ordinary = 3},
                    {.name = "B", .ordinary = 2, .largest = 257},
                    {.name = "T", .ordinary = 4}},
                   tensor_in("hidden", "B", "T", "C", factors(normal()), Checked::cols),
                   matrix_in("wte", "V", "C", factors(normal()), Checked::all),
                   matrix_out("logits", "B", "V"), stream("stream"))
        .bounds("logits", [](const auto& hidden, const auto& wte, const auto& logits, Stream) {
            std::vector<double> bounds(logits.rows * logits.cols);
            if (hidden.time == 0 || hidden.channels != wte.cols || logits.rows != hidden.batch ||
                logits.cols != wte.rows)
                return bounds;
            for (std::size_t i = 0; i < bounds.size(); ++i)
                bounds[i] = bound_of_logit({hidden.row(i / wte.rows, hidden.time - 1), hidden.channels},
                                           {wte.row(i % wte.rows), wte.cols});
            return bounds;
        });
}

const std::vector<ExtentDomain> table_extents{
    {.name = "V", .ordinary = 6, .largest = 1'025}, // a block a row, in most programs
    {.name = "P", .ordinary = 4, .largest = 257},
    {.name = "C", .ordinary = 3, .largest = 1'025}};
Dim all_parameters() {
    return {[](const Extents& size) { return (size["V"] + size["P"]) * size["C"]; }};
}
auto adverse_save() {
    const Contents copied{normal(), {{"NaN payloads, infinities and denormals", any_bits()}}};
    return Adverse("save", subject::save, &reference::save, table_extents, matrix_in("wte", "V", "C", copied),
                   matrix_in("wpe", "P", "C", copied, Checked::cols), dropout_options<Dropout>("dropout"),
                   span_out<std::uint8_t>("header", {[](const Extents&) { return sizeof(Header); }}),
                   span_out("parameters", all_parameters()), stream("stream"));
}
auto adverse_load() {
    const Contents copied{normal(), {{"NaN payloads, infinities and denormals", any_bits()}}};
    return Adverse("load", subject::load, &reference::load, table_extents,
                   span_in("parameters", all_parameters(), copied),
                   matrix_out("wte", "V", "C", Checked::rows), matrix_out("wpe", "P", "C"), stream("stream"));
}

} // namespace

TEST_CASE("the parameters of the gpt-2 family add up") {
    const ParameterReport small = subject::parameters({});
    expect_equal("token table", small.token_table, 38'597'376U);
    expect_equal("position table", small.position_table, 786'432U);
    expect_equal("one block", small.block, 7'087'872U);
    expect_equal("final norm", small.final_norm, 1'536U);
    expect_equal("total", small.total, 124'439'808U);
    expect_equal("total of medium", subject::parameters({50'257, 1'024, 1'024, 24}).total, 354'823'168U);
    expect_equal("total of large", subject::parameters({50'257, 1'024, 1'280, 36}).total, 774'030'080U);
    expect_equal("total of xl", subject::parameters({50'257, 1'024, 1'600, 48}).total, 1'557'611'200U);
    expect_equal("total of 96 layers of 12,288 channels",
                 subject::parameters({50'257, 2'048, 12'288, 96}).total, 174'604'259'328U);
    // Above 2^53 a double has even numbers alone.
    const ParameterReport vast = subject::parameters({4'294'967'291, 1'000'003, 2'147'483, 3});
    expect_equal("vast token table", vast.token_table, 9'223'369'242'978'553U);
    expect_equal("total of vast sizes", vast.total, 9'391'537'416'938'209U);
    expect_equal("total without a block", subject::parameters({2, 3, 5, 0}).total, 35U);
    expect_equal("a block of which there is none", subject::parameters({2, 3, 5, 0}).block, 365U);
}

TEST_CASE("two sequences go forward") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6}), wpe(3, 2, {10, 20, 30, 40, 50, 60});
    Cube<float> out(2, 2, 2);
    expect_status(
        subject::forward(wte, wpe, Grid<TokenId>(2, 2, {0, 1, 2, 0}), 1, evaluation, out, Stream::standard),
        Status{});
    expect_identical("out", out, Cube<float>(2, 2, 2, {31, 42, 53, 64, 35, 46, 51, 62}));
    // Survivors for seed 0 and p = 0.5: 1 0 0 1 0 0 0 1
    Cube<float> dropped(2, 2, 2);
    expect_status(subject::forward(wte, wpe, Grid<TokenId>(2, 2, {0, 1, 2, 0}), 0, training(0.5F, 0), dropped,
                                   Stream::standard),
                  Status{});
    expect_identical("out in training", dropped, Cube<float>(2, 2, 2, {22, 0, 0, 88, 0, 0, 0, 84}));
}

TEST_CASE("random shapes go forward") {
    for_random_sizes(
        12, {{"V", 1, 30}, {"spare", 0, 3}, {"C", 1, 40}, {"B", 1, 4}, {"T", 1, 8}, {"pad", 0, 3}},
        [](const Sizes& size, Random& random) {
            const std::size_t C = size["C"], P = size["T"] + size["spare"];
            const auto wte = random_grid<float>(random, size["V"], C, C + size["pad"]);
            const auto wpe = random_grid<float>(random, P, C, C + size["pad"] / 2);
            const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
            const auto p = static_cast<float>(random.uniform());
            for (const std::size_t start : {std::size_t{0}, size["spare"]})
                expect_forward(wte, wpe, {ids, start, {p, start == 0, random.bits(), random.bits()}});
        });
}

TEST_CASE("gradients meet in shared rows") {
    const Grid<TokenId> ids(1, 3, {0, 2, 0});
    Cube<float> ones(1, 3, 2);
    ones.fill(1);
    Grid<float> dwte = filled(4, 2, 0), dwpe = filled(5, 2, 0.5F);
    for (int call = 0; call < 2; ++call)
        expect_status(subject::backward(ones, ids, 1, evaluation, dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte after two calls", dwte, Grid<float>(4, 2, {4, 4, 0, 0, 2, 2, 0, 0}));
    expect_identical("dwpe after two calls", dwpe,
                     Grid<float>(5, 2, {0.5F, 0.5F, 2.5F, 2.5F, 2.5F, 2.5F, 2.5F, 2.5F, 0.5F, 0.5F}));

    // Two products, each rounded to float, have one sum.
    Random random = constructed();
    const auto dout = random_cube<float>(random, 2, 1, 64);
    const Grid<TokenId> twice(2, 1, {1, 1});
    // Of 0.15 and 0.48 the float 1 - p is rounded, so that a factor made in double is another one.
    for (const float p : {0.3F, 0.15F, 0.48F}) {
        CAPTURE(p);
        Grid<float> same = filled(2, 64, 0), row = filled(1, 64, 0), want = same, want_row = row;
        expect_status(subject::backward(dout, twice, 0, training(p, 5), same, row, Stream::own), Status{});
        reference::backward(dout, twice, 0, training(p, 5), want, want_row, Stream::own);
        expect_identical("dwte of two terms", same, want);
        expect_identical("dwpe of two terms", row, want_row);
    }
}

TEST_CASE("random shapes go backward") {
    for_random_sizes(12,
                     {{"V", 1, 20}, {"spare", 0, 3}, {"C", 1, 40}, {"B", 1, 4}, {"T", 1, 8}, {"pad", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const std::size_t C = size["C"], P = size["T"] + size["spare"];
                         const auto dwte = random_grid<float>(random, size["V"], C, C + size["pad"]);
                         const auto dwpe = random_grid<float>(random, P, C, C + size["pad"] / 2);
                         const auto dout = spread_cube(random, size["B"], size["T"], C);
                         const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
                         const auto p = static_cast<float>(random.uniform());
                         for (const std::size_t start : {std::size_t{0}, size["spare"]})
                             expect_backward(dout, dwte, dwpe,
                                             {ids, start, {p, start == 0, random.bits(), random.bits()}});
                     });
}

TEST_CASE("backward replays the mask of forward") {
    // Tokens of zeros at positions of ones: out shows the mask times the factor. With ones for dout, and no
    // token twice, dwte has to show the same.
    constexpr std::size_t V = 16, B = 2, T = 8, C = 9;
    const Call call{striding_ids(B, T, V), 2, training(0.3F, 77, 1234)};
    Cube<float> out(B, T, C), ones(B, T, C);
    ones.fill(1);
    expect_status(subject::forward(filled(V, C, 0), filled(10, C, 1), call.ids, call.start, call.dropout, out,
                                   call.stream),
                  Status{});
    Grid<float> dwte = filled(V, C, 0), dwpe = filled(10, C, 0);
    expect_status(subject::backward(ones, call.ids, call.start, call.dropout, dwte, dwpe, call.stream),
                  Status{});
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            expect_identical("row of dwte and row of out",
                             std::as_const(dwte).row(static_cast<std::size_t>(call.ids(b, t))),
                             std::as_const(out).row(b, t));
}

TEST_CASE("forward and backward are adjoint") {
    // <forward(w), g> = <w, backward(g)>, as both are linear in the tables. Their errors: forward rounds the
    // sum and the product, backward the product and at most 2 additions of a row; each on terms bounded by
    // `size`.
    Random random = harness::random();
    constexpr std::size_t V = 12, P = 7, B = 2, T = 6, C = 10;
    const auto wte = random_grid<float>(random, V, C), wpe = random_grid<float>(random, P, C);
    const auto g = random_cube<float>(random, B, T, C);
    const Call call{striding_ids(B, T, V), 1, training(0.25F, random.bits(), random.bits())};
    Cube<float> out(B, T, C);
    Grid<float> dwte = filled(V, C, 0), dwpe = filled(P, C, 0);
    expect_status(subject::forward(wte, wpe, call.ids, 1, call.dropout, out, call.stream), Status{});
    expect_status(subject::backward(g, call.ids, 1, call.dropout, dwte, dwpe, call.stream), Status{});
    double size = 0;
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            for (std::size_t c = 0; c < C; ++c) {
                const auto id = static_cast<std::size_t>(call.ids(b, t));
                size += 2 * std::abs(g(b, t, c)) * (std::abs(wte(id, c)) + std::abs(wpe(1 + t, c)));
            }
    expect_near("<w, backward(g)>", dot(wte.cells(), dwte.cells()) + dot(wpe.cells(), dwpe.cells()),
                dot(out.cells(), g.cells()), 8 * u * size);
}

TEST_CASE("evaluation drops nothing in either direction") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6}), wpe(2, 2, {10, 20, 30, 40});
    const Grid<TokenId> ids(1, 2, {2, 1});
    for (const Dropout dropout : {Dropout{0.5F, false, 1, 2}, Dropout{1, false, 1, 2}, training(0, 1, 2)}) {
        Cube<float> out(1, 2, 2);
        expect_status(subject::forward(wte, wpe, ids, 0, dropout, out, Stream::standard), Status{});
        expect_identical("out", out, Cube<float>(1, 2, 2, {15, 26, 33, 44}));
        Grid<float> dwte = filled(3, 2, 0), dwpe = filled(2, 2, 0);
        expect_status(subject::backward(out, ids, 0, dropout, dwte, dwpe, Stream::standard), Status{});
        expect_identical("dwte", dwte, Grid<float>(3, 2, {0, 0, 33, 44, 15, 26}));
        expect_identical("dwpe", dwpe, Grid<float>(2, 2, {15, 26, 33, 44}));
    }
}

TEST_CASE("what is dropped is zero whatever it was") {
    const float infinity = std::numeric_limits<float>::infinity();
    // Survivors: 1 0 0 1
    const Grid<TokenId> ids(1, 2, {0, 1});
    Cube<float> out(1, 2, 2);
    expect_status(subject::forward(Grid<float>(2, 2, {1, infinity, -3, 4}), filled(2, 2, 0), ids, 0,
                                   training(0.5F, 0), out, Stream::standard),
                  Status{});
    expect_identical("out", out, Cube<float>(1, 2, 2, {2, 0, 0, 8}));
    Grid<float> dwte = filled(2, 2, 1), dwpe = filled(2, 2, 1);
    const Cube<float> dout(1, 2, 2, {1, infinity, not_a_number, 4});
    expect_status(subject::backward(dout, ids, 0, training(0.5F, 0), dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte", dwte, Grid<float>(2, 2, {3, 1, 1, 9}));
    expect_identical("dwpe", dwpe, Grid<float>(2, 2, {3, 1, 1, 9}));
}

TEST_CASE("an id outside the vocabulary is seen and has no gradient") {
    const Grid<float> wte(3, 1, {1, 2, 3}), wpe(4, 1, {10, 20, 30, 40});
    const Grid<TokenId> ids(1, 4, {2, 3, -1, 0});
    Cube<float> out(1, 4, 1);
    expect_status(subject::forward(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
    expect_close("out", out, Cube<float>(1, 4, 1, {13, not_a_number, not_a_number, 41}), Tolerance{});
    Grid<float> dwte = filled(3, 1, 0), dwpe = filled(4, 1, 0);
    expect_status(subject::backward(Cube<float>(1, 4, 1, {1, 2, 4, 8}), ids, 0, evaluation, dwte, dwpe,
                                    Stream::standard),
                  Status{});
    expect_identical("dwte", dwte, Grid<float>(3, 1, {8, 0, 1}));
    expect_identical("dwpe", dwpe, Grid<float>(4, 1, {1, 2, 4, 8}));
}

TEST_CASE("the logits of the last position") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6});
    const Cube<float> hidden(2, 2, 2, {9, 9, 1, 10, 9, 9, -1, 2});
    Grid<float> logits(2, 3);
    expect_status(subject::last_logits(hidden, wte, logits, Stream::standard), Status{});
    expect_identical("logits", logits, Grid<float>(2, 3, {21, 43, 65, 3, 5, 7}));
    Grid<float> empty(2, 3);
    expect_status(subject::last_logits(Cube<float>(2, 1, 0), Grid<float>(3, 0), empty, Stream::standard),
                  Status{});
    expect_identical("logits without channels", empty, filled(2, 3, 0));
}

TEST_CASE("random logits agree with the reference") {
    Random random = harness::random(); // two rows that do not touch, whatever sizes are drawn
    expect_logits(random_cube<float>(random, 2, 3, 5), random_grid<float>(random, 7, 5, 6), 9,
                  Stream::standard);
    for_random_sizes(12, {{"V", 1, 40}, {"C", 1, 70}, {"B", 1, 4}, {"T", 1, 4}, {"pad", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const auto hidden = random_cube<float>(random, size["B"], size["T"], size["C"]);
                         const auto wte =
                             random_grid<float>(random, size["V"], size["C"], size["C"] + size["pad"]);
                         expect_logits(hidden, wte, size["V"] + size["pad"] / 2, Stream::standard);
                     });
}

TEST_CASE("a header is written and read byte by byte") {
    const Dropout dropout{0.5F, true, 0x0102030405060708, 258};
    std::vector<std::uint8_t> header(64, 0xee);
    std::vector<float> parameters(10, -1);
    expect_status(
        subject::save(numbered(3, 2), numbered(2, 2, 100), dropout, header, parameters, Stream::standard),
        Status{});
    expect_identical("header", header, std::vector<std::uint8_t>(small_header.begin(), small_header.end()));
    expect_identical("parameters", parameters, std::vector<float>{1, 2, 3, 4, 5, 6, 101, 102, 103, 104});
    const HeaderResult result = subject::read_header(small_header);
    expect_status(result.status, Status{});
    expect_state(result.state, {3, 2, 2, dropout});
    // Bytes may begin anywhere.
    for (std::size_t shift = 1; shift < 8; ++shift) {
        std::vector<std::uint8_t> room(shift);
        room.insert(room.end(), small_header.begin(), small_header.end());
        const HeaderResult shifted = subject::read_header(std::span(room).subspan(shift));
        expect_status(shifted.status, Status{});
        expect_state(shifted.state, {3, 2, 2, dropout});
        std::ranges::fill(room, std::uint8_t{0xee});
        const auto written = std::span(room).subspan(shift);
        expect_status(subject::save(numbered(3, 2), numbered(2, 2, 100), dropout, written, parameters,
                                    Stream::standard),
                      Status{});
        expect_true("the header begins at any address", std::ranges::equal(written, small_header));
    }
}

TEST_CASE("a run goes on where it was saved") {
    Random random = harness::random();
    const auto wte = random_grid<float>(random, 11, 6, 7);
    auto wpe = random_grid<float>(random, 5, 6, 8);
    wpe(2, 3) =
        std::bit_cast<float>(0x7fa12345U); // a signalling NaN with a payload is copied like any number
    const Dropout dropout{0.4F, false, random.bits(), random.bits()};
    std::vector<std::uint8_t> header(64);
    std::vector<float> parameters(16 * 6);
    expect_status(subject::save(wte, wpe, dropout, header, parameters, Stream::own), Status{});

    const HeaderResult result = subject::read_header(header);
    expect_status(result.status, Status{});
    expect_state(result.state, {11, 5, 6, dropout});
    Grid<float> tokens(11, 6, 9), positions(5, 6, 6), want_tokens(11, 6, 9);
    expect_status(subject::load(parameters, tokens, positions, Stream::own), Status{});
    for (std::size_t r = 0; r < 11; ++r)
        std::ranges::copy(wte.row(r), want_tokens.row(r).begin());
    expect_identical("wte with its padding", tokens.cells(), want_tokens.cells());
    expect_identical("wpe", positions, wpe.view());

    Dropout next = result.state.dropout;
    next.train = true;
    positions(2, 3) = wpe(2, 3) = 1;
    const auto ids = random_id_grid(random, 8, 4, 11);
    Cube<float> before(8, 4, 6), after(8, 4, 6);
    reference::forward(wte, wpe, ids, 1, {0.4F, true, dropout.seed, dropout.offset}, before, Stream::own);
    expect_status(subject::forward(tokens, positions, ids, 1, next, after, Stream::own), Status{});
    expect_identical("out after loading", after, before);
}

TEST_CASE("sizes that do not fit are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3), wide = numbered(4, 4);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    const Status mismatch{Code::shape_mismatch};
    struct Shape {
        std::size_t B, T, C;
    };
    for (const auto& [B, T, C] : {Shape{1, 2, 3}, Shape{2, 3, 3}, Shape{2, 2, 4}, Shape{2, 2, 2}}) {
        Cube<float> cube(B, T, C);
        expect_status(subject::forward(wte, wpe, ids, 9, training(2, 0), cube, Stream::standard), mismatch);
        expect_untouched("out", cube);
        Grid<float> dwte = wte, dwpe = wpe;
        expect_status(subject::backward(cube, ids, 9, training(2, 0), dwte, dwpe, Stream::standard),
                      mismatch);
        expect_identical("dwte", dwte, wte);
    }
    Cube<float> out(2, 2, 3);
    expect_status(subject::forward(wte, wide, ids, 0, evaluation, out, Stream::standard), mismatch);
    expect_untouched("out", out);
    Grid<float> dwte = wte, dwpe = wide;
    expect_status(subject::backward(out, ids, 0, evaluation, dwte, dwpe, Stream::standard), mismatch);
    expect_identical("dwpe", dwpe, wide);
    for (const auto& [B, V, C] : {Shape{1, 5, 3}, Shape{2, 4, 3}, Shape{2, 6, 3}, Shape{2, 5, 4}}) {
        Grid<float> logits(B, V);
        expect_status(subject::last_logits(Cube<float>(2, 0, C), wte, logits, Stream::standard), mismatch);
        expect_untouched("logits", logits);
    }
    Grid<float> logits(2, 5);
    expect_status(subject::last_logits(Cube<float>(2, 0, 3), wte, logits, Stream::standard),
                  Status{Code::invalid_argument});
    expect_untouched("logits", logits);
}

TEST_CASE("positions and probabilities outside their range are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const auto expect_refused = [&](std::size_t start, Dropout dropout, const Status& status) {
        Cube<float> out(2, 2, 3);
        expect_status(subject::forward(wte, wpe, ids, start, dropout, out, Stream::standard), status);
        expect_untouched("out", out);
        Grid<float> dwte = wte, dwpe = wpe;
        Cube<float> ones(2, 2, 3);
        ones.fill(1);
        expect_status(subject::backward(ones, ids, start, dropout, dwte, dwpe, Stream::standard), status);
        expect_identical("dwte", dwte, wte);
        expect_identical("dwpe", dwpe, wpe);
    };
    expect_refused(3, training(2, 0), Status::position_out_of_range(1, 4, 4));
    expect_refused(5, evaluation, Status::position_out_of_range(0, 5, 4));
    expect_refused(most, evaluation, Status::position_out_of_range(0, -1, 4));
    for (const float p : {-0.5F, 1.5F, -1e-30F, 1.0000001F, not_a_number, -not_a_number}) {
        expect_refused(2, {p, true, 1, 2}, Status{Code::invalid_argument});
        expect_refused(2, {p, false, 1, 2}, Status{Code::invalid_argument});
    }
    const Grid<TokenId> none(2, 0);
    expect_forward(wte, wpe, {none, 4});
    Cube<float> empty(2, 0, 3);
    expect_status(subject::forward(wte, wpe, none, 5, evaluation, empty, Stream::standard),
                  Status::position_out_of_range(0, 5, 4));
}

TEST_CASE("checkpoints that do not fit are refused") {
    const auto wte = numbered(3, 2), wpe = numbered(2, 2), wide = numbered(2, 3);
    const auto expect_refused = [&](const Grid<float>& positions, float p, std::size_t bytes,
                                    std::size_t count, Code code) {
        std::vector<std::uint8_t> header(bytes, 0xee);
        std::vector<float> parameters(count, -1);
        expect_status(subject::save(wte, positions, {p, true, 1, 2}, header, parameters, Stream::standard),
                      Status{code});
        expect_identical("header", header, std::vector<std::uint8_t>(bytes, 0xee));
        expect_identical("parameters", parameters, std::vector<float>(count, -1));
    };
    expect_refused(wide, 0.5F, 64, 10, Code::shape_mismatch);
    expect_refused(wide, 0.5F, 64, 12, Code::shape_mismatch);
    expect_refused(wpe, 2, 63, 10, Code::shape_mismatch);
    expect_refused(wpe, 2, 65, 10, Code::shape_mismatch);
    expect_refused(wpe, 2, 64, 9, Code::shape_mismatch);
    expect_refused(wpe, 2, 64, 11, Code::shape_mismatch);
    expect_refused(wpe, 2, 64, 10, Code::invalid_argument);
    expect_refused(wpe, -1, 64, 10, Code::invalid_argument);
    expect_refused(wpe, not_a_number, 64, 10, Code::invalid_argument);
    const auto expect_not_loaded = [](std::size_t count, std::size_t channels) {
        Grid<float> tokens(3, 2), positions(2, channels);
        expect_status(subject::load(std::vector<float>(count, 1), tokens, positions, Stream::standard),
                      Status{Code::shape_mismatch});
        expect_untouched("wte", tokens);
        expect_untouched("wpe", positions);
    };
    expect_not_loaded(9, 2);
    expect_not_loaded(11, 2);
    expect_not_loaded(10, 3);
    expect_not_loaded(12, 3);
}

TEST_CASE("nothing to do launches nothing") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    for (const auto& [B, T] : {std::pair{0, 2}, std::pair{2, 0}, std::pair{0, 0}}) {
        const Grid<TokenId> ids(static_cast<std::size_t>(B), static_cast<std::size_t>(T));
        expect_forward(wte, wpe, {ids});
        expect_backward(Cube<float>(ids.rows(), ids.cols(), 3), wte, wpe, {ids});
    }
    const Grid<TokenId> ids(1, 2, {4, 1});
    expect_forward(Grid<float>(5, 0), Grid<float>(4, 0), {ids});
    expect_backward(Cube<float>(1, 2, 0), Grid<float>(5, 0), Grid<float>(4, 0), {ids});
    expect_logits(Cube<float>(0, 2, 3), wte, 5, Stream::standard);
    expect_logits(Cube<float>(2, 1, 3, {1, 2, 3, 4, 5, 6}), Grid<float>(0, 3), 0, Stream::standard);
    std::vector<std::uint8_t> header(64);
    std::vector<float> parameters;
    expect_status(
        subject::save(Grid<float>(0, 3), Grid<float>(0, 3), evaluation, header, parameters, Stream::standard),
        Status{});
    Grid<float> none(3, 0);
    expect_status(subject::load(parameters, none, none, Stream::standard), Status{});
    std::vector<float> positions_only(4);
    expect_status(subject::save(Grid<float>(0, 2), numbered(2, 2), evaluation, header, positions_only,
                                Stream::standard),
                  Status{});
    expect_identical("parameters", positions_only, std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("all work goes to the caller's stream") {
    const auto wte = numbered(20, 17), wpe = numbered(15, 17, 400);
    const Call call{striding_ids(2, 15, 20), 0, training(0.1F, 4), Stream::own};
    Random random = harness::random();
    expect_forward(wte, wpe, call);
    expect_backward(random_cube<float>(random, 2, 15, 17), wte, wpe, call);
    expect_logits(random_cube<float>(random, 2, 3, 17), wte, 20, Stream::own);
}

TEST_CASE("forward moves each byte once") {
    constexpr std::size_t T = 40, C = 256;
    minimum_traffic(T * sizeof(TokenId) + 3 * T * C * sizeof(float));
    expect_forward(numbered(64, C), numbered(T, C), {striding_ids(1, T, 64), 0, training(0.1F, 8)});
}

TEST_CASE("backward moves few bytes") {
    // dout and ids once; of both tables the rows that change, once read and once written.
    constexpr std::size_t T = 40, C = 256;
    minimum_traffic(T * sizeof(TokenId) + 5 * T * C * sizeof(float));
    Random random = harness::random();
    expect_backward(random_cube<float>(random, 1, T, C), numbered(64, C), numbered(T, C),
                    {striding_ids(1, T, 64), 0, training(0.1F, 8)});
}

TEST_CASE("the head reads the table by neighbours") {
    constexpr std::size_t V = 60, C = 256;
    minimum_traffic((V * C + C + V) * sizeof(float));
    Random random = harness::random();
    expect_logits(random_cube<float>(random, 1, 2, C), random_grid<float>(random, V, C), V, Stream::standard);
}

TEST_CASE("gpt-2 small at its real size") {
    // Rows lie 6,144 floats apart, so a table reaches over more than a gibibyte, of which only the rows in
    // use exist: first and last token, last positions, all 768 channels. Gradients lie beside the weights,
    // half a row on.
    constexpr std::size_t V = 50'257, P = 1'024, C = 768, stride = 6'144, T = 4;
    const ModelSizes sizes;
    expect_equal("C", sizes.channels, C);
    SparseGrid<float> room(V, stride);
    const Grid<TokenId> ids(1, T, {50'256, 0, 39'999, 50'256});
    for (const TokenId id : ids.cells())
        for (std::size_t c = 0; c < C; ++c)
            room.row(static_cast<std::size_t>(id))[c] =
                static_cast<float>(id) + static_cast<float>(c) / 1'024;
    const auto wpe = numbered(P, C);
    const Matrix<const float> wte(room.row(0).data(), V, C, stride);
    const Dropout dropout = training(0.1F, 42, 1'000'000'000'000);
    Cube<float> out(1, T, C), want(1, T, C);
    expect_status(subject::forward(wte, wpe, ids, P - T, dropout, out, Stream::standard),
                  reference::forward(wte, wpe, ids, P - T, dropout, want, Stream::standard));
    expect_identical("out", out, want);

    const Matrix<float> dwte(room.row(0).data() + stride / 2, V, C, stride); // still zero
    Grid<float> dwpe = filled(P, C, 0), few_positions = filled(T, C, 0), few_tokens = filled(3, C, 0);
    expect_status(subject::backward(want, ids, P - T, dropout, dwte, dwpe, Stream::standard), Status{});
    // The same with a vocabulary of the three that occur and with the last four positions.
    const Grid<TokenId> renamed(1, T, {2, 0, 1, 2});
    reference::backward(want, renamed, 0, dropout, few_tokens, few_positions, Stream::standard);
    const std::size_t names[3] = {0, 39'999, 50'256};
    for (std::size_t i = 0; i < 3; ++i) // at most two additions to zero: one rounding, to the nearest
        expect_identical("row of dwte", std::span<const float>(dwte.row(names[i]), C),
                         std::as_const(few_tokens).row(i));
    for (std::size_t t = 0; t < T; ++t)
        expect_identical("row of dwpe", std::as_const(dwpe).row(P - T + t),
                         std::as_const(few_positions).row(t));

    // A vocabulary that ends one row before the memory does: the last id has no row.
    const Matrix<const float> fewer(wte.data, V - 1, C, stride);
    expect_status(subject::forward(fewer, wpe, ids, 0, evaluation, out, Stream::standard),
                  reference::forward(fewer, wpe, ids, 0, evaluation, want, Stream::standard));
    expect_close("out where the last id is none", out, want, Tolerance{});
    const std::vector<float> before(dwte.row(V - 1), dwte.row(V - 1) + C);
    const Matrix<float> fewer_gradients(dwte.data, V - 1, C, stride);
    Cube<float> ones(1, T, C);
    ones.fill(1);
    expect_status(subject::backward(ones, ids, 0, evaluation, fewer_gradients, dwpe, Stream::standard),
                  Status{});
    expect_identical("the row behind the gradients", std::span<const float>(dwte.row(V - 1), C), before);
}

TEST_CASE("a head of 768 channels") {
    Random random = harness::random();
    expect_logits(random_cube<float>(random, 2, 2, 768), random_grid<float>(random, 97, 768), 104,
                  Stream::standard);
}

TEST_CASE("the mask is exact at its edges") {
    // Element 0 survives if (n + 0.5) * 2^-52 >= p, for the n that the seed was made for.
    const auto expect_survival = [](std::uint64_t n, float p, bool survives) {
        for (const std::uint64_t low : {0x000, 0xfff, 0x5a5}) {
            Cube<float> out(1, 1, 1);
            expect_status(
                subject::forward(Grid<float>(1, 1, {1}), Grid<float>(1, 1, {1}), Grid<TokenId>(1, 1, {0}), 0,
                                 training(p, seed_that_gives(n << 12 | low)), out, Stream::standard),
                Status{});
            expect_equal("element 0 survives", out(0, 0, 0) != 0, survives);
        }
    };
    constexpr std::uint64_t half = std::uint64_t{1} << 51;
    expect_survival(half - 1, 0.5F, false);
    expect_survival(half, 0.5F, true);
    expect_survival(half / 2 - 1, 0.25F, false);
    expect_survival(half / 2, 0.25F, true);
    expect_survival(0, 0x1p-53F, true);
    expect_survival(0, 0x1p-52F, false);
    expect_survival(1, 0x1p-52F, true);
    // Below 2^-29, p has bits beyond the 52 of n.
    expect_survival(0, 0x1.8p-53F, false);
    expect_survival(5, 0x1.5p-50F, true);
    expect_survival(5, 0x1.7p-50F, false);
}

TEST_CASE("many tokens meet in one row") {
    constexpr std::size_t B = 3, T = 300, C = 5;
    Grid<TokenId> same(B, T);
    std::ranges::fill(same.cells(), 4);
    Cube<float> ones(B, T, C);
    ones.fill(1);
    Grid<float> dwte = filled(6, C, 0), dwpe = filled(T, C, 0), want = filled(6, C, 0);
    std::ranges::fill(want.row(4), 900.0F);
    expect_status(subject::backward(ones, same, 0, evaluation, dwte, dwpe, Stream::standard), Status{});
    expect_identical("dwte", dwte, want);
    expect_identical("dwpe", dwpe, filled(T, C, 3));
}

TEST_CASE("broken headers are refused") {
    const auto expect_refused = [](std::vector<std::uint8_t> header) {
        const HeaderResult result = subject::read_header(header);
        expect_status(result.status, Status{Code::invalid_argument});
        expect_state(result.state, {});
    };
    const std::vector<std::uint8_t> good(small_header.begin(), small_header.end());
    const auto with = [&](std::size_t at, std::initializer_list<std::uint8_t> bytes) {
        auto header = good;
        std::ranges::copy(bytes, header.begin() + static_cast<std::ptrdiff_t>(at));
        return header;
    };
    expect_refused({});
    expect_refused({good.begin(), good.end() - 1});
    auto longer = good;
    longer.push_back(0);
    expect_refused(longer);
    for (std::size_t letter = 0; letter < 8; ++letter)
        expect_refused(with(letter, {'x'}));
    for (const std::size_t size : {8, 16, 24}) {
        expect_refused(with(size, {4}));            // the last number does not follow
        expect_refused(with(size, {0, 0, 0, 128})); // 2^31
        expect_refused(with(size + 7, {128}));      // beyond 2^63
    }
    expect_refused(with(32, {0, 0, 192, 63}));  // p = 1.5
    expect_refused(with(32, {0, 0, 0, 191}));   // p = -0.5
    expect_refused(with(32, {0, 0, 192, 127})); // p = NaN
    expect_refused(with(36, {2}));
    expect_refused(with(36, {1, 0, 0, 1}));
    expect_refused(with(56, {11}));
    expect_refused(with(63, {1}));
    // V = P = 2^31, C = 2^32: the product wraps around to 0, which is written there.
    auto wrapping = good;
    std::fill(wrapping.begin() + 8, wrapping.begin() + 32, std::uint8_t{0});
    wrapping[11] = wrapping[19] = 128;
    wrapping[28] = 1;
    wrapping[56] = 0;
    expect_refused(wrapping);
    // 2^31 for each of the sizes, with a number of parameters that follows from it.
    for (const auto& [large, factor] : {std::pair{8, 24}, std::pair{16, 24}, std::pair{24, 8}}) {
        auto header = good;
        std::fill(header.begin() + 8, header.begin() + 32, std::uint8_t{0});
        std::fill(header.begin() + 56, header.end(), std::uint8_t{0});
        header[static_cast<std::size_t>(large) + 3] = header[59] = 128;
        header[static_cast<std::size_t>(factor)] = 1;
        expect_refused(header);
    }
    const HeaderResult minus_zero = subject::read_header(with(32, {0, 0, 0, 128}));
    expect_status(minus_zero.status, Status{});
    expect_state(minus_zero.state, {3, 2, 2, {-0.0F, true, 0x0102030405060708, 258}});
    // Sizes 0 and the largest that are allowed, p = 1, evaluation.
    auto largest = good;
    std::fill(largest.begin() + 8, largest.begin() + 32, std::uint8_t{0});
    largest[8] = largest[9] = largest[10] = 255;
    largest[11] = 127;
    largest[24] = 1;
    largest[34] = 128;
    largest[36] = 0;
    std::copy(largest.begin() + 8, largest.begin() + 16, largest.begin() + 56);
    const HeaderResult result = subject::read_header(largest);
    expect_status(result.status, Status{});
    expect_state(result.state, {2'147'483'647, 0, 1, {1, false, 0x0102030405060708, 258}});
}

TEST_CASE("forward in all sizes, apart and empty") {
    adverse_forward().sizes();
    adverse_forward().gaps();
    adverse_forward().empty_axes();
}

TEST_CASE("forward with special values and after other calls") {
    adverse_forward().special_cases();
    adverse_forward().history();
}

TEST_CASE("backward in all sizes, apart and empty") {
    exact_backward().sizes();
    exact_backward().gaps();
    exact_backward().empty_axes();
}

TEST_CASE("backward with special values and after other calls") {
    adverse_backward().special_cases();
    adverse_backward().history();
    adverse_backward().after(adverse_forward());
}

TEST_CASE("logits in all sizes and circumstances") {
    adverse_last_logits().sizes();
    adverse_last_logits().gaps();
    adverse_last_logits().empty_axes();
    adverse_last_logits().special_cases();
    adverse_last_logits().also({{{"C", 2'051}}}).history(); // channels that several blocks may share
}

TEST_CASE("checkpoints in all sizes and circumstances") {
    adverse_save().sizes();
    adverse_save().gaps();
    adverse_save().empty_axes();
    adverse_save().special_cases();
    adverse_save().history();
    adverse_load().sizes();
    adverse_load().gaps();
    adverse_load().empty_axes();
    adverse_load().special_cases();
    adverse_load().history();
}

TEST_CASE("forward beyond element 2^32" * large) {
    adverse_forward().far("V", Visits::few_rows);
}

TEST_CASE("backward beyond element 2^32" * large) {
    exact_backward().far("V");
}

TEST_CASE("logits beyond element 2^32" * large) {
    adverse_last_logits().far();
}

TEST_CASE("saving beyond element 2^32" * large) {
    adverse_save().far();
}

TEST_CASE("loading beyond element 2^32" * large) {
    adverse_load().far();
}

TEST_CASE("forward, 64 sequences of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(64, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto wte = random_grid<float>(random, V, C), wpe = random_grid<float>(random, T, C);
    time_calls("forward", [&] {
        const auto ids = random_id_grid(random, B, T, V);
        expect_forward(wte, wpe, {ids, 0, training(0.1F, random.bits()), Stream::own});
        return B * T * (sizeof(TokenId) + C * sizeof(float)) +
               (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

TEST_CASE("backward, 16 sequences of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(16, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto dout = random_cube<float>(random, B, T, C);
    const auto dwte = random_grid<float>(random, V, C), dwpe = random_grid<float>(random, T, C);
    time_calls("backward", [&] {
        const auto ids = random_id_grid(random, B, T, V);
        expect_backward(dout, dwte, dwpe, {ids, 0, training(0.1F, random.bits()), Stream::own});
        return B * T * (sizeof(TokenId) + C * sizeof(float)) +
               2 * (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

TEST_CASE("last_logits, one token of GPT-2" * timed) {
    const std::size_t V = at_scale(50'257, 200), C = at_scale(768, 256);
    Random random = harness::random();
    const auto wte = random_grid<float>(random, V, C);
    time_calls("last_logits", [&] {
        expect_logits(random_cube<float>(random, 1, 1, C), wte, V, Stream::own);
        return (V * C + C + V) * sizeof(float);
    });
}
