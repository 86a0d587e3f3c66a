#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/adversity/device.h"
#include "harness/adversity/embedding.h"
#include "subject/proxies.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)
//
// The contract leaves no rounding open, so results are compared bit for bit; where a NaN may come out, any
// NaN is right, and a comparison by value with no tolerance says so.
using namespace contract;
using namespace harness;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
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

/// Ids below V, no two neighbours equal, and all different while there are enough.
Grid<TokenId> striding_ids(std::size_t B, std::size_t T, std::size_t V) {
    Grid<TokenId> ids(B, T);
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            ids(b, t) = static_cast<TokenId>(((b * T + t) * 7 + 3) % V);
    return ids;
}

/// What a call is made with; tables and ids are views, so that they may lie anywhere.
struct Input {
    Matrix<const float> wte;
    Matrix<const float> wpe;
    Matrix<const TokenId> ids;
    std::size_t start = 0;
    Dropout dropout = evaluation;
    Stream stream = Stream::standard;
};

void expect_embedded(const Input& in) {
    Cube<float> out(in.ids.rows, in.ids.cols, in.wte.cols), want(in.ids.rows, in.ids.cols, in.wte.cols);
    expect_status(subject::embed(in.wte, in.wpe, in.ids, in.start, in.dropout, out, in.stream),
                  reference::embed(in.wte, in.wpe, in.ids, in.start, in.dropout, want, in.stream));
    expect_identical("out", out, want);
}

void expect_embedded_bf16(const Input& in) {
    Cube<std::uint16_t> out(in.ids.rows, in.ids.cols, in.wte.cols);
    Cube<std::uint16_t> want(in.ids.rows, in.ids.cols, in.wte.cols);
    expect_status(subject::embed_bf16(in.wte, in.wpe, in.ids, in.start, in.dropout, out, in.stream),
                  reference::embed_bf16(in.wte, in.wpe, in.ids, in.start, in.dropout, want, in.stream));
    expect_identical("out as bfloat16", out, want);
}

const std::vector<SizeRange> random_sizes{
    {"V", 1, 40}, {"spare", 0, 3}, {"C", 1, 40}, {"B", 1, 4}, {"T", 1, 10}};

/// Random tables, ids and dropout of the drawn sizes, at every start that there is, in training and, every
/// other time, in evaluation.
void expect_random(const Sizes& size, Random& random, void (*expect)(const Input&)) {
    const auto wte = random_grid<float>(random, size["V"], size["C"]);
    const auto wpe = random_grid<float>(random, size["T"] + size["spare"], size["C"]);
    const auto ids = random_id_grid(random, size["B"], size["T"], size["V"]);
    const auto p = static_cast<float>(random.uniform());
    for (std::size_t start = 0; start <= size["spare"]; ++start)
        expect({wte, wpe, ids, start, {p, start % 2 == 0, random.bits(), random.bits()}});
}

/// Both functions refuse, and write nothing.
void expect_refused(const Input& in, std::size_t B, std::size_t T, std::size_t C, const Status& status) {
    Cube<float> out(B, T, C);
    expect_status(subject::embed(in.wte, in.wpe, in.ids, in.start, in.dropout, out, in.stream), status);
    expect_untouched("out", out);
    Cube<std::uint16_t> halves(B, T, C);
    expect_status(subject::embed_bf16(in.wte, in.wpe, in.ids, in.start, in.dropout, halves, in.stream),
                  status);
    expect_untouched("out as bfloat16", halves);
}

/// The values of bfloat16 bits, where only NaN or not is of interest.
std::vector<float> widened(const Cube<std::uint16_t>& halves) {
    std::vector<float> values;
    for (const std::uint16_t bits : halves.cells())
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
    return values;
}

/// A matrix whose first element lies `shift` elements behind a boundary of 16 bytes.
class ShiftedTable {
  public:
    ShiftedTable(const Grid<float>& from, std::size_t shift)
        : room_(1, from.cells().size() + shift),
          view_(room_.cells().data() + shift, from.rows(), from.cols()) {
        std::ranges::copy(from.cells(), room_.cells().begin() + static_cast<std::ptrdiff_t>(shift));
    }
    Matrix<const float> view() const { return view_; }

  private:
    Grid<float> room_;
    Matrix<const float> view_;
};

