#include "fixtures.h"

using namespace suite;

namespace {

Status keep(const Loss& loss, std::span<double> kept) {
    const bool refused = loss.status.code != Code::ok;
    if (refused) expect_true("a refused call has mean 0 and counted 0", loss == Loss{loss.status});
    if (!refused) kept[0] = loss.mean, kept[1] = static_cast<double>(loss.counted);
    return loss.status;
}

Status got_evaluate(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, std::span<double> loss) {
    return keep(subject::evaluate(wte, mix, ids, targets, ignored), loss);
}
Status want_evaluate(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, std::span<double> loss) {
    return keep(reference::evaluate(wte, mix, ids, targets, ignored), loss);
}
Status got_gradients(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, Matrix<float> dwte,
                     Matrix<float> dmix, std::span<double> loss) {
    return keep(subject::gradients(wte, mix, ids, targets, ignored, dwte, dmix), loss);
}
Status want_gradients(Table wte, Table mix, Ids ids, Ids targets, TokenId ignored, Matrix<float> dwte,
                      Matrix<float> dmix, std::span<double> loss) {
    return keep(reference::gradients(wte, mix, ids, targets, ignored, dwte, dmix), loss);
}
Status got_step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate,
                std::span<double> loss) {
    return keep(subject::step(wte, mix, ids, targets, ignored, rate), loss);
}
Status want_step(Matrix<float> wte, Matrix<float> mix, Ids ids, Ids targets, TokenId ignored, float rate,
                 std::span<double> loss) {
    return keep(reference::step(wte, mix, ids, targets, ignored, rate), loss);
}

const std::vector<ExtentDomain> extents{
    {.name = "N", .ordinary = 4},
    {.name = "V", .ordinary = 5},
    {.name = "C", .ordinary = 3, .largest = 67}}; // mix has C * C elements

Parameter<TokenId> any_ignored() {
    return value<TokenId>(
        "ignored",
        [](const Extents&, Random&) {
            return Named<TokenId>{"-1", none};
        },
        [](const Extents& size) {
            const auto V = static_cast<TokenId>(size["V"]);
            return std::vector<Named<TokenId>>{
                {"0", 0}, {"V - 1", V - 1}, {"V", V}, {"-2^31", std::numeric_limits<TokenId>::min()}};
        });
}

