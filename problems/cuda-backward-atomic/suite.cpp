#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "harness/adversity/embedding.h"
#include "harness/depth.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
using namespace contract;
using namespace harness;

namespace {

/// Most gradients here are whole numbers: any order of additions gives the same floats, so they are compared
/// bit for bit.
Grid<float> filled(std::size_t rows, std::size_t cols, float value) {
    Grid<float> grid(rows, cols);
    grid.fill(value);
    return grid;
}

/// Element number i is i + 1.
Cube<float> numbered(std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    std::iota(cube.cells().begin(), cube.cells().end(), 1.0F);
    return cube;
}

/// Element number i is i % 61 - 30: sums of many of them stay exact.
Cube<float> small_numbers(std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    for (std::size_t i = 0; i < cube.cells().size(); ++i)
        cube.cells()[i] = static_cast<float>(i % 61) - 30.0F;
    return cube;
}

/// Element number i is first + i.
Grid<float> counted(std::size_t rows, std::size_t cols, float first) {
    Grid<float> grid(rows, cols);
    std::iota(grid.cells().begin(), grid.cells().end(), first);
    return grid;
}

/// Ids below V, no two neighbours equal, and all different where B * T <= V and 7 does not divide V.
Grid<TokenId> striding_ids(std::size_t batch, std::size_t time, std::size_t V) {
    Grid<TokenId> ids(batch, time);
    for (std::size_t i = 0; i < ids.cells().size(); ++i)
        ids.cells()[i] = static_cast<TokenId>((i * 7 + 3) % V);
    return ids;
}

/// Adds with the submission to copies of both gradients, and holds every bit against the reference.
void expect_gradients(const Cube<float>& dout, const Grid<TokenId>& ids, const Grid<float>& dwte,
                      const Grid<float>& dwpe, const BackwardOptions& options = {},
                      Stream stream = Stream::standard) {
    Grid<float> got_wte = dwte;
    Grid<float> got_wpe = dwpe;
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    expect_status(subject::embed_backward(dout, ids, got_wte, got_wpe, options, stream),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, options, stream));
    expect_identical("dwte", got_wte, want_wte);
    expect_identical("dwpe", got_wpe, want_wpe);
}

/// How far each element of dwte may be off: gamma(n) = n u / (1 - n u) of the absolute sum for n additions in
/// float (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2; u = 2^-24), and half a unit of
/// the reference's result. Its sum in double errs by less than a thousandth of that for n <= 2^16.
Grid<double> bound_of_tokens(const Cube<float>& dout, const Grid<TokenId>& ids, const Grid<float>& before) {
    Grid<double> sums(before.rows(), before.cols());
    Grid<double> terms(before.rows(), before.cols());
    terms.fill(0);
    for (std::size_t i = 0; i < before.cells().size(); ++i)
        sums.cells()[i] = std::abs(static_cast<double>(before.cells()[i]));
    for (std::size_t b = 0; b < ids.rows(); ++b)
        for (std::size_t t = 0; t < ids.cols(); ++t)
            for (std::size_t c = 0; c < before.cols(); ++c) {
                const auto row = static_cast<std::size_t>(ids(b, t));
                sums(row, c) += std::abs(static_cast<double>(dout(b, t, c)));
                ++terms(row, c);
            }
    constexpr double u = 0x1p-24;
    for (std::size_t i = 0; i < sums.cells().size(); ++i) {
        const double n = terms.cells()[i];
        sums.cells()[i] *= n * u / (1 - n * u) + 1.001 * u;
    }
    return sums;
}

/// Random gradients: dwte within its rounding, dwpe bit for bit.
void expect_within_rounding(const Cube<float>& dout, const Grid<TokenId>& ids, const Grid<float>& before_wte,
                            const Grid<float>& before_wpe, const BackwardOptions& options) {
    Grid<float> dwte = before_wte;
    Grid<float> dwpe = before_wpe;
    Grid<float> want_wte = before_wte;
    Grid<float> want_wpe = before_wpe;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options, Stream::standard),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, options, Stream::standard));
    expect_within("dwte", dwte, want_wte, bound_of_tokens(dout, ids, before_wte));
    expect_identical("dwpe", dwpe, want_wpe);
}

