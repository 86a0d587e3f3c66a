#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/embedding.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
using namespace contract;
using namespace harness;

namespace {

/// Four tokens of three channels, the table of the statement: token v is v + (0, 1/4, 1/2).
Grid<float> tokens() {
    return Grid<float>(4, 3,
                       {0.0F, 0.25F, 0.5F, //
                        1.0F, 1.25F, 1.5F, //
                        2.0F, 2.25F, 2.5F, //
                        3.0F, 3.25F, 3.5F});
}

/// Five positions of three channels, the table of the statement: position p is 10 p + (1, 2, 3).
Grid<float> positions() {
    return Grid<float>(5, 3,
                       {1.0F, 2.0F, 3.0F,    //
                        11.0F, 12.0F, 13.0F, //
                        21.0F, 22.0F, 23.0F, //
                        31.0F, 32.0F, 33.0F, //
                        41.0F, 42.0F, 43.0F});
}

/// Element (r, c) is offset + r * cols + c + 1: every number occurs once, and none is zero.
Grid<float> numbered(std::size_t rows, std::size_t cols, float offset = 0) {
    Grid<float> table(rows, cols);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
            table(r, c) = offset + static_cast<float>(r * cols + c + 1);
    return table;
}

/// Copies a dense table into one whose rows lie `stride` elements apart, with `padding` between them.
template <class T>
Grid<T> padded(const Grid<T>& dense, std::size_t stride, T padding) {
    Grid<T> wide(dense.rows(), dense.cols(), stride);
    std::ranges::fill(wide.cells(), padding);
    for (std::size_t r = 0; r < dense.rows(); ++r)
        std::ranges::copy(dense.row(r), wide.row(r).begin());
    return wide;
}

/// Sums with the submission and holds every bit against the reference.
void expect_sum(const Grid<float>& wte, const Grid<float>& wpe, const Grid<TokenId>& ids, std::size_t start) {
    Cube<float> out(ids.rows(), ids.cols(), wte.cols());
    Cube<float> want(ids.rows(), ids.cols(), wte.cols());
    expect_status(subject::embed(wte, wpe, ids, start, out), reference::embed(wte, wpe, ids, start, want));
    expect_identical("out", out, want);
}

/// Four tokens and five positions refuse `ids` at `start` with exactly this status, and write nothing.
void expect_refused(const Grid<TokenId>& ids, std::size_t start, Status status) {
    Cube<float> out(ids.rows(), ids.cols(), 3);
    expect_status(subject::embed(tokens(), positions(), ids, start, out), status);
    expect_untouched("out", out);
}

/// A text obeys Zipf's law: the k-th most frequent of V tokens comes up about 1 / (k ln V) of the time.
TokenId zipf_id(Random& random, std::size_t vocabulary) {
    const double rank = std::exp(random.uniform() * std::log(static_cast<double>(vocabulary)));
    return std::min(static_cast<TokenId>(rank), static_cast<TokenId>(vocabulary)) - 1;
}

/// embed under all circumstances that every call must survive.
auto adverse_embed() {
    const Contents summed = added();
    return Adverse("embed", subject::embed, &reference::embed, sequence_extents(),
                   matrix_in("wte", "V", "C", summed),
                   matrix_in("wpe", all_positions(), "C", summed, Checked::limit_and_cols),
                   id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
                   tensor_out("out", "B", "T", "C"))
        .rule("out",
              {.kind = Rule::Kind::any_nan}); // the payloads that are promised have a test of their own
}

} // namespace

TEST_CASE("each element is a token value plus a position value") {
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    Cube<float> out(2, 3, 3);
    expect_status(subject::embed(tokens(), positions(), ids, 0, out), Status{});
    expect_identical("out", out,
                     Cube<float>(2, 3, 3,
                                 {3.0F, 4.25F, 5.5F,    //
                                  11.0F, 12.25F, 13.5F, //
                                  23.0F, 24.25F, 25.5F, //

                                  2.0F, 3.25F, 4.5F,    //
                                  14.0F, 15.25F, 16.5F, //
                                  21.0F, 22.25F, 23.5F}));
}