Parameter<float> any_rate(std::string name) {
    return value<float>(
        std::move(name),
        [](const Extents&, Random&) {
            return Named<float>{"0.375", 0.375F};
        },
        [](const Extents&) {
            return std::vector<Named<float>>{{"0", 0.0F},
                                             {"-0", -0.0F},
                                             {"2^-149", 0x1p-149F},
                                             {"10,000", 10'000.0F},
                                             {"-2^-149", -0x1p-149F, true},
                                             {"-1", -1.0F, true},
                                             {"NaN", not_a_number, true},
                                             {"NaN with its sign", -not_a_number, true},
                                             {"infinity", infinity, true},
                                             {"-infinity", -infinity, true}};
        });
}

Parameter<std::span<double>> loss_out() {
    return detail::block<std::span<double>, double>("loss", {Dim([](const Extents&) { return 2; })}, {},
                                                    Checked::nothing, false, true, true,
                                                    detail::span_view<double>);
}

bool is_rate(float rate) {
    return std::isfinite(rate) && rate >= 0;
}

/// Bounds of an output of `size` elements, twice as wide as the contract's because the reference has its own
/// rounding; 0 where the call is refused.
template <class Bound>
std::vector<double> twice(const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                          TokenId ignored, std::size_t size, const Bound& bound) {
    const auto is_token = [&](TokenId id) { return id >= 0 && std::cmp_less(id, wte.rows); };
    if (mix.rows != wte.cols || mix.cols != wte.cols || ids.size() != targets.size() ||
        !std::ranges::all_of(ids, is_token) ||
        !std::ranges::all_of(targets, [&](TokenId t) { return t == ignored || is_token(t); }))
        return std::vector<double>(size);
    std::vector<double> all = bound(Witness(wte, mix, ids, targets, ignored));
    all.resize(size); // of an output of another shape, whose call is refused
    for (double& each : all)
        each *= 2;
    return all;
}

std::vector<double> bounds_of_loss(const Witness& want) {
    return {want.mean_bound, 0};
}
std::vector<double> cells_of(const Grid<double>& grid) {
    return {grid.cells().begin(), grid.cells().end()};
}

auto adverse_initialise() {
    return Adverse("initialise", subject::initialise, &reference::initialise,
                   {{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 3, .largest = 67}},
                   any_number_64("seed"), any_rate("spread"), matrix_out("wte", "V", "C", Checked::cols),
                   matrix_out("mix", "C", "C"))
        .rule("wte", {.kind = Rule::Kind::values, .tolerance = {}, .bounds = {}, .exact = {}})
        .rule("mix", {.kind = Rule::Kind::values, .tolerance = {}, .bounds = {}, .exact = {}});
}

auto adverse_evaluate() {
    return Adverse("evaluate", &got_evaluate, &want_evaluate, extents,
                   matrix_in("wte", "V", "C", weights(1), Checked::cols),
                   matrix_in("mix", "C", "C", weights(0.5F), Checked::all), ids("ids", "N", "V"),
                   ids("targets", "N", "V"), any_ignored(), loss_out())
        .one_call()
        .bounds("loss", [](const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                           const TokenId& ignored, const std::span<double>&) {
            return twice(wte, mix, ids, targets, ignored, 2, bounds_of_loss);
        });
}

auto adverse_gradients() {
    const auto bounded = [](const auto& bound) {
        return [bound](const Table& wte, const Table& mix, const Ids& ids, const Ids& targets,
                       const TokenId& ignored, const Matrix<float>& dwte, const Matrix<float>& dmix,
                       const std::span<double>&) {
            const std::size_t largest = std::max({dwte.rows * dwte.cols, dmix.rows * dmix.cols, 2UL});
            const bool fits = dwte.rows == wte.rows && dwte.cols == wte.cols && dmix.rows == mix.rows &&
                              dmix.cols == mix.cols;
            return fits ? twice(wte, mix, ids, targets, ignored, largest, bound)
                        : std::vector<double>(largest);
        };
    };
    return Adverse("gradients", &got_gradients, &want_gradients, extents,
                   matrix_in("wte", "V", "C", weights(1), Checked::all),
                   matrix_in("mix", "C", "C", weights(0.5F), Checked::all), ids("ids", "N", "V"),
                   ids("targets", "N", "V"), any_ignored(), matrix_out("dwte", "V", "C"),
                   matrix_out("dmix", "C", "C"), loss_out())
        .one_call()
        .bounds("dwte", bounded([](const Witness& want) { return cells_of(want.wte_bound); }))
        .bounds("dmix", bounded([](const Witness& want) { return cells_of(want.mix_bound); }))
        .bounds("loss", bounded(bounds_of_loss));
}

auto adverse_update() {
    return Adverse("update", subject::update, &reference::update,
                   {{.name = "R", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                   matrix_in("gradient", "R", "C", weights(1)), any_rate("rate"),
                   matrix_sum("weights", "R", "C", weights(1)))
        .bounds("weights",
                [](const Table& g, const float& rate, const Matrix<float>& w) {
                    std::vector<double> bounds(w.rows * w.cols);
                    if (g.rows != w.rows || g.cols != w.cols || !is_rate(rate)) return bounds;
                    for (std::size_t i = 0; i < bounds.size(); ++i) {
                        const std::size_t r = i / w.cols, c = i % w.cols;
                        const double size =
                            std::abs(number(w(r, c))) + std::abs(number(rate) * number(g(r, c)));
                        bounds[i] = 4 * u * size + 2 * smallest;
                    }
                    return bounds;
                })
        .exact("weights", [](const Table&, const float& rate, const Matrix<float>&) {
            return [none_moves = rate == 0](std::size_t) { return none_moves; };
        });
}

auto adverse_step() {
    const auto bounded = [](const auto& bound) {
        return [bound](const Matrix<float>& wte, const Matrix<float>& mix, const Ids& ids, const Ids& targets,
                       const TokenId& ignored, const float& rate, const std::span<double>&) {
            const std::size_t largest = std::max({wte.rows * wte.cols, mix.rows * mix.cols, 2UL});
            const auto at_rate = [&](const Witness& want) { return bound(want, rate); };
            return is_rate(rate) ? twice(wte, mix, ids, targets, ignored, largest, at_rate)
                                 : std::vector<double>(largest);
        };
    };
    const auto kept = [](const Matrix<float>&, const Matrix<float>&, const Ids&, const Ids&, const TokenId&,
                         const float& rate, const std::span<double>&) {
        return [none_moves = rate == 0](std::size_t) { return none_moves; };
    };
    return Adverse("step", &got_step, &want_step, extents,
                   matrix_sum("wte", "V", "C", weights(1), Checked::cols),
                   matrix_sum("mix", "C", "C", weights(0.5F)), ids("ids", "N", "V"), ids("targets", "N", "V"),
                   any_ignored(), any_rate("rate"), loss_out())
        .one_call()
        .bounds("wte", bounded([](const Witness& want, float rate) {
                    return cells_of(Stepped(want.wte, rate, want.dwte, want.wte_bound).bound);
                }))
        .bounds("mix", bounded([](const Witness& want, float rate) {
                    return cells_of(Stepped(want.mix, rate, want.dmix, want.mix_bound).bound);
                }))
        .bounds("loss", bounded([](const Witness& want, float) { return bounds_of_loss(want); }))
        .exact("wte", kept)
        .exact("mix", kept);
}

auto adverse_cosines() {
    return Adverse("cosines", subject::cosines, &reference::cosines,
                   {{.name = "V", .ordinary = 5}, {.name = "C", .ordinary = 3}},
                   matrix_in("wte", "V", "C",
                             {normal(),
                              {{"zeros", constant(0)},
                               {"values of about 1e30", scaled(normal(), 1e30F)},
                               {"values of about 1e-30", scaled(normal(), 1e-30F)},
                               {"the smallest number", constant(0x1p-149F)}}}),
                   value<TokenId>(
                       "token",
                       [](const Extents& size, Random&) {
                           return Named<TokenId>{"V - 1", static_cast<TokenId>(size["V"]) - 1};
                       },
                       [](const Extents& size) {
                           const auto V = static_cast<TokenId>(size["V"]);
                           return std::vector<Named<TokenId>>{
                               {"0", 0, V == 0},
                               {"-1", -1, true},
                               {"V", V, true},
                               {"2^31 - 1", std::numeric_limits<TokenId>::max(), true},
                               {"-2^31", std::numeric_limits<TokenId>::min(), true}};
                       }),
                   span_out("out", "V"))
        .bounds("out", [](const Table& wte, const TokenId&, const std::span<float>& out) {
            std::vector<double> bounds(out.size(), 4 * u);
            for (std::size_t v = 0; v < std::min(out.size(), wte.rows); ++v)
                if (std::all_of(wte.row(v), wte.row(v) + wte.cols, [](float x) { return x == 0; }))
                    bounds[v] = 0;
            return bounds;
        });
}

} // namespace

TEST_CASE("what does not fit is refused in the order of the contract") {
    const Status mismatch{Code::shape_mismatch}, bad_rate{Code::invalid_argument};
    const Tokens good{0, 2}, bad{0, 3}, worse{-1, 9};
    const Grid<float> wte = filled(3, 2, 1), mix = filled(2, 2, 1), wide = filled(2, 3, 1);
    Grid<float> out(3, 2), square(2, 2), oblong(2, 3);
    expect_status(subject::initialise(1, infinity, out, oblong), mismatch);
    expect_status(subject::initialise(1, not_a_number, out, square), bad_rate);
    expect_status(subject::initialise(1, -1, out, square), bad_rate);

    const auto refused = [&](const Tokens& ids, const Tokens& targets, const Grid<float>& with,
                             TokenId ignored, float rate, Status status, Status step_status) {
        expect_equal("what evaluate returns",
                     subject::evaluate(wte, with, ids, targets, ignored) == Loss{status}, true);
        expect_equal("what gradients returns",
                     subject::gradients(wte, with, ids, targets, ignored, out, square) == Loss{status}, true);
        Model model{wte, with};
        expect_equal("what step returns", step(model, ids, targets, ignored, rate) == Loss{step_status},
                     true);
        expect_identical("wte", model.wte, wte);
        expect_identical("mix", model.mix, with);
    };
    const auto id = [](std::size_t n, std::int64_t which) { return Status::id_out_of_range(n, which, 3); };
    refused(worse, worse, wide, none, -1, mismatch, mismatch);
    // No number is ignored unless the caller says so, neither -1 nor PyTorch's -100.
    for (const TokenId other : {-100, -1, -2, 3, 255})
        for (const TokenId ignored : {none, TokenId{-100}, TokenId{0}})
            if (other != ignored) refused(good, {1, other}, mix, ignored, 1, id(1, other), id(1, other));
    refused(worse, {0}, mix, none, -1, mismatch, mismatch);
    refused({}, {0}, mix, 0, -1, mismatch, mismatch);
    refused(worse, bad, mix, none, -1, id(0, -1), bad_rate);
    refused(worse, bad, mix, none, 1, id(0, -1), id(0, -1));
    refused(bad, worse, mix, none, 1, id(1, 3), id(1, 3));
    refused(bad, {0, 7}, mix, 7, 1, id(1, 3), id(1, 3)); // an ignored position has an id as well
    refused(good, worse, mix, -1, 1, id(1, 9), id(1, 9));
    refused(good, bad, mix, none, 1, id(1, 3), id(1, 3));
    refused(good, bad, mix, none, infinity, id(1, 3), bad_rate);
    expect_equal("what gradients returns",
                 subject::gradients(wte, mix, worse, worse, none, out, oblong) == Loss{mismatch}, true);
    Grid<float> four(4, 2);
    expect_equal("what gradients returns",
                 subject::gradients(wte, mix, worse, worse, none, four, square) == Loss{mismatch}, true);
    for (const Grid<float>* each : {&out, &square, &oblong, &four})
        expect_untouched("what a refused call could have written", *each);

    Grid<float> weights = filled(3, 2, 5);
    expect_status(subject::update(filled(2, 3, 1), -1, weights), mismatch);
    expect_status(subject::update(filled(3, 2, 1), -1, weights), bad_rate);
    expect_identical("weights", weights, filled(3, 2, 5));
    std::vector<float> three(3, 5), two(2, 5);
    expect_status(subject::cosines(wte, -1, two), mismatch);
    expect_status(subject::cosines(wte, -1, three), id(0, -1));
    expect_status(subject::cosines(wte, 3, three), id(0, 3));
    expect_identical("out", three, std::vector<float>(3, 5));
}

TEST_CASE("every function at every boundary of its sizes") {
    adverse_initialise().also({{{"V", 50'257}, {"C", 4}}}).sizes();
    adverse_evaluate().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_gradients().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_update().also({{{"R", 50'257}, {"C", 4}}}).sizes();
    adverse_step().also({{{"V", 50'257}, {"C", 4}, {"N", 2}}}).sizes();
    adverse_cosines().also({{{"V", 50'257}, {"C", 4}}}).sizes();
}

TEST_CASE("every function where rows lie apart") {
    adverse_initialise().gaps();
    adverse_evaluate().gaps();
    adverse_gradients().gaps();
    adverse_update().gaps();
    adverse_step().gaps();
    adverse_cosines().gaps();
}

TEST_CASE("every function with empty axes") {
    adverse_initialise().empty_axes();
    adverse_evaluate().empty_axes();
    adverse_gradients().empty_axes();
    adverse_update().empty_axes();
    adverse_step().empty_axes();
    adverse_cosines().empty_axes();
}

TEST_CASE("every function with special values and refusals") {
    // Pairs of an id and a target that are equal as one number of 32 bits.
    Random stream = constructed();
    const Model many_tokens = random_model(stream, std::size_t{1} << 17, 1);
    constexpr TokenId step_of_32_bits = 1 << 15;
    expect_learning(many_tokens, {0, step_of_32_bits, 2 * step_of_32_bits, 0, step_of_32_bits},
                    {5, 5, 5, 6, 6}, none);
    // Two parameters that are one memory, since neither is written.
    const Grid<float> memory = spread_out(stream, 8, 4, 0.7);
    const Table dense(memory.cells().data(), 4, 4, 4), apart(memory.cells().data(), 4, 4, 8);
    for (const auto& [wte, mix] : {std::pair{dense, apart}, {apart, dense}}) {
        const Tokens ids{0, 3, 1}, targets{1, 2, 0};
        const Witness want(wte, mix, ids, targets, none);
        const Loss loss = subject::evaluate(wte, mix, ids, targets, none);
        expect_status(loss.status, Status{});
        expect_near("the mean of two parameters in one memory", loss.mean, want.mean, want.mean_bound);
    }
    // A second parameter that is next to the identity is not the identity.
    for (const float off : {0x1p-24F, 0x1p-20F}) {
        Model model = random_model(stream, 6, 4);
        for (float& value : model.wte.cells())
            value *= 1'000;
        model.mix.fill(off);
        for (std::size_t c = 0; c < 4; ++c)
            model.mix(c, c) = 1 - (c == 2 ? 0 : off);
        expect_learning(model, {0, 3, 5, 1}, {1, 2, 0, 4}, none);
    }
    // Logits below the lowest float: these are doubles.
    for (const std::size_t V : {1, 2}) {
        Model model = random_model(stream, V, 1);
        model.wte.fill(0x1p60F);
        model.mix.fill(-0x1p30F);
        const Tokens targets(2, static_cast<TokenId>(V - 1));
        const Witness want = model.witness({0, 0}, targets, none);
        const Loss loss = subject::evaluate(model.wte, model.mix, Tokens{0, 0}, targets, none);
        expect_status(loss.status, Status{});
        expect_near("the mean where all logits are equal, and huge", loss.mean, want.mean, want.mean_bound);
    }
    adverse_initialise().special_cases();
    adverse_evaluate().special_cases();
    adverse_gradients().special_cases();
    adverse_update().special_cases();
    adverse_step().special_cases();
    adverse_cosines().special_cases();
}

TEST_CASE("every function after other calls") {
    adverse_initialise().history();
    // Enough work for threads, whose order must not show.
    const Extents much{{"V", 203}, {"C", 24}, {"N", 301}};
    adverse_evaluate().also({much}).history();
    adverse_gradients().also({much}).history();
    adverse_update().history();
    adverse_step().also({much}).history();
    adverse_cosines().history();
    adverse_evaluate().after(adverse_gradients());
    adverse_gradients().after(adverse_evaluate());
    adverse_gradients().after(adverse_step());
    adverse_step().after(adverse_evaluate());
    adverse_step().after(adverse_gradients());
}

TEST_CASE("parameters beyond element 2^32" * large) {
    adverse_initialise().far();
}

TEST_CASE("losses of a table beyond element 2^32" * large) {
    adverse_evaluate().far();
}

TEST_CASE("gradients beyond element 2^32" * large) {
    adverse_gradients().far();
}

TEST_CASE("updates beyond element 2^32" * large) {
    adverse_update().far();
}

TEST_CASE("steps beyond element 2^32" * large) {
    adverse_step().far();
}

TEST_CASE("cosines beyond element 2^32" * large) {
    adverse_cosines().far();
}