/// The bytes that a call cannot do without, all ids being different: each id, each token row, each position
/// row once, and what is written.
std::uint64_t least_bytes(std::size_t B, std::size_t T, std::size_t C, std::size_t bytes_of_an_output) {
    return B * T * sizeof(TokenId) + (B * T + T) * C * sizeof(float) + B * T * C * bytes_of_an_output;
}

/// One of the functions under all circumstances that every call must survive.
template <class T, class Function>
auto adverse_call(const char* name, const Function& function,
                  Status (*wanted)(Matrix<const float>, Matrix<const float>, Ids2D, std::size_t, Dropout,
                                   Tensor3<T>, Stream)) {
    const Contents summed = added();
    return Adverse(name, function, wanted, sequence_extents(), matrix_in("wte", "V", "C", summed),
                   matrix_in("wpe", all_positions(), "C", summed, Checked::limit_and_cols),
                   device_id_matrix("ids", "B", "T", "V"), start("start", "start", "T", all_positions()),
                   dropout_options<Dropout>("dropout"), tensor_out<T>("out", "B", "T", "C"), stream("stream"))
        .rule("out", {.kind = Rule::Kind::any_nan});
}
auto adverse_embed() {
    return adverse_call("embed", subject::embed, &reference::embed);
}
auto adverse_embed_bf16() {
    return adverse_call("embed_bf16", subject::embed_bf16, &reference::embed_bf16);
}

} // namespace

TEST_CASE("two tokens at their positions") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6});
    const Grid<float> wpe(3, 2, {10, 20, 30, 40, 50, 60});
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 0});
    Cube<float> out(2, 2, 2);
    expect_status(subject::embed(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
    expect_identical("out", out, Cube<float>(2, 2, 2, {11, 22, 33, 44, 15, 26, 31, 42}));
    Cube<float> later(2, 2, 2);
    expect_status(subject::embed(wte, wpe, ids, 1, evaluation, later, Stream::standard), Status{});
    expect_identical("out from position 1 on", later, Cube<float>(2, 2, 2, {31, 42, 53, 64, 35, 46, 51, 62}));
}

TEST_CASE("the mask is that of dropout") {
    // Survivors for seed 0 and p = 0.5, from index 0 on: 1 0 0 1 0 0 0 1 0 1 0 1
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6});
    const Grid<float> wpe(3, 2, {10, 20, 30, 40, 50, 60});
    const Grid<TokenId> ids(2, 2, {0, 1, 0, 1});
    Cube<float> out(2, 2, 2);
    expect_status(subject::embed(wte, wpe, ids, 0, training(0.5F, 0), out, Stream::standard), Status{});
    expect_identical("out", out, Cube<float>(2, 2, 2, {22, 0, 0, 88, 0, 0, 0, 88}));
    Cube<float> next(2, 2, 2);
    expect_status(subject::embed(wte, wpe, ids, 0, training(0.5F, 0, 3), next, Stream::standard), Status{});
    expect_identical("out with offset 3", next, Cube<float>(2, 2, 2, {22, 0, 0, 0, 22, 0, 66, 0}));
}

TEST_CASE("random shapes agree with the reference") {
    for_random_sizes(16, random_sizes,
                     [](const Sizes& size, Random& random) { expect_random(size, random, expect_embedded); });
}

TEST_CASE("rows of any width are whole") {
    for (const std::size_t C : {1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 33, 770, 1100}) {
        INFO("C = ", C);
        expect_embedded(
            {numbered(4, C), numbered(3, C, 5000), Grid<TokenId>(1, 3, {3, 0, 2}), 0, training(0.25F, 11)});
    }
}

