#include "fixtures.h"

using namespace suite;

namespace {

Model fresh(std::size_t V, std::size_t C, std::uint64_t seed, float spread) {
    Model model{Grid<float>(V, C), Grid<float>(C, C)};
    expect_status(subject::initialise(seed, spread, model.wte, model.mix), Status{});
    return model;
}

/// `step` against the definition, from a copy of the model.
void expect_step(Model model, const Tokens& ids, const Tokens& targets, TokenId ignored, float rate) {
    const Model before = model;
    const Witness want = before.witness(ids, targets, ignored);
    const Loss loss = step(model, ids, targets, ignored, rate);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, want.counted);
    expect_near("the mean before the step", loss.mean, want.mean, want.mean_bound);
    const Stepped wte(before.wte, rate, want.dwte, want.wte_bound);
    const Stepped mix(before.mix, rate, want.dmix, want.mix_bound);
    expect_within("wte", model.wte, wte.want, wte.bound);
    expect_within("mix", model.mix, mix.want, mix.bound);
}

/// The loss of a model that knows how often each token follows each other one, and so the smallest there is.
double smallest_loss(const Tokens& ids, const Tokens& targets, TokenId ignored) {
    std::map<TokenId, double> seen;
    std::map<std::pair<TokenId, TokenId>, double> pairs;
    double counted = 0, sum = 0;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (targets[n] == ignored) continue;
        ++seen[ids[n]], ++pairs[{ids[n], targets[n]}], ++counted;
    }
    for (const auto& [pair, times] : pairs)
        sum -= times * std::log(times / seen[pair.first]);
    return sum / counted;
}

/// How many of the words have their nearest other token, by the cosine, in their own class.
std::size_t in_their_class(const Grid<float>& wte, const std::map<std::size_t, std::size_t>& class_of) {
    const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t c = 0; c < wte.cols(); ++c)
            sum += number(wte(a, c)) * number(wte(b, c));
        return sum;
    };
    std::size_t right = 0;
    for (const auto& [word, its_class] : class_of) {
        std::size_t nearest = word;
        double largest = -2;
        for (std::size_t v = 0; v < wte.rows(); ++v) {
            const double cosine = product(word, v) / std::sqrt(product(word, word) * product(v, v));
            if (v == word || !(cosine > largest)) continue;
            largest = cosine;
            nearest = v;
        }
        const auto found = class_of.find(nearest);
        right += found != class_of.end() && nearest != word && found->second == its_class ? 1 : 0;
    }
    return right;
}

/// Steps over a text, in batches of `size` that follow each other and begin again at its end.
void train(Model& model, const Tokens& ids, const Tokens& targets, std::size_t steps, std::size_t size,
           float rate) {
    const std::size_t batches = ids.size() / size;
    for (std::size_t s = 0; s < steps; ++s) {
        const std::size_t first = s % batches * size;
        const Loss loss = step(model, Ids(ids).subspan(first, size), Ids(targets).subspan(first, size),
                               corpus::ignored, rate);
        if (!expect_true("the loss of step " + std::to_string(s) + " is a number", std::isfinite(loss.mean)))
            return;
    }
}

std::map<std::size_t, std::size_t> classes_of(const corpus::Tokens& text) {
    std::map<std::size_t, std::size_t> all;
    for (std::size_t i = 0; i < std::size(corpus::classes); ++i)
        for (const std::string& word : corpus::words_of(corpus::classes[i].words))
            all[text.find(word)] = i;
    return all;
}

/// The statement's example: token 0 is read, and mix makes (0, ln 3) of its row (1, 0).
Model small_model() {
    const float ln3 = std::log(3.0F);
    return {Grid<float>(2, 2, {1, 0, 0, 1}), Grid<float>(2, 2, {0, ln3, 0, 0})};
}

} // namespace

