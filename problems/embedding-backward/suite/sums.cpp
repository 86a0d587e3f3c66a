#include "fixtures.h"

using namespace suite;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Multiples of 2^-10 in [-4, 4]: two dozen of them, times 1.5 or 2.5, still add exactly in float.
Cube<float> random_fractions(Random& random, std::size_t batch, std::size_t time, std::size_t channels) {
    Cube<float> cube(batch, time, channels);
    for (float& value : cube.cells())
        value = static_cast<float>(random.integer(-4096, 4096)) / 1024.0F;
    return cube;
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