TEST_CASE("rows may begin at any multiple of four bytes") {
    const auto wte = numbered(9, 16), wpe = numbered(5, 16, 1000);
    const Grid<TokenId> ids(1, 5, {8, 3, 0, 3, 5});
    Cube<float> want(1, 5, 16);
    reference::embed(wte, wpe, ids, 0, training(0.5F, 2), want, Stream::standard);
    struct Shift {
        std::size_t wte, wpe, out;
    };
    for (const auto& shift :
         {Shift{1, 0, 0}, Shift{0, 2, 0}, Shift{0, 0, 3}, Shift{1, 1, 1}, Shift{3, 2, 1}}) {
        const ShiftedTable tokens(wte, shift.wte), positions(wpe, shift.wpe);
        Grid<float> room(1, 5 * 16 + shift.out);
        const Tensor3<float> out(room.cells().data() + shift.out, 1, 5, 16);
        expect_status(
            subject::embed(tokens.view(), positions.view(), ids, 0, training(0.5F, 2), out, Stream::standard),
            Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("padding is stepped over") {
    Random random = harness::random();
    const auto wte = random_grid<float>(random, 6, 65, 68);
    const auto wpe = random_grid<float>(random, 7, 65, 66);
    Grid<TokenId> ids(3, 2, 4);
    std::ranges::fill(ids.cells(), 3);
    for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t t = 0; t < 2; ++t)
            ids(b, t) = static_cast<TokenId>((b * 2 + t * 5) % 6);
    expect_embedded({wte, wpe, ids, 4, training(0.3F, 1)});
    // Of these the float 1 - p is rounded, so that a factor made in double is another one.
    expect_embedded({wte, wpe, ids, 4, training(0.15F, 1)});
    expect_embedded({wte, wpe, ids, 4, training(0.48F, 1)});
}

TEST_CASE("evaluation adds and does no more") {
    Random random = harness::random();
    const auto wte = random_grid<float>(random, 5, 6), wpe = random_grid<float>(random, 4, 6);
    const Grid<TokenId> ids(2, 3, {4, 0, 1, 2, 3, 4});
    Cube<float> want(2, 3, 6);
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t t = 0; t < 3; ++t)
            for (std::size_t c = 0; c < 6; ++c)
                want(b, t, c) = wte(static_cast<std::size_t>(ids(b, t)), c) + wpe(t, c);
    for (const Dropout dropout :
         {Dropout{0.5F, false, 1, 2}, Dropout{1.0F, false, 1, 2}, training(0, 1, 2)}) {
        Cube<float> out(2, 3, 6);
        expect_status(subject::embed(wte, wpe, ids, 0, dropout, out, Stream::standard), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("what is dropped is zero whatever it was") {
    const Grid<float> wte(2, 4, {infinity, not_a_number, -3, -infinity, -1, -2, 5, -0.0F});
    const Grid<float> wpe(2, 4, {1, 1, 1, 1, -1, 0, 1, -0.0F});
    const Grid<TokenId> ids(1, 2, {0, 1});
    Cube<float> zeros(1, 2, 4), none(1, 2, 4);
    zeros.fill(0);
    expect_status(subject::embed(wte, wpe, ids, 0, training(1, 0), none, Stream::standard), Status{});
    expect_identical("out with p = 1", none, zeros);
    // Survivors: 1 0 0 1 0 0 0 1
    Cube<float> out(1, 2, 4);
    expect_status(subject::embed(wte, wpe, ids, 0, training(0.5F, 0), out, Stream::standard), Status{});
    expect_identical("out", out, Cube<float>(1, 2, 4, {infinity, 0, 0, -infinity, 0, 0, 0, -0.0F}));
    // A NaN whose lower half is all ones: adding to it to round it carries into the sign.
    const Grid<float> full(1, 1, {std::bit_cast<float>(0x7fffffffU)});
    Cube<std::uint16_t> halves(1, 1, 1);
    expect_status(subject::embed_bf16(full, Grid<float>(1, 1, {0}), Grid<TokenId>(1, 1, {0}), 0, evaluation,
                                      halves, Stream::standard),
                  Status{});
    expect_close("a nan that stays as bfloat16", widened(halves), std::vector<float>{not_a_number},
                 Tolerance{});
}

TEST_CASE("sixteen bits are rounded once and to nearest") {
    // bfloat16 steps by 2^-7 above 1. Halves of a step are ties: they go to the even neighbour.
    const Grid<float> wte(2, 6,
                          {1 + 0x1p-8F, 1 + 0x3p-8F, 1 + 0x1p-8F, -1 - 0x3p-8F, 1 + 0x1p-8F,
                           0x1.fffffep127F, //
                           1, 3, 0.5F, -2, 1.5F, 7});
    const Grid<float> wpe(2, 6,
                          {0, 0, 0x1p-8F, 0, 0x1p-20F, 0, //
                           0, 0, 0, 0, 0, 0});
    const Grid<TokenId> ids(1, 2, {0, 1});
    Cube<std::uint16_t> out(1, 2, 6);
    expect_status(subject::embed_bf16(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
    expect_identical("out as bfloat16", out,
                     Cube<std::uint16_t>(1, 2, 6,
                                         {0x3f80, 0x3f82, 0x3f81, 0xbf82, 0x3f81, 0x7f80, //
                                          0x3f80, 0x4040, 0x3f00, 0xc000, 0x3fc0, 0x40e0}));
}

TEST_CASE("an id outside the vocabulary becomes nan") {
    const Grid<float> wte(3, 2, {1, 2, 3, 4, 5, 6});
    const Grid<float> wpe(4, 2, {10, 20, 30, 40, 50, 60, 70, 80});
    const Grid<TokenId> ids(1, 4, {2, 3, -1, 0});
    const Cube<float> sums(1, 4, 2, {15, 26, not_a_number, not_a_number, not_a_number, not_a_number, 71, 82});
    Cube<float> out(1, 4, 2);
    expect_status(subject::embed(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
    expect_close("out", out, sums, Tolerance{});
    Cube<std::uint16_t> halves(1, 4, 2);
    expect_status(subject::embed_bf16(wte, wpe, ids, 0, evaluation, halves, Stream::standard), Status{});
    expect_close("out as bfloat16", widened(halves), sums.cells(), Tolerance{});
    // Survivors: 1 0 0 1 0 0 0 1
    Cube<float> dropped(1, 4, 2);
    const Grid<TokenId> far(1, 4,
                            {2, std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min(), 0});
    expect_status(subject::embed(wte, wpe, far, 0, training(0.5F, 0), dropped, Stream::standard), Status{});
    expect_close("out in training", dropped, Cube<float>(1, 4, 2, {30, 0, 0, not_a_number, 0, 0, 0, 164}),
                 Tolerance{});
}

TEST_CASE("shapes that do not fit are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3), wide = numbered(4, 4);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    const Status mismatch{Code::shape_mismatch};
    expect_refused({wte, wpe, ids}, 1, 2, 3, mismatch);
    expect_refused({wte, wpe, ids}, 2, 3, 3, mismatch);
    expect_refused({wte, wpe, ids}, 2, 2, 4, mismatch);
    expect_refused({wte, wpe, ids}, 4, 1, 3, mismatch);
    expect_refused({wte, wide, ids}, 2, 2, 3, mismatch);
    expect_refused({wte, wide, ids}, 2, 2, 4, mismatch);
    expect_refused({wte, wpe, ids, 9, training(2, 0)}, 2, 2, 2, mismatch);
}

TEST_CASE("positions that do not exist are refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    expect_embedded({wte, wpe, ids, 2});
    expect_refused({wte, wpe, ids, 3}, 2, 2, 3, Status::position_out_of_range(1, 4, 4));
    expect_refused({wte, wpe, ids, 5}, 2, 2, 3, Status::position_out_of_range(0, 5, 4));
    expect_refused({wte, wpe, ids, most}, 2, 2, 3, Status::position_out_of_range(0, -1, 4));
    expect_refused({wte, wpe, ids, 3, training(2, 0)}, 2, 2, 3, Status::position_out_of_range(1, 4, 4));
    const Grid<TokenId> empty(2, 0);
    expect_embedded({wte, wpe, empty, 4});
    expect_refused({wte, wpe, empty, 5}, 2, 0, 3, Status::position_out_of_range(0, 5, 4));
}

TEST_CASE("a probability outside zero and one is refused") {
    const auto wte = numbered(5, 3), wpe = numbered(4, 3);
    const Grid<TokenId> ids(2, 2, {0, 1, 2, 3});
    for (const float p : {-0.5F, 1.5F, -1e-30F, 1.0000001F, not_a_number, -not_a_number, infinity})
        for (const bool train : {true, false})
            expect_refused({wte, wpe, ids, 0, {p, train, 1, 2}}, 2, 2, 3, Status{Code::invalid_argument});
}

TEST_CASE("nothing to write launches nothing") {
    expect_embedded({numbered(5, 3), numbered(4, 3), Grid<TokenId>(0, 2)});
    expect_embedded({numbered(5, 3), numbered(4, 3), Grid<TokenId>(2, 0)});
    expect_embedded({Grid<float>(5, 0), Grid<float>(4, 0), Grid<TokenId>(1, 2, {4, 1})});
    expect_embedded_bf16({numbered(5, 3), numbered(4, 3), Grid<TokenId>(0, 0)});
}

TEST_CASE("the work goes to the caller's stream") {
    const auto wte = numbered(20, 17), wpe = numbered(15, 17, 400);
    const auto ids = striding_ids(2, 15, 20);
    expect_embedded({wte, wpe, ids, 0, training(0.1F, 4), Stream::own});
    expect_embedded_bf16({wte, wpe, ids, 0, training(0.1F, 4), Stream::own});
}

TEST_CASE("one pass moves whole sectors") {
    constexpr std::size_t T = 48, C = 256;
    minimum_traffic(least_bytes(1, T, C, sizeof(float)));
    expect_embedded({numbered(64, C), numbered(T, C), striding_ids(1, T, 64), 0, training(0.1F, 8)});
}

TEST_CASE("random shapes agree in sixteen bits") {
    for_random_sizes(16, random_sizes, [](const Sizes& size, Random& random) {
        expect_random(size, random, expect_embedded_bf16);
    });
    // Times the float 1 / 0.9F it lies above a tie between two numbers of sixteen bits, by 0.9F below.
    Grid<float> near_a_tie(1, 64), zero(1, 64);
    near_a_tie.fill(0x1.ce999ap-1F);
    zero.fill(0);
    expect_embedded_bf16({near_a_tie, zero, Grid<TokenId>(1, 1, {0}), 0, training(0.1F, 3)});
    // Elements of two bytes may begin at any of them.
    const auto wte = numbered(9, 16), wpe = numbered(5, 16, 1000);
    const Grid<TokenId> ids(1, 5, {8, 3, 0, 3, 5});
    Cube<std::uint16_t> want(1, 5, 16);
    reference::embed_bf16(wte, wpe, ids, 0, evaluation, want, Stream::standard);
    for (const std::size_t shift : {1, 2, 3}) {
        Grid<std::uint16_t> room(1, 5 * 16 + shift);
        const Tensor3<std::uint16_t> out(room.cells().data() + shift, 1, 5, 16);
        expect_status(subject::embed_bf16(wte, wpe, ids, 0, evaluation, out, Stream::standard), Status{});
        expect_identical("out", out, want);
    }
}

TEST_CASE("tables of more than two billion elements") {
    // 40,000 rows, 65,536 elements apart, of which 8 are in use: only what is written exists in memory.
    constexpr std::size_t rows = 40'000;
    constexpr std::size_t stride = 65'536;
    SparseGrid<float> room(rows, stride);
    const Grid<TokenId> ids(1, 5, {39'999, 32'767, 32'768, 0, 36'000});
    constexpr std::size_t start = 32'765;
    for (const TokenId id : ids.cells())
        for (std::size_t c = 0; c < 8; ++c)
            room.row(static_cast<std::size_t>(id))[c] = static_cast<float>(id) + static_cast<float>(c) / 8;
    for (std::size_t t = 0; t < 5; ++t)
        for (std::size_t c = 0; c < 8; ++c)
            room.row(start + t)[8 + c] = static_cast<float>(t) + static_cast<float>(c) / 4;
    const Matrix<const float> tokens(room.row(0).data(), rows, 8, stride);
    const Matrix<const float> positions(room.row(0).data() + 8, rows, 8, stride);
    expect_embedded({tokens, numbered(5, 8), ids});
    expect_embedded({numbered(6, 8), positions, Grid<TokenId>(1, 5, {5, 0, 3, 2, 4}), start});
    // The vocabulary may end before the memory does.
    const Matrix<const float> fewer(room.row(0).data(), rows - 1, 8, stride);
    Cube<float> out(1, 5, 8), want(1, 5, 8);
    expect_status(subject::embed(fewer, numbered(5, 8), ids, 0, evaluation, out, Stream::standard),
                  reference::embed(fewer, numbered(5, 8), ids, 0, evaluation, want, Stream::standard));
    expect_close("out where the last id is none", out, want, Tolerance{});
}

TEST_CASE("the counter goes beyond 32 bits and wraps beyond 64") {
    constexpr std::uint64_t four_billion = 0x1p32;
    for (const std::uint64_t offset :
         {four_billion - 20, four_billion, 5 * four_billion + 3, ~std::uint64_t{0} - 20, ~std::uint64_t{0}})
        expect_embedded({numbered(6, 9), numbered(4, 9), striding_ids(1, 4, 6), 0,
                         training(0.5F, 0x123456789abcdef0, offset)});
    expect_embedded(
        {numbered(6, 9), numbered(4, 9), striding_ids(1, 4, 6), 0, training(0.5F, ~std::uint64_t{0})});
}

TEST_CASE("the mask is exact at its edges") {
    // Element 0 survives if (n + 0.5) * 2^-52 >= p, for the n that the seed was made for.
    const auto expect_survival = [](std::uint64_t n, float p, bool survives) {
        for (const std::uint64_t low : {0x000, 0xfff, 0x5a5}) {
            Cube<float> out(1, 1, 1);
            expect_status(subject::embed(Grid<float>(1, 1, {1}), Grid<float>(1, 1, {1}),
                                         Grid<TokenId>(1, 1, {0}), 0,
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

TEST_CASE("seventy thousand tokens" * large) {
    expect_embedded({numbered(50, 1), numbered(1, 1), striding_ids(70'001, 1, 50), 0, training(0.1F, 6)});
    expect_embedded(
        {numbered(50, 1), numbered(70'001, 1), striding_ids(1, 70'001, 50), 0, training(0.1F, 6)});
}

TEST_CASE("a second call does not remember the first") {
    const auto wte = numbered(6, 5), other = numbered(6, 5, 300), wpe = numbered(4, 5);
    const Grid<TokenId> ids(1, 2, {1, 5}), more(2, 3, {0, 4, 2, 3, 3, 1});
    expect_embedded({wte, wpe, ids, 0, training(0.5F, 1)});
    expect_embedded({other, wpe, more, 1, training(0.5F, 1, 10), Stream::own});
    expect_embedded_bf16({wte, wpe, more, 0, training(0.25F, 2)});
    expect_embedded({wte, wpe, ids, 0, training(0.5F, 1)});
}

TEST_CASE("narrow rows in sixteen bits waste little") {
    constexpr std::size_t T = 96, C = 40;
    minimum_traffic(least_bytes(1, T, C, sizeof(std::uint16_t)));
    expect_embedded_bf16({numbered(100, C), numbered(T, C), striding_ids(1, T, 100), 0, training(0.1F, 9)});
}

TEST_CASE("embed at every boundary of its sizes") {
    adverse_embed().sizes();
}

TEST_CASE("embed where rows lie apart") {
    adverse_embed().gaps();
}

TEST_CASE("embed with empty axes") {
    adverse_embed().empty_axes();
}

TEST_CASE("embed with special ids, options and bits") {
    adverse_embed().special_cases();
}

TEST_CASE("embed after other calls") {
    adverse_embed().history();
}

TEST_CASE("embed beyond element 2^32" * large) {
    adverse_embed().far("V", Visits::few_rows);
}

TEST_CASE("sixteen bits in all sizes, apart and empty") {
    adverse_embed_bf16().sizes();
    adverse_embed_bf16().gaps();
    adverse_embed_bf16().empty_axes();
}

TEST_CASE("sixteen bits with special values and after other calls") {
    adverse_embed_bf16().special_cases();
    adverse_embed_bf16().history();
}

TEST_CASE("sixteen bits beyond element 2^32" * large) {
    adverse_embed_bf16().far("V", Visits::few_rows);
}

namespace {

/// Both functions at GPT-2's size, with the dropout that it was trained with.
void time_embedding(const char* function, void (*expect)(const Input&), std::size_t bytes_of_an_output) {
    const std::size_t V = at_scale(50'257, 1'000), C = at_scale(768, 256);
    const std::size_t B = at_scale(64, 2), T = at_scale(1'024, 48);
    Random random = harness::random();
    const auto wte = random_grid<float>(random, V, C), wpe = random_grid<float>(random, T, C);
    time_calls(function, [&] {
        const auto ids = random_id_grid(random, B, T, V);
        expect({wte, wpe, ids, 0, training(0.1F, random.bits()), Stream::own});
        return B * T * (sizeof(TokenId) + C * bytes_of_an_output) +
               (distinct(ids.cells()) + T) * C * sizeof(float);
    });
}

} // namespace

TEST_CASE("embed, 64 sequences of GPT-2" * timed) {
    time_embedding("embed", expect_embedded, sizeof(float));
}

TEST_CASE("embed_bf16, the same" * timed) {
    time_embedding("embed_bf16", expect_embedded_bf16, sizeof(std::uint16_t));
}