TEST_CASE("one position by hand") {
    // hidden = (0, ln 3), logits = (0, ln 3), p = (1/4, 3/4); the target is token 0: dlogits = (-3/4, 3/4).
    // dhidden = (-3/4, 3/4); dmix is its outer product with (1, 0); the head adds dlogits times hidden to
    // every row, the lookup mix times dhidden, (3/4 ln 3, 0), to row 0.
    const Model model = small_model();
    const double ln3 = number(model.mix(0, 1)), three = 0.75;
    const Loss loss = subject::evaluate(model.wte, model.mix, Tokens{0}, Tokens{0}, none);
    expect_status(loss.status, Status{});
    expect_equal("counted", loss.counted, std::size_t{1});
    expect_near("the mean, ln 4", loss.mean, std::log(4.0), 1e-7); // ln 3 is a float here
    const Gradients got = gradients_of(model, {0}, {0}, none);
    const Tolerance rounding{.abs = 1e-7};
    expect_close("dmix", got.dmix, Grid<double>(2, 2, {-three, three, 0, 0}), rounding);
    expect_close("dwte", got.dwte, Grid<double>(2, 2, {three * ln3, -three * ln3, 0, three * ln3}), rounding);
}

TEST_CASE("the parameters begin as the contract states") {
    // Computed with a program of a few lines in another language.
    const Model one = fresh(2, 3, 1, 1.0F);
    expect_identical(
        "wte of seed 1", one.wte,
        Grid<float>(2, 3,
                    {0.133123145F, 0.491563529F, 0.942005515F, -0.111281566F, -0.111470595F, 0.525788784F}));
    expect_identical("mix", one.mix, Grid<float>(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}));
    const Model seven = fresh(3, 2, 7, 0.3F);
    expect_identical("wte of seed 7", seven.wte,
                     Grid<float>(3, 2,
                                 {-0.0661021546F, -0.289927036F, 0.240456417F, 0.0497581773F, -0.028534865F,
                                  -0.150341094F}));
    for (const float spread : {0.0F, 0.3F, 2.0F}) {
        const Model model = fresh(50, 4, 5, spread);
        expect_true("every value is within the spread",
                    std::ranges::all_of(model.wte.cells(), [&](float w) { return std::abs(w) <= spread; }));
    }
    expect_true("another seed has another table", fresh(5, 2, 1, 1.0F).wte != fresh(5, 2, 2, 1.0F).wte);
}

TEST_CASE("before the first step the loss is the logarithm of the vocabulary") {
    // Logits are sums of C products of numbers up to 0.3: small beside 1, so that all p are close to 1 / V.
    Random random = constructed();
    for (const std::size_t V : {2, 81, 1'000}) {
        INFO("V = ", V);
        const Model model = fresh(V, 8, 3, 0.3F);
        const Tokens ids = random_ids(random, 60, V), targets = random_ids(random, 60, V);
        const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, none);
        expect_near("the mean, against ln V", loss.mean, std::log(static_cast<double>(V)), 0.05);
        const Model nothing = fresh(V, 8, 3, 0.0F);
        const Loss exact = subject::evaluate(nothing.wte, nothing.mix, ids, targets, none);
        expect_near("the mean of a table of zeros", exact.mean, std::log(static_cast<double>(V)),
                    nothing.witness(ids, targets, none).mean_bound);
    }
}

TEST_CASE("tokens that were read, wanted, repeated and neither") {
    Random random = constructed();
    const Model model = random_model(random, 6, 3);
    expect_learning(model, {2}, {4}, none);
    expect_learning(model, {2, 2, 2, 0}, {4, 4, 1, 2}, none); // token 2 is read three times, and wanted once
    expect_learning(model, {5, 5}, {5, 5}, none);
    const Gradients got = gradients_of(model, {2, 2}, {4, 1}, none);
    expect_true("the row of a token that was neither read nor wanted has a gradient, too",
                std::ranges::any_of(got.dwte.row(3), [](float g) { return g != 0; }));
    const Gradients once = gradients_of(model, {2, 0}, {4, 1}, none);
    const Gradients twice_over = gradients_of(model, {2, 0, 2, 0}, {4, 1, 4, 1}, none);
    expect_close("dwte of a batch that is there twice", twice_over.dwte, once.dwte,
                 {.abs = 1e-12, .rel = 2 * u});
}