TEST_CASE("start moves every position") {
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    Cube<float> out(2, 3, 3);
    expect_status(subject::embed(tokens(), positions(), ids, 2, out), Status{});
    expect_identical("out", out,
                     Cube<float>(2, 3, 3,
                                 {23.0F, 24.25F, 25.5F, //
                                  31.0F, 32.25F, 33.5F, //
                                  43.0F, 44.25F, 45.5F, //

                                  22.0F, 23.25F, 24.5F, //
                                  34.0F, 35.25F, 36.5F, //
                                  41.0F, 42.25F, 43.5F}));
}

TEST_CASE("one id differs by its position and not by its sequence") {
    const Grid<TokenId> ids(3, 4, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
    Cube<float> out(3, 4, 3);
    Cube<float> want(3, 4, 3);
    for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t t = 0; t < 4; ++t)
            for (std::size_t c = 0; c < 3; ++c)
                want(b, t, c) = tokens()(2, c) + positions()(t, c);
    expect_status(subject::embed(tokens(), positions(), ids, 0, out), Status{});
    expect_identical("out", out, want);
}

TEST_CASE("a zero token leaves the position bit for bit") {
    Grid<float> wte(2, 5);
    wte.fill(0.0F);
    const auto wpe = numbered(4, 5);
    Cube<float> out(2, 4, 5);
    expect_status(subject::embed(wte, wpe, Grid<TokenId>(2, 4, {0, 1, 0, 1, 1, 1, 0, 0}), 0, out), Status{});
    Cube<float> want(2, 4, 5);
    for (std::size_t b = 0; b < 2; ++b)
        std::ranges::copy(wpe.cells(), want.cells().begin() + b * 20);
    expect_identical("out", out, want);
}

TEST_CASE("random shapes agree with the reference") {
    // S tokens came before, E more would fit behind.
    for_random_sizes(
        24, {{"V", 1, 40}, {"C", 1, 33}, {"B", 1, 4}, {"T", 1, 9}, {"S", 1, 5}, {"E", 1, 4}},
        [](const Sizes& size, Random& random) {
            const auto wte = random_grid<float>(random, size["V"], size["C"]);
            const auto wpe = random_grid<float>(random, size["S"] + size["T"] + size["E"], size["C"]);
            expect_sum(wte, wpe, random_id_grid(random, size["B"], size["T"], size["V"]), size["S"]);
        });
}

TEST_CASE("rows of any width are summed whole") {
    for (const std::size_t C : {1, 3, 5, 7, 8, 9, 16, 31, 768}) {
        INFO("C = ", C);
        expect_sum(numbered(4, C), numbered(5, C, 0.5F), Grid<TokenId>(2, 3, {3, 0, 1, 0, 2, 2}), 1);
    }
}

TEST_CASE("the window may end at the last position") {
    expect_sum(tokens(), positions(), Grid<TokenId>(2, 2, {3, 1, 0, 2}), 3);
    expect_sum(tokens(), positions(), Grid<TokenId>(1, 5, {0, 1, 2, 3, 0}), 0);
    expect_sum(tokens(), positions(), Grid<TokenId>(1, 1, {2}), 4);
    expect_sum(numbered(1, 3), numbered(1, 3, 70), Grid<TokenId>(2, 1, {0, 0}), 0); // one token, one position
}

TEST_CASE("one position too many is refused") {
    expect_refused(Grid<TokenId>(1, 3, {0, 1, 2}), 3, Status{Code::position_out_of_range, 2, 5, 5});
    expect_refused(Grid<TokenId>(2, 6, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}), 0,
                   Status{Code::position_out_of_range, 5, 5, 5});
    expect_refused(Grid<TokenId>(2, 1, {0, 1}), 5, Status{Code::position_out_of_range, 0, 5, 5});
    expect_refused(Grid<TokenId>(1, 2, {0, 1}), 7, Status{Code::position_out_of_range, 0, 7, 5});
}