/// Four tokens and five positions refuse the call with exactly this status, and keep what they hold.
void expect_refused(const Cube<float>& dout, const Grid<TokenId>& ids, const BackwardOptions& options,
                    Status status, std::size_t token_columns = 3, std::size_t position_columns = 3) {
    const Grid<float> before_wte = counted(4, token_columns, 100);
    const Grid<float> before_wpe = counted(5, position_columns, 200);
    Grid<float> dwte = before_wte;
    Grid<float> dwpe = before_wpe;
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, options, Stream::standard), status);
    expect_identical("dwte", dwte, before_wte);
    expect_identical("dwpe", dwpe, before_wpe);
}

Status invalid_padding(std::int64_t padding_idx) {
    return {Code::invalid_argument, 0, padding_idx, 4};
}

/// embed_backward under all circumstances that every call must survive. These sums are exact in any order.
auto adverse_backward() {
    const Contents gradients{fractions(), {{"NaN payloads and infinities", nan_and_infinity()}}};
    const auto options = value<BackwardOptions>(
        "options",
        [](const Extents& size, Random&) {
            return Named<BackwardOptions>{"start = " + std::to_string(size["start"]),
                                          {.start = size["start"]}};
        },
        [](const Extents& size) { return starts_and_paddings<BackwardOptions>(size); },
        {{"start", [](const BackwardOptions& each) { return static_cast<double>(each.start); }},
         {"padding_idx", [](const BackwardOptions& each) { return static_cast<double>(each.padding_idx); }}});
    return Adverse("embed_backward", subject::embed_backward, &reference::embed_backward, sequence_extents(),
                   tensor_in("dout", "B", "T", "C", gradients, Checked::all),
                   device_id_matrix("ids", "B", "T", "V"),
                   matrix_sum("dwte", "V", "C", gradients, Checked::cols),
                   matrix_sum("dwpe", all_positions(), "C", gradients, Checked::limit_and_cols), options,
                   stream("stream"))
        .rule("dwte", {.kind = Rule::Kind::values})
        .rule("dwpe", {.kind = Rule::Kind::values})
        .unordered("dwte")
        .exact("dwte",
               [](const auto&, const Ids2D& ids, const auto& dwte, const auto&, const BackwardOptions& given,
                  Stream) {
                   std::set<std::size_t> summed;
                   for (std::size_t b = 0; b < ids.rows; ++b)
                       for (std::size_t t = 0; t < ids.cols; ++t)
                           if (ids(b, t) != given.padding_idx)
                               summed.insert(static_cast<std::size_t>(ids(b, t)));
                   return [summed, C = dwte.cols](std::size_t i) { return !summed.contains(i / C); };
               })
        .exact("dwpe", [](const auto&, const Ids2D& ids, const auto&, const auto& dwpe,
                          const BackwardOptions& given, Stream) {
            return [B = ids.rows, T = ids.cols, start = given.start, C = dwpe.cols](std::size_t i) {
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
    expect_status(subject::embed_backward(dout, Grid<TokenId>(2, 3, {2, 0, 2, 1, 2, 0}), dwte, dwpe, {},
                                          Stream::standard),
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
    // All gradients are 1, so each row counts how often its token occurs.
    const auto expect_counts = [](const Grid<TokenId>& ids, const Grid<float>& want) {
        Cube<float> ones(ids.rows(), ids.cols(), want.cols());
        ones.fill(1.0F);
        Grid<float> dwte = filled(want.rows(), want.cols(), 0);
        Grid<float> dwpe = filled(ids.cols(), want.cols(), 0);
        expect_status(subject::embed_backward(ones, ids, dwte, dwpe, {}, Stream::standard), Status{});
        expect_identical("dwte", dwte, want);
    };
    expect_counts(Grid<TokenId>(1, 3, {0, 2, 0}), Grid<float>(4, 1, {2.0F, 0.0F, 1.0F, 0.0F}));
    expect_counts(Grid<TokenId>(2, 2, {3, 3, 3, 3}), Grid<float>(4, 1, {0.0F, 0.0F, 0.0F, 4.0F}));
    Grid<TokenId> many(3, 110);
    many.fill(1);
    many(0, 0) = many(2, 109) = 0;
    expect_counts(many, Grid<float>(3, 5, {2, 2, 2, 2, 2, 328, 328, 328, 328, 328, 0, 0, 0, 0, 0}));
}

TEST_CASE("positions are summed over the batch") {
    Grid<float> dwte = filled(6, 2, 0);
    Grid<float> dwpe = filled(4, 2, 0);
    const Cube<float> dout = numbered(3, 2, 2); // 1 2 | 3 4, 5 6 | 7 8, 9 10 | 11 12
    expect_status(subject::embed_backward(dout, Grid<TokenId>(3, 2, {0, 1, 2, 3, 4, 5}), dwte, dwpe, {},
                                          Stream::standard),
                  Status{});
    expect_identical("dwpe", dwpe, Grid<float>(4, 2, {15.0F, 18.0F, 21.0F, 24.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
    for (const std::size_t start : {1, 3, 4}) { // 4 + 3 = P: the window ends at the last position
        INFO("start = ", start);
        expect_gradients(numbered(2, 3, 2), Grid<TokenId>(2, 3, {0, 3, 1, 2, 2, 0}), filled(4, 2, 0),
                         filled(7, 2, 0), {.start = start});
    }
}

TEST_CASE("a second call adds to the first") {
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 2});
    const Cube<float> dout = numbered(2, 3, 4);
    Grid<float> dwte = counted(5, 4, 1000);
    Grid<float> dwpe = counted(6, 4, 2000);
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    for (int call = 0; call < 2; ++call) {
        expect_status(
            subject::embed_backward(dout, ids, dwte, dwpe, {.start = 2}, Stream::standard),
            reference::embed_backward(dout, ids, want_wte, want_wpe, {.start = 2}, Stream::standard));
        expect_identical("dwte", dwte, want_wte);
        expect_identical("dwpe", dwpe, want_wpe);
    }
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

TEST_CASE("the padding token gets no gradient") {
    const Cube<float> dout = numbered(2, 3, 2);
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 0});
    for (const std::int64_t padding : {0, 1, 3}) {
        INFO("padding_idx = ", padding);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = padding});
    }
    for (const std::int64_t none :
         {std::int64_t{-1}, std::int64_t{-3}, std::numeric_limits<std::int64_t>::min()}) {
        INFO("padding_idx = ", none);
        expect_gradients(dout, ids, counted(4, 2, 10), counted(3, 2, 20), {.padding_idx = none});
    }
    Grid<TokenId> pads(1, 400); // all of them but one
    pads.fill(2);
    pads(0, 130) = 1;
    expect_gradients(numbered(1, 400, 2), pads, filled(4, 2, -0.0F), filled(400, 2, 0), {.padding_idx = 2});
}

TEST_CASE("an id outside the vocabulary adds nothing") {
    constexpr auto largest = std::numeric_limits<TokenId>::max();
    constexpr auto smallest = std::numeric_limits<TokenId>::min();
    expect_gradients(numbered(2, 4, 3), Grid<TokenId>(2, 4, {1, 4, -1, 3, largest, 0, smallest, 5}),
                     counted(4, 3, 10), counted(4, 3, 20));
    // Both gradients in one room, dwpe to the right of dwte and a row longer: row V of dwte is somebody
    // else's.
    Grid<float> room = counted(5, 6, 10);
    Grid<float> want = room;
    const auto left = [](Grid<float>& grid) { return Matrix<float>(grid.cells().data(), 4, 3, 6); };
    const auto right = [](Grid<float>& grid) { return Matrix<float>(grid.cells().data() + 3, 5, 3, 6); };
    const Grid<TokenId> outside(1, 2, {4, -1});
    expect_status(
        subject::embed_backward(numbered(1, 2, 3), outside, left(room), right(room), {}, Stream::standard),
        reference::embed_backward(numbered(1, 2, 3), outside, left(want), right(want), {}, Stream::standard));
    expect_identical("both gradients and what lies behind", room.cells(), want.cells());
    // -1 is no token, neither as an id nor as a padding_idx.
    expect_gradients(numbered(1, 3, 2), Grid<TokenId>(1, 3, {-1, 0, -4}), counted(4, 2, 10),
                     counted(3, 2, 20), {.padding_idx = 0});
}

TEST_CASE("random shapes agree with the reference") {
    for_random_sizes(12, {{"V", 1, 12}, {"C", 1, 33}, {"B", 1, 5}, {"T", 1, 9}, {"S", 0, 4}, {"E", 0, 4}},
                     [](const Sizes& size, Random& random) {
                         // S tokens came before, E more would fit behind.
                         const auto dout = spread_cube(random, size["B"], size["T"], size["C"]);
                         const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
                         const auto dwte = random_grid<float>(random, size["V"], size["C"]);
                         const auto dwpe =
                             random_grid<float>(random, size["S"] + size["T"] + size["E"], size["C"]);
                         expect_within_rounding(dout, ids, dwte, dwpe, {.start = size["S"]});
                     });
    // Batches that are cut into pieces, and put together from them in another order.
    Random random = harness::random();
    for (const std::size_t B : {33, 70, 130, 259, 1'030}) {
        INFO("B = ", B);
        expect_within_rounding(random_cube<float>(random, B, 3, 5), random_id_grid(random, B, 3, 9),
                               random_grid<float>(random, 9, 5), random_grid<float>(random, 3, 5), {});
    }
}

TEST_CASE("sizes that fill no block are summed whole") {
    for (const std::size_t C : {1, 2, 3, 5, 7, 8, 9, 31, 33, 100, 770, 1100}) {
        INFO("C = ", C);
        expect_gradients(small_numbers(2, 3, C), Grid<TokenId>(2, 3, {3, 0, 1, 0, 2, 2}), counted(4, C, 5),
                         counted(5, C, 9), {.start = 1});
    }
    for (const std::size_t T : {1, 31, 33, 257})
        expect_gradients(small_numbers(2, T, 5), striding_ids(2, T, 11), counted(11, 5, 1), counted(T, 5, 1));
}

TEST_CASE("rows may begin at any multiple of four bytes") {
    constexpr std::size_t B = 2, T = 3, C = 16, V = 5;
    const auto ids = striding_ids(B, T, V);
    const auto dense = numbered(B, T, C);
    Grid<float> want_wte = filled(V, C, 0);
    Grid<float> want_wpe = filled(T, C, 0);
    reference::embed_backward(dense, ids, want_wte, want_wpe, {}, Stream::standard);
    for (const std::size_t shift : {1, 2, 3}) {
        Grid<float> shifted(1, B * T * C + shift);
        std::ranges::copy(dense.cells(), shifted.cells().begin() + static_cast<std::ptrdiff_t>(shift));
        Grid<float> token_room = filled(1, V * C + 3, 0);
        Grid<float> position_room = filled(1, T * C + 3, 0);
        const Tensor3<const float> dout(shifted.cells().data() + shift, B, T, C);
        const Matrix<float> dwte(token_room.cells().data() + 4 - shift, V, C);
        const Matrix<float> dwpe(position_room.cells().data() + shift % 3, T, C);
        expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {}, Stream::standard), Status{});
        expect_identical("dwte", dwte, want_wte);
        expect_identical("dwpe", dwpe, want_wpe);
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
    Grid<float> dwte = widened(counted(4, 9, 10), 12);
    Grid<float> dwpe = widened(counted(6, 9, 30), 16);
    Grid<float> want_wte = dwte;
    Grid<float> want_wpe = dwpe;
    const Cube<float> dout = numbered(2, 3, 9);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {.start = 1}, Stream::standard),
                  reference::embed_backward(dout, ids, want_wte, want_wpe, {.start = 1}, Stream::standard));
    expect_identical("dwte with its padding", dwte.cells(), want_wte.cells());
    expect_identical("dwpe with its padding", dwpe.cells(), want_wpe.cells());
}