TEST_CASE("positions with an ignored target do not count") {
    Random random = constructed();
    const Model model = random_model(random, 4, 3);
    expect_learning(model, {0, 3, 1, 2}, {1, -100, -100, 3}, -100);
    expect_learning(model, {0, 3, 1, 2}, {1, 0, 2, 0}, 0); // a token of the vocabulary may be the ignored one
    const Gradients few = gradients_of(model, {0, 2}, {1, 3}, -100);
    const Gradients more = gradients_of(model, {0, 3, 2, 3}, {1, -100, 3, -100}, -100);
    expect_close("dwte with ignored positions added", more.dwte, few.dwte, {.abs = 1e-12, .rel = 2 * u});
    expect_close("dmix with ignored positions added", more.dmix, few.dmix, {.abs = 1e-12, .rel = 2 * u});
}

TEST_CASE("with nothing to count the loss and all gradients are zero") {
    Random random = constructed();
    for (const Tokens& ids : {Tokens{}, Tokens{1}, Tokens{0, 2, 2}}) {
        INFO("N = ", ids.size());
        Model model = random_model(random, 3, 2);
        const Model before = model;
        const Tokens targets(ids.size(), 7);
        const Loss loss = subject::evaluate(model.wte, model.mix, ids, targets, 7);
        expect_equal("what evaluate returns", loss == Loss{}, true);
        const Gradients got = gradients_of(model, ids, targets, 7);
        expect_close("dwte", got.dwte, filled(3, 2, 0), {});
        expect_close("dmix", got.dmix, filled(2, 2, 0), {});
        expect_equal("what step returns", step(model, ids, targets, 7, 0.5F) == Loss{}, true);
        expect_close("wte after a step", model.wte, before.wte, {});
        expect_close("mix after a step", model.mix, before.mix, {});
    }
}

TEST_CASE("logits of ten thousand are as good as others") {
    // 100 * 100 in one channel, and its neighbours: exp of them is infinite, of their differences it is not.
    const Model large{Grid<float>(4, 1, {100, 99.99F, 99, -100}), Grid<float>(1, 1, {1})};
    expect_learning(large, {0, 1, 2, 3}, {1, 0, 0, 3}, none);
    expect_learning(large, {3, 0}, {0, 3}, none); // a loss of 20,000: p of the target is 0 even in double
    const Model negative{Grid<float>(3, 2, {100, 1, 100, 2, 100, 3}), Grid<float>(2, 2, {-1, 0, 0, 1})};
    expect_learning(negative, {0, 1, 2}, {2, 0, 2}, none); // all logits are close to -10,000
    const Model far_below{Grid<float>(2, 1, {0x1p35F, 0x1p35F}), Grid<float>(1, 1, {-0x1p35F})};
    expect_learning(far_below, {0, 1}, {1, 1}, none); // all are -4e31
    expect_step(large, {0, 1}, {1, 0}, none, 1e-3F);
    // p of token 1 is 6e-19: nothing beside the 1 of the target, and worth a step all the same.
    const Model certain{Grid<float>(3, 1, {7, 1, -1}), Grid<float>(1, 1, {1})};
    expect_step(certain, {0}, {0}, none, 0x1p60F);
}

TEST_CASE("an update is one step against the gradient") {
    Grid<float> weights(2, 3, {1, 2, 3, 4, 5, 6});
    const Grid<float> gradient(2, 3, {2, 0, -2, 4, 8, -16});
    expect_status(subject::update(gradient, 0.25F, weights), Status{});
    expect_identical("weights", weights, Grid<float>(2, 3, {0.5, 2, 3.5, 3, 3, 10}));
    expect_status(subject::update(gradient, 0.25F, weights), Status{});
    expect_identical("weights after a second one", weights, Grid<float>(2, 3, {0, 2, 4, 2, 1, 14}));
}

TEST_CASE("with rate zero every bit stays") {
    Grid<float> weights(1, 5, {-0.0F, 0.0F, 0x1p-149F, -3, 0.1F});
    const Grid<float> before = weights;
    for (const float rate : {0.0F, -0.0F}) {
        expect_status(
            subject::update(Grid<float>(1, 5, {not_a_number, -0.0F, infinity, 0, 1}), rate, weights),
            Status{});
        expect_identical("weights", weights, before);
    }
    Model model{Grid<float>(3, 2, {-0.0F, 1, 0, -0.0F, 2, -3}), Grid<float>(2, 2, {-0.0F, 1, 1, -0.0F})};
    const Model same = model;
    const Loss loss = step(model, Tokens{0, 1}, Tokens{2, 1}, none, 0.0F);
    const Witness want = same.witness({0, 1}, {2, 1}, none);
    expect_near("the mean", loss.mean, want.mean, want.mean_bound);
    expect_identical("wte", model.wte, same.wte);
    expect_identical("mix", model.mix, same.mix);
}