TEST_CASE("a bad id anywhere in the batch is refused") {
    const auto expect_reported = [](const Grid<TokenId>& ids, std::size_t where, TokenId id) {
        Cube<float> out(2, 3, 3);
        expect_status(subject::embed(tokens(), positions(), ids, 0, out),
                      Status{Code::id_out_of_range, where, id, 4});
    };
    expect_reported(Grid<TokenId>(2, 3, {-1, 0, 1, 2, 3, 0}), 0, -1);
    expect_reported(Grid<TokenId>(2, 3, {0, 1, 4, 2, 3, 0}), 2, 4);
    expect_reported(Grid<TokenId>(2, 3, {0, 1, 2, 5, 3, 0}), 3, 5);
    expect_reported(Grid<TokenId>(2, 3, {0, 1, 2, 3, 0, -4}), 5, -4);
}

TEST_CASE("the first bad id in reading order is reported") {
    const auto expect_reported = [](const Grid<TokenId>& ids, std::size_t where, TokenId id) {
        Cube<float> out(ids.rows(), ids.cols(), 3);
        expect_status(subject::embed(tokens(), positions(), ids, 1, out),
                      Status{Code::id_out_of_range, where, id, 4});
    };
    expect_reported(Grid<TokenId>(2, 3, {0, 1, 9, -1, 8, 0}), 2, 9); // not the smaller t of sequence 1
    expect_reported(Grid<TokenId>(3, 2, {0, 1, 2, 6, -1, 7}), 3, 6); // nor the last
}

TEST_CASE("a refused call writes nothing") {
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, 3, 0, 4}), 0, Status{Code::id_out_of_range, 5, 4, 4});
    expect_refused(Grid<TokenId>(1, 3, {0, -1, 2}), 1, Status{Code::id_out_of_range, 1, -1, 4});
    expect_refused(Grid<TokenId>(2, 3, {0, 1, 2, 3, 0, 1}), 3, Status{Code::position_out_of_range, 2, 5, 5});
}

TEST_CASE("an empty batch or sequence succeeds") {
    Cube<float> no_batch(0, 3, 3);
    expect_status(subject::embed(tokens(), positions(), Grid<TokenId>(0, 3), 0, no_batch), Status{});
    Cube<float> no_time(2, 0, 3);
    expect_status(subject::embed(tokens(), positions(), Grid<TokenId>(2, 0), 0, no_time), Status{});
    expect_status(subject::embed(tokens(), positions(), Grid<TokenId>(2, 0), 5, no_time), Status{});
    expect_status(subject::embed(tokens(), positions(), Grid<TokenId>(2, 0), 6, no_time),
                  Status{Code::position_out_of_range, 0, 6, 5});
}

TEST_CASE("padding between rows is skipped") {
    const auto wte = padded(tokens(), 5, 900.0F);
    const auto wpe = padded(positions(), 4, 7000.0F);
    const auto ids = padded(Grid<TokenId>(2, 3, {2, 0, 2, 1, 3, 0}), 7, TokenId{3});
    Cube<float> out(2, 3, 3);
    Cube<float> want(2, 3, 3);
    expect_status(subject::embed(wte, wpe, ids, 1, out), reference::embed(wte, wpe, ids, 1, want));
    expect_identical("out", out, want);
}

TEST_CASE("a sequence fed in two pieces gives the same rows") {
    const auto wte = numbered(6, 4);
    const auto wpe = numbered(8, 4, 0.5F);
    const Grid<TokenId> whole(2, 7, {5, 1, 4, 0, 2, 3, 1, 0, 0, 3, 5, 5, 2, 4});
    Cube<float> joined(2, 7, 4);
    std::size_t start = 0;
    for (const std::size_t length : {3, 4}) {
        Grid<TokenId> piece(2, length);
        Cube<float> rows(2, length, 4);
        for (std::size_t b = 0; b < 2; ++b)
            std::ranges::copy(whole.row(b).subspan(start, length), piece.row(b).begin());
        expect_status(subject::embed(wte, wpe, piece, start, rows), Status{});
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t t = 0; t < length; ++t)
                for (std::size_t c = 0; c < 4; ++c)
                    joined(b, start + t, c) = rows(b, t, c);
        start += length;
    }

    Cube<float> at_once(2, 7, 4);
    Cube<float> want(2, 7, 4);
    expect_status(subject::embed(wte, wpe, whole, 0, at_once), reference::embed(wte, wpe, whole, 0, want));
    expect_identical("out, fed at once", at_once, want);
    expect_identical("out, fed in pieces of 3 and 4", joined, want);
}