TEST_CASE("nothing to add launches nothing") {
    const Grid<float> dwte = filled(4, 3, -0.0F); // -0 + 0 would be +0
    const Grid<float> dwpe = filled(5, 3, -0.0F);
    expect_gradients(Cube<float>(0, 2, 3), Grid<TokenId>(0, 2), dwte, dwpe);
    expect_gradients(Cube<float>(2, 0, 3), Grid<TokenId>(2, 0), dwte, dwpe, {.start = 5});
    expect_gradients(Cube<float>(2, 2, 0), striding_ids(2, 2, 4), Grid<float>(4, 0), Grid<float>(5, 0));
}

TEST_CASE("sizes that do not fit are refused") {
    const Status mismatch{Code::shape_mismatch};
    const auto ids = striding_ids(2, 3, 4);
    expect_refused(numbered(1, 3, 3), ids, {}, mismatch);
    expect_refused(numbered(3, 3, 3), ids, {}, mismatch);
    expect_refused(numbered(2, 2, 3), ids, {}, mismatch);
    expect_refused(numbered(2, 4, 3), ids, {}, mismatch);
    expect_refused(numbered(2, 3, 3), ids, {}, mismatch, 4);
    expect_refused(numbered(2, 3, 3), ids, {}, mismatch, 2);
    expect_refused(numbered(2, 3, 3), ids, {}, mismatch, 3, 4);
    expect_refused(numbered(2, 3, 3), ids, {}, mismatch, 3, 2);
    expect_refused(numbered(2, 3, 3), ids, {.padding_idx = 4}, invalid_padding(4));
    expect_refused(numbered(2, 3, 3), ids, {.start = 3}, Status::position_out_of_range(2, 5, 5));
    expect_refused(numbered(2, 3, 3), ids, {.start = 7}, Status::position_out_of_range(0, 7, 5));
}