TEST_CASE("a step moves both parameters by the gradients of the old ones") {
    Random random = constructed();
    const Model model = random_model(random, 5, 3);
    for (const float rate : {0.01F, 0.5F, 4.0F}) {
        INFO("rate = ", rate);
        expect_step(model, {0, 4, 4, 2}, {1, 1, 3, 0}, none, rate);
        expect_step(model, {0, 4, 4, 2}, {1, -7, 3, -7}, -7, rate);
    }
    Model twice_over = model;
    step(twice_over, Tokens{1}, Tokens{2}, none, 0.5F);
    expect_step(twice_over, {1}, {2}, none, 0.5F); // the second step begins where the first one ended
}

TEST_CASE("cosines by hand") {
    const Grid<float> wte(6, 2, {3, 4, 6, 8, -4, 3, -3, -4, 0, 0, 1, 0});
    std::vector<float> out(6);
    expect_status(subject::cosines(wte, 0, out), Status{});
    expect_close("out", out, std::vector<float>{1, 1, 0, -1, 0, 0.6F}, {.abs = 2 * u});
    expect_status(subject::cosines(wte, 4, out), Status{});
    expect_close("out, of a row of zeros", out, std::vector<float>(6, 0), {});
    // Rows of which a part is zero, however long.
    for (const std::size_t zeros : {1, 8, 64, 512, 1'024, 2'048, 4'096}) {
        INFO("the first or the last ", zeros, " of ", zeros + 1, " channels are 0");
        Grid<float> halves(3, zeros + 1);
        halves.fill(0);
        halves(0, zeros) = halves(1, 0) = 2;
        halves(2, 0) = halves(2, zeros) = -3;
        std::vector<float> three(3);
        const auto half = -static_cast<float>(std::sqrt(0.5));
        for (const auto& [token, want] : {std::pair<TokenId, std::vector<float>>{0, {1, 0, half}},
                                          {1, {0, 1, half}},
                                          {2, {half, half, 1}}}) {
            expect_status(subject::cosines(halves, token, three), Status{});
            expect_close("out", three, want, {.abs = 2 * u});
        }
    }
    // A row's length does not count, however large or small it is.
    const Grid<float> ends(3, 2, {3e38F, 3e38F, 1e-44F, 1e-44F, -2, 2});
    std::vector<float> few(3);
    expect_status(subject::cosines(ends, 1, few), Status{});
    expect_close("out, of rows at the ends of the floats", few, std::vector<float>{1, 1, 0}, {.abs = 2 * u});
}

TEST_CASE("training brings the words of a class together") {
    // 240 steps over the text of this problem. Each class has six words; the nearest of all 81 tokens counts.
    const corpus::Tokens text = corpus::tokens_of(corpus::sentences);
    Model model = fresh(text.vocabulary.size(), 8, 2'026, 0.3F);
    const auto loss_of_text = [&] {
        return subject::evaluate(model.wte, model.mix, text.ids, text.targets, corpus::ignored).mean;
    };
    expect_near("the loss before the first step, against ln 81", loss_of_text(), std::log(81.0), 0.05);
    train(model, text.ids, text.targets, 240, text.ids.size() / 6, 1.5F);
    const double least = smallest_loss(text.ids, text.targets, corpus::ignored), loss = loss_of_text();
    expect_true("the loss is at most 0.4 above the smallest there is, and is " + std::to_string(loss),
                loss <= least + 0.4);
    expect_true("the loss is not below the smallest there is", loss >= least);
    const auto classes = classes_of(text);
    expect_equal("words with a class", classes.size(), std::size_t{24});
    const std::size_t right = in_their_class(model.wte, classes);
    expect_true("at least 90 % of the words have their nearest neighbour in their class: " +
                    std::to_string(right) + " of 24",
                right >= 22);
}

TEST_CASE("equal trainings give equal bits") {
    Random random = constructed();
    const Tokens ids = random_ids(random, 30, 7), targets = random_ids(random, 30, 7);
    Model one = fresh(7, 4, 11, 0.3F), other = fresh(7, 4, 12, 0.3F), same = fresh(7, 4, 11, 0.3F);
    expect_identical("wte of the same seed", same.wte, one.wte);
    std::vector<double> first, second;
    for (int s = 0; s < 8; ++s) {
        first.push_back(step(one, ids, targets, none, 0.8F).mean);
        step(other, targets, ids, none, 0.3F); // another model in between
    }
    for (int s = 0; s < 8; ++s)
        second.push_back(step(same, ids, targets, none, 0.8F).mean);
    expect_identical("losses of the second training", second, first);
    expect_identical("wte of the second training", same.wte, one.wte);
    expect_identical("mix of the second training", same.mix, one.mix);
    expect_true("another seed and another order of calls lead elsewhere", other.wte != one.wte);
}

TEST_CASE("finite differences of every parameter") {
    // Central differences with steps of 1e-5 are off by 2e-11 times a third derivative, which is below 1,000
    // for parameters of this size; the rounding of the losses adds 1e-10, and the gradient is rounded once.
    Random random = harness::random();
    constexpr std::size_t V = 5, C = 3;
    const Model model = random_model(random, V, C);
    const Tokens ids{4, 0, 4, 2, 1}, targets{0, 1, 1, 4, -7}; // token 3 is neither read nor wanted
    std::vector<double> parameters;
    for (const Grid<float>* each : {&model.wte, &model.mix})
        parameters.insert(parameters.end(), each->cells().begin(), each->cells().end());
    const auto loss = [&] {
        const double* wte = parameters.data();
        const double* mix = wte + V * C;
        double sum = 0;
        for (std::size_t n = 0; n < 4; ++n) { // the last position does not count
            double x[V] = {};
            for (std::size_t v = 0; v < V; ++v)
                for (std::size_t k = 0; k < C; ++k)
                    for (std::size_t c = 0; c < C; ++c)
                        x[v] +=
                            wte[static_cast<std::size_t>(ids[n]) * C + k] * mix[k * C + c] * wte[v * C + c];
            double inverse = 0; // of the target's p
            for (const double each : x)
                inverse += std::exp(each - x[targets[n]]);
            sum += std::log(inverse);
        }
        return sum / 4;
    };
    std::vector<double> slopes;
    constexpr double h = 1e-5;
    for (double& parameter : parameters) {
        const double at = parameter;
        parameter = at + h;
        const double above = loss();
        parameter = at - h;
        slopes.push_back((above - loss()) / (2 * h));
        parameter = at;
    }
    const Gradients got = gradients_of(model, ids, targets, -7);
    std::vector<float> all(got.dwte.cells().begin(), got.dwte.cells().end());
    all.insert(all.end(), got.dmix.cells().begin(), got.dmix.cells().end());
    expect_close("the gradient of each parameter", all, slopes, {.abs = 2e-8, .rel = 2 * u});
}

TEST_CASE("the gradients fit each other") {
    // Logits are linear in mix and quadratic in wte, so that Euler's theorem binds the two gradients without
    // a word of softmax: <wte, dwte> = 2 <mix, dmix>. With wte and mix in the same basis turned by a half
    // (all channels negative) the loss is the same, and dwte has the other sign.
    Random random = harness::random();
    for (const std::size_t V : {2, 7, 40}) {
        INFO("V = ", V);
        const Model model = random_model(random, V, 6);
        const Tokens ids = random_ids(random, 9, V), targets = random_ids(random, 9, V);
        const Gradients got = gradients_of(model, ids, targets, none);
        const Witness want = model.witness(ids, targets, none);
        double from_wte = 0, from_mix = 0, bound = 0;
        for (std::size_t i = 0; i < model.wte.cells().size(); ++i) {
            from_wte += number(model.wte.cells()[i]) * number(got.dwte.cells()[i]);
            bound += std::abs(number(model.wte.cells()[i])) * want.wte_bound.cells()[i];
        }
        for (std::size_t i = 0; i < model.mix.cells().size(); ++i) {
            from_mix += number(model.mix.cells()[i]) * number(got.dmix.cells()[i]);
            bound += 2 * std::abs(number(model.mix.cells()[i])) * want.mix_bound.cells()[i];
        }
        expect_near("<wte, dwte>, against 2 <mix, dmix>", from_wte, 2 * from_mix, bound);

        Model turned = model;
        for (float& each : turned.wte.cells())
            each = -each;
        Grid<float> negative = gradients_of(turned, ids, targets, none).dwte;
        for (float& each : negative.cells())
            each = -each;
        expect_close("dwte of the negative table", negative, got.dwte, {.abs = 1e-12, .rel = 2 * u});
    }
}

TEST_CASE("random batches stay within their rounding") {
    // Stretches of ignored targets as long as whatever batches are cut into, and counted ones after them.
    Random stream = constructed();
    for (const std::size_t ignored : {8, 16, 32, 64, 128, 256}) {
        INFO(ignored, " ignored targets before others");
        const Model model = random_model(stream, 5, 3);
        const Tokens ids = random_ids(stream, 2 * ignored + 3, 5);
        Tokens targets = random_ids(stream, ids.size(), 5);
        std::fill_n(targets.begin(), ignored, -100);
        expect_learning(model, ids, targets, -100);
        expect_step(model, ids, targets, -100, 0.7F);
    }
    for_random_sizes(10, {{"N", 0, 12}, {"V", 1, 30}, {"C", 0, 12}, {"ignored", 0, 3}},
                     [](const Sizes& size, Random& random) {
                         const Model model = random_model(random, size["V"], size["C"]);
                         const Tokens ids = random_ids(random, size["N"], size["V"]);
                         Tokens targets = random_ids(random, size["N"], size["V"]);
                         for (TokenId& target : targets)
                             if (random.chance(0.25 * static_cast<double>(size["ignored"]))) target = -100;
                         expect_learning(model, ids, targets, -100);
                         expect_step(model, ids, targets, -100, 0.7F);
                     });
}

TEST_CASE("training on another text brings its classes together, too") {
    // Five classes of five words. A sentence is one of three tokens that come before a class, a word of the
    // class, and one of three tokens that come after it. The order of the tokens in the vocabulary is random.
    constexpr std::size_t classes = 5, words = 5, around = 3, V = classes * (words + 2 * around), C = 8;
    Random random = constructed();
    Tokens name(V);
    for (std::size_t i = 0; i < V; ++i) {
        const std::size_t j = random.size(0, i);
        name[i] = name[j];
        name[j] = static_cast<TokenId>(i);
    }
    const auto token = [&](std::size_t of_class, std::size_t place) {
        return name[of_class * (words + 2 * around) + place];
    };
    Tokens ids, targets;
    for (int sentence = 0; sentence < 400; ++sentence) {
        const std::size_t k = random.size(0, classes - 1), a = random.size(0, around - 1);
        const std::size_t w = random.size(0, words - 1), z = random.size(0, around - 1);
        const TokenId three[] = {token(k, words + a), token(k, w), token(k, words + around + z)};
        ids.insert(ids.end(), {three[0], three[1], three[2]});
        targets.insert(targets.end(), {three[1], three[2], corpus::ignored});
    }
    std::map<std::size_t, std::size_t> class_of;
    for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t w = 0; w < words; ++w)
            class_of[static_cast<std::size_t>(token(k, w))] = k;
    Model model = fresh(V, C, 99, 0.3F);
    train(model, ids, targets, 240, 120, 1.5F);
    const double loss = subject::evaluate(model.wte, model.mix, ids, targets, corpus::ignored).mean;
    const double least = smallest_loss(ids, targets, corpus::ignored);
    expect_true("the loss is at most 0.3 above the smallest there is, and is " + std::to_string(loss),
                loss <= least + 0.3);
    const std::size_t right = in_their_class(model.wte, class_of);
    expect_true("at least 90 % of the words have their nearest neighbour in their class: " +
                    std::to_string(right) + " of 25",
                right >= 23);
}