TEST_CASE("special values add as floats do") {
    // token bits, position bits, bits of the sum. Inf - Inf is left out: the sign of its NaN is not the same
    // everywhere.
    constexpr std::uint32_t sums[12][3] = {
        {0x7fc12345, 0x3f800000, 0x7fc12345}, // the payload of a NaN survives on either side
        {0x3f800000, 0x7fc54321, 0x7fc54321}, //
        {0x7f800000, 0xbf800000, 0x7f800000}, // Inf - 1 = Inf
        {0xff800000, 0xff800000, 0xff800000}, // -Inf - Inf = -Inf
        {0x80000000, 0x80000000, 0x80000000}, // -0 + -0 = -0
        {0x80000000, 0x00000000, 0x00000000}, // -0 + +0 = +0
        {0x00000001, 0x00000001, 0x00000002}, // the smallest denormal, doubled
        {0x00800000, 0x80000001, 0x007fffff}, // from the normal numbers down into the denormals
        {0x7f7fffff, 0x7f7fffff, 0x7f800000}, // overflow
        {0x3f800000, 0x33800000, 0x3f800000}, // 1 + 2^-24 lies halfway and rounds to even: 1
        {0x3f800001, 0x33800000, 0x3f800002}, // so does this one, upwards
        {0x4b800000, 0x3f800000, 0x4b800000}, // 2^24 + 1 = 2^24
    };
    Grid<float> wte(1, 12);
    Grid<float> wpe(1, 12);
    Cube<float> out(1, 1, 12);
    Cube<float> want(1, 1, 12);
    for (std::size_t c = 0; c < 12; ++c) {
        wte(0, c) = std::bit_cast<float>(sums[c][0]);
        wpe(0, c) = std::bit_cast<float>(sums[c][1]);
        want(0, 0, c) = std::bit_cast<float>(sums[c][2]);
    }
    expect_status(subject::embed(wte, wpe, Grid<TokenId>(1, 1, {0}), 0, out), Status{});
    expect_identical("out", out, want);
}

TEST_CASE("numbers at the end of their range are refused") {
    constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
    const Grid<TokenId> one(1, 1, {2});
    const Grid<TokenId> three(1, 3, {2, 0, 1});
    expect_refused(one, largest, Status{Code::position_out_of_range, 0, -1, 5});
    expect_refused(three, largest - 1, Status{Code::position_out_of_range, 0, -2, 5}); // start + T would be 1
    expect_refused(three, largest - 2, Status{Code::position_out_of_range, 0, -3, 5}); // start + T would be 0
    expect_refused(one, std::size_t{1} << 32,
                   Status{Code::position_out_of_range, 0, std::int64_t{1} << 32, 5});
    for (const TokenId id : {std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min()})
        expect_refused(Grid<TokenId>(1, 1, {id}), 0, Status{Code::id_out_of_range, 0, id, 4});
}

TEST_CASE("sizes that do not fit are refused") {
    const auto expect_mismatch = [](const Grid<float>& wpe, const Grid<TokenId>& ids, std::size_t B,
                                    std::size_t T, std::size_t C) {
        Cube<float> out(B, T, C);
        expect_status(subject::embed(tokens(), wpe, ids, 0, out), Status{Code::shape_mismatch});
        expect_untouched("out", out);
    };
    const Grid<TokenId> ids(2, 3, {2, 0, 2, 1, 3, 0});
    expect_mismatch(positions(), ids, 3, 3, 3);
    expect_mismatch(positions(), ids, 2, 2, 3);
    expect_mismatch(positions(), ids, 3, 2, 3); // as many elements, other shape
    expect_mismatch(positions(), ids, 2, 3, 4);
    expect_mismatch(numbered(5, 4), ids, 2, 3, 3);
    expect_mismatch(numbered(2, 2), Grid<TokenId>(2, 3, {9, 0, 0, 0, 0, 0}), 2, 3,
                    3); // shapes come before the rest

    // and positions before ids
    expect_refused(Grid<TokenId>(1, 6, {1, 0, 0, 0, 0, 0}), 0, Status{Code::position_out_of_range, 5, 5, 5});
    expect_refused(Grid<TokenId>(1, 6, {9, 0, 0, 0, 0, 0}), 0, Status{Code::position_out_of_range, 5, 5, 5});
}