TEST_CASE("the work goes to the caller's stream") {
    expect_gradients(small_numbers(3, 9, 17), striding_ids(3, 9, 11), counted(11, 17, 1), counted(12, 17, 1),
                     {.start = 2}, Stream::own);
}

TEST_CASE("a warp moves whole sectors") {
    constexpr std::size_t B = 6, T = 8, C = 256;
    // dout and the ids are read once, and each element of a touched row is written once.
    minimum_traffic((2 * B * T * C + T * C) * sizeof(float) + B * T * sizeof(TokenId));
    expect_gradients(small_numbers(B, T, C), striding_ids(B, T, 64), counted(64, C, 1), counted(T, C, 1));
}

TEST_CASE("eight thousand equal ids give exactly eight thousand") {
    constexpr std::size_t B = 8, T = 1024;
    Cube<float> ones(B, T, 2);
    ones.fill(1.0F);
    Grid<TokenId> ids(B, T);
    ids.fill(1);
    Grid<float> dwte = filled(3, 2, 0);
    Grid<float> dwpe = filled(T, 2, 0);
    expect_status(subject::embed_backward(ones, ids, dwte, dwpe, {}, Stream::own), Status{});
    expect_identical("dwte", dwte, Grid<float>(3, 2, {0.0F, 0.0F, 8192.0F, 8192.0F, 0.0F, 0.0F}));
    expect_identical("dwpe", dwpe, filled(T, 2, 8.0F));
}

