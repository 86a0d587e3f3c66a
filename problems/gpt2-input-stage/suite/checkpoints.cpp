#include "fixtures.h"

using namespace suite;

namespace {

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

TEST_CASE("saving beyond element 2^32" * large) {
    adverse_save().far();
}

TEST_CASE("loading beyond element 2^32" * large) {
    adverse_load().far();
}