TEST_CASE("tables at odd addresses sum the same") {
    const auto wte = numbered(6, 16);
    const auto wpe = numbered(5, 16, 0.5F);
    Grid<float> shifted_wte(1, 6 * 16 + 1);
    Grid<float> shifted_wpe(1, 5 * 16 + 2);
    Grid<float> room(1, 2 * 4 * 16 + 3);
    std::ranges::copy(wte.cells(), shifted_wte.cells().begin() + 1);
    std::ranges::copy(wpe.cells(), shifted_wpe.cells().begin() + 2);

    const Grid<TokenId> ids(2, 4, {5, 0, 3, 3, 1, 4, 0, 2});
    const Matrix<const float> tokens_there(shifted_wte.cells().data() + 1, 6,
                                           16); // 4 bytes past a multiple of 16
    const Matrix<const float> positions_there(shifted_wpe.cells().data() + 2, 5, 16); // 8
    const Tensor3<float> out(room.cells().data() + 3, 2, 4, 16);                      // 12
    Cube<float> want(2, 4, 16);
    expect_status(subject::embed(tokens_there, positions_there, ids, 0, out),
                  reference::embed(wte, wpe, ids, 0, want));
    expect_identical("out", out, want);
}

TEST_CASE("a second call does not remember the first") {
    const Grid<TokenId> ids(2, 3, {3, 0, 1, 0, 2, 2});
    expect_sum(numbered(4, 5), numbered(6, 5, 0.5F), ids, 1);
    expect_sum(numbered(4, 5, 100), numbered(6, 5, 2000.5F), ids, 2);
    expect_sum(numbered(4, 5), numbered(6, 5, 0.5F), ids, 1);
}

TEST_CASE("a full context of 1024 positions") {
    constexpr std::size_t V = 50'257;
    constexpr std::size_t P = 1'024;
    Random stream = harness::random();
    Grid<TokenId> ids(2, P);
    for (TokenId& id : ids.cells())
        id = zipf_id(stream, V);
    ids(0, 0) = 0;
    ids(1, P - 1) = static_cast<TokenId>(V - 1);
    expect_sum(numbered(V, 8), numbered(P, 8, 0.5F), ids, 0);
}

TEST_CASE("the sum at every boundary of its sizes") {
    adverse_embed()
        .also({{{"V", 50'257}, {"C", 8}, {"B", 4}, {"T", 1'024}, {"start", 0}, {"P - start - T", 0}},
               {{"V", 131'073}, {"C", 2}, {"B", 1}, {"T", 9}, {"start", 0}, {"P - start - T", 0}},
               {{"V", 6}, {"C", 907}, {"B", 3}, {"T", 389}, {"start", 1}, {"P - start - T", 1}},
               {{"V", 60}, {"C", 71}, {"B", 3}, {"T", 20'011}, {"start", 0}, {"P - start - T", 0}},
               {{"V", 97}, {"C", 3}, {"B", 2'003}, {"T", 2}, {"start", 0}, {"P - start - T", 0}}})
        .sizes();
}

TEST_CASE("the sum where rows lie apart") {
    adverse_embed().gaps();
}

TEST_CASE("the sum with empty axes") {
    adverse_embed().empty_axes();
}

TEST_CASE("the sum with special ids, starts and bits") {
    adverse_embed().special_cases();
}

TEST_CASE("the sum after other calls") {
    adverse_embed().history();
}

TEST_CASE("the sum beyond element 2^32" * large) {
    adverse_embed().far("V", Visits::few_rows);
}