TEST_CASE("frequent tokens stay within their rounding") {
    // Zipf: token v occurs with a probability proportional to 1 / (v + 1).
    constexpr std::size_t B = 4, T = 512, C = 3, V = 40;
    Random random = harness::random();
    double whole = 0;
    for (std::size_t v = 0; v < V; ++v)
        whole += 1.0 / static_cast<double>(v + 1);
    Grid<TokenId> ids(B, T);
    for (TokenId& id : ids.cells()) {
        double left = random.uniform(0, whole);
        for (id = 0; id + 1 < static_cast<TokenId>(V) && left > 1.0 / (id + 1); ++id)
            left -= 1.0 / (id + 1);
    }
    expect_within_rounding(random_cube<float>(random, B, T, C), ids, random_grid<float>(random, V, C),
                           random_grid<float>(random, T, C), {});
}

TEST_CASE("gradients of more than two billion elements") {
    // Row 4 begins 2^31 elements behind row 0, and row 8 begins 2^32. Both gradients share one room, columns
    // apart; only what is written exists in memory.
    constexpr std::size_t rows = 9, C = 8, stride = std::size_t{1} << 29;
    SparseGrid<float> room(rows, stride);
    const Matrix<float> dwte(room.row(0).data(), rows, C, stride);
    const Matrix<float> dwpe(room.row(0).data() + 4096, rows, C, stride);
    const Grid<TokenId> ids(2, 3, {8, 4, 0, 3, 8, 5});
    const Cube<float> dout = numbered(2, 3, C);
    expect_status(subject::embed_backward(dout, ids, dwte, dwpe, {.start = 6}, Stream::standard), Status{});
    Grid<float> want_wte = filled(rows, C, 0);
    Grid<float> want_wpe = filled(rows, C, 0);
    reference::embed_backward(dout, ids, want_wte, want_wpe, {.start = 6}, Stream::standard);
    expect_identical("dwte", dwte, want_wte);
    expect_identical("dwpe", dwpe, want_wpe);
}

TEST_CASE("seventy thousand tokens") {
    // Sums that round, of so long a batch: made in one go, and added once.
    Random random = constructed();
    Grid<TokenId> unknown(140'003, 1);
    unknown.fill(-1);
    expect_gradients(random_cube<float>(random, 140'003, 1, 1), unknown, counted(2, 1, 1), counted(1, 1, 1));
    expect_gradients(small_numbers(1, 70'001, 1), striding_ids(1, 70'001, 50), counted(50, 1, 1),
                     counted(70'001, 1, 1));
    expect_gradients(small_numbers(70'001, 1, 1), striding_ids(70'001, 1, 50), counted(50, 1, 1),
                     counted(1, 1, 1));
    // Each warp of a grid of usual size has more than one row, and no row fills its last round.
    const std::size_t rows = by_depth<std::size_t>(10'001, 40'001);
    expect_gradients(small_numbers(1, rows, 33), striding_ids(1, rows, 50), counted(50, 33, 1),
                     counted(rows, 33, 1));
}

TEST_CASE("what does not fit is refused in the order of the contract") {
    constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
    const auto ids = striding_ids(2, 3, 4);
    const auto dout = numbered(2, 3, 3);
    expect_refused(numbered(2, 2, 3), ids, {.start = 9, .padding_idx = 9}, Status{Code::shape_mismatch});
    expect_refused(dout, ids, {.start = 9, .padding_idx = 9}, invalid_padding(9));
    expect_refused(dout, ids, {.start = huge - 1}, Status::position_out_of_range(0, -2, 5));
    expect_refused(Cube<float>(2, 0, 3), Grid<TokenId>(2, 0), {.start = 6},
                   Status::position_out_of_range(0, 6, 5));
    expect_refused(Cube<float>(0, 6, 3), Grid<TokenId>(0, 6), {}, Status::position_out_of_range(5, 5, 5));
    expect_refused(Cube<float>(0, 3, 3), Grid<TokenId>(0, 3), {.padding_idx = 4}, invalid_padding(4));
}

TEST_CASE("gradients at every boundary of their sizes") {
    adverse_backward().sizes();
}

TEST_CASE("gradients where rows lie apart") {
    adverse_backward().gaps();
}

TEST_CASE("gradients with empty axes") {
    adverse_backward().empty_axes();
}

TEST_CASE("gradients with special ids, options and bits") {
    // Below the normal numbers: no atomicAdd makes the sums of positions, so nothing is taken for 0 there.
    Cube<float> tiny = numbered(3, 5, 4);
    for (float& value : tiny.cells())
        value *= 0x1p-149F;
    Grid<TokenId> unknown(3, 5);
    unknown.fill(-1);
    expect_gradients(tiny, unknown, filled(2, 4, 0), filled(5, 4, 0));
    adverse_backward().special_cases();
}

TEST_CASE("gradients after other calls") {
    adverse_backward().history();
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_backward().far("V", Visits::few_rows);
}

namespace {

/// The gradients of GPT-2's tables. Each row that occurs is read and written once.
void time_backward(
    const std::function<Grid<TokenId>(Random&, std::size_t B, std::size_t T, std::size_t V)>& draw) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(32, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto dout = small_numbers(B, T, C);
    const auto dwte = counted(V, C, 1), dwpe = counted(T, C, 1);
    time_calls("embed_backward", [&] {
        const auto ids = draw(random, B, T, V);
        expect_gradients(dout, ids, dwte, dwpe, {}, Stream::own);
        return B * T * (sizeof(TokenId) + C * sizeof(float)) +
               2 * (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

} // namespace

TEST_CASE("backward, 32 sequences of GPT-2" * timed) {
    time_backward([](Random& random, std::size_t B, std::size_t T, std::size_t V) {
        return random_id_grid(random, B, T, V);
    });
}

TEST_CASE("backward, where all ids are equal" * timed) {
    time_backward([](Random& random, std::size_t B, std::size_t T, std::size_t V) {
        Grid<TokenId> ids(B, T);
        ids.fill(static_cast<TokenId>(random.bits() % V));
        return ids;
    });
}
