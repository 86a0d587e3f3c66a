#include "fixtures.h"

using namespace suite;

namespace {

Parameter<Config> any_config() {
    return value<Config>(
        "config",
        [](const Extents&, Random& random) {
            Config config{random.size(1, 1'000), random.size(1, 100), random.size(1, 100), random.size(1, 9)};
            return Named<Config>{"small", config};
        },
        [](const Extents&) {
            const Config base{1'000, 100, 8, 3};
            std::vector<Named<Config>> list;
            const auto add = [&](std::string words, auto&& change) {
                Config config = base;
                change(config);
                list.push_back({std::move(words), config});
                config.tied = false;
                config.precision = Precision::bf16;
                config.embedding_norm = true;
                list.push_back({list.back().words + ", with bf16, a norm and a head of its own", config});
            };
            add("ordinary", [](Config&) {});
            for (const std::uint64_t size : {0ULL, 1ULL, 1ULL << 31, (1ULL << 32) + 1, 1ULL << 40}) {
                add("one with V = " + std::to_string(size),
                    [=](Config& config) { config.vocabulary = size; });
                add("one with P = " + std::to_string(size), [=](Config& config) { config.positions = size; });
                add("one with L = " + std::to_string(size), [=](Config& config) { config.layers = size; });
            }
            add("one with L = 2^45 + 1", [](Config& config) { config.layers = (1ULL << 45) + 1; });
            for (const std::uint64_t size : {0ULL, 1ULL, 65'537ULL, 1ULL << 22})
                add("one with C = " + std::to_string(size), [=](Config& config) { config.channels = size; });
            add("one with C = 2^33 + 1 and L = 0", [](Config& config) {
                config.channels = (1ULL << 33) + 1;
                config.layers = 0;
            });
            add("one whose counts have more bits than a double", [](Config& config) {
                config = {(1ULL << 31) - 1, 1ULL << 20, (1ULL << 24) + 1, 1};
            });
            // All bytes together fit, but not when they are counted in bits.
            add("one with almost all bytes that 64 bits count", [](Config& config) {
                config = {(1ULL << 55) - 1, 0, 15, 0};
            });
            add("one with a block that has more parameters than a double counts", [](Config& config) {
                config = {3, 1, 30'000'001, 1};
            });
            return list;
        });
}

void expect_budget(const Config& config, const Budget& want) {
    const Budget got = subject::count(config);
    expect_equal("token_table", got.token_table, want.token_table);
    expect_equal("position_table", got.position_table, want.position_table);
    expect_equal("embedding_norm", got.embedding_norm, want.embedding_norm);
    expect_equal("blocks", got.blocks, want.blocks);
    expect_equal("final_norm", got.final_norm, want.final_norm);
    expect_equal("head", got.head, want.head);
    expect_equal("total", got.total, want.total);
    expect_equal("weight_bytes", got.weight_bytes, want.weight_bytes);
    expect_equal("gradient_bytes", got.gradient_bytes, want.gradient_bytes);
    expect_equal("optimiser_bytes", got.optimiser_bytes, want.optimiser_bytes);
    expect_equal("training_bytes", got.training_bytes, want.training_bytes);
}

} // namespace

TEST_CASE("the four sizes of gpt-2 are counted exactly") {
    struct Size {
        std::uint64_t channels, layers, token_table, position_table, total;
    };
    for (const Size& size :
         {Size{768, 12, 38'597'376, 786'432, 124'439'808}, Size{1024, 24, 51'463'168, 1'048'576, 354'823'168},
          Size{1280, 36, 64'328'960, 1'310'720, 774'030'080},
          Size{1600, 48, 80'411'200, 1'638'400, 1'557'611'200}}) {
        const Budget got = subject::count({50257, 1024, size.channels, size.layers});
        expect_equal("token_table", got.token_table, size.token_table);
        expect_equal("position_table", got.position_table, size.position_table);
        expect_equal("final_norm", got.final_norm, 2 * size.channels);
        expect_equal("embedding_norm", got.embedding_norm, 0);
        expect_equal("head", got.head, 0);
        expect_equal("blocks", got.blocks,
                     size.total - size.token_table - size.position_table - 2 * size.channels);
        expect_equal("total", got.total, size.total);
    }
}

TEST_CASE("an untied head costs a second table") {
    struct Size {
        std::uint64_t channels, layers, head, total;
    };
    for (const Size& size :
         {Size{768, 12, 38'597'376, 163'037'184}, Size{1024, 24, 51'463'168, 406'286'336},
          Size{1280, 36, 64'328'960, 838'359'040}, Size{1600, 48, 80'411'200, 1'638'022'400}}) {
        const Budget got = subject::count({50257, 1024, size.channels, size.layers, false, false});
        expect_equal("head", got.head, size.head);
        expect_equal("total", got.total, size.total);
    }
}

TEST_CASE("weights gradients and optimiser are counted in bytes") {
    expect_budget({50257, 1024, 768, 12}, {.token_table = 38'597'376,
                                           .position_table = 786'432,
                                           .blocks = 85'054'464,
                                           .final_norm = 1'536,
                                           .total = 124'439'808,
                                           .weight_bytes = 497'759'232,
                                           .gradient_bytes = 497'759'232,
                                           .optimiser_bytes = 995'518'464,
                                           .training_bytes = 1'991'036'928});
    expect_budget({50257, 1024, 768, 12, false, true, Precision::bf16}, {.token_table = 38'597'376,
                                                                         .position_table = 786'432,
                                                                         .blocks = 85'054'464,
                                                                         .final_norm = 1'536,
                                                                         .total = 124'439'808,
                                                                         .weight_bytes = 248'879'616,
                                                                         .gradient_bytes = 248'879'616,
                                                                         .optimiser_bytes = 1'493'277'696,
                                                                         .training_bytes = 1'991'036'928});
}

TEST_CASE("models of any size are counted beyond 32 bits") {
    // An embedding alone, with its norm and the final one.
    expect_budget({50257, 1024, 768, 0, true, true}, {.token_table = 38'597'376,
                                                      .position_table = 786'432,
                                                      .embedding_norm = 1'536,
                                                      .final_norm = 1'536,
                                                      .total = 39'386'880,
                                                      .weight_bytes = 157'547'520,
                                                      .gradient_bytes = 157'547'520,
                                                      .optimiser_bytes = 315'095'040,
                                                      .training_bytes = 630'190'080});
    // GPT-3: 96 blocks of 12 * 12,288^2 + 13 * 12,288.
    expect_budget({50257, 2048, 12288, 96, false, true, Precision::bf16},
                  {.token_table = 617'558'016,
                   .position_table = 25'165'824,
                   .blocks = 173'961'510'912,
                   .final_norm = 24'576,
                   .total = 174'604'259'328,
                   .weight_bytes = 349'208'518'656,
                   .gradient_bytes = 349'208'518'656,
                   .optimiser_bytes = 2'095'251'111'936,
                   .training_bytes = 2'793'668'149'248});
    // 12 * 94,906,267^2 + 13 * 94,906,267: the square is odd and above 2^53.
    expect_budget({0, 0, 94'906'267, 1, false, true}, {.blocks = 108'086'395'424'284'939,
                                                       .final_norm = 189'812'534,
                                                       .total = 108'086'395'614'097'473,
                                                       .weight_bytes = 432'345'582'456'389'892,
                                                       .gradient_bytes = 432'345'582'456'389'892,
                                                       .optimiser_bytes = 864'691'164'912'779'784,
                                                       .training_bytes = 1'729'382'329'825'559'568});
    // A small one with everything, counted by hand: 10 x 3 + 7 x 3 + 6 + 2 (108 + 39) + 6 + 30.
    expect_budget({10, 7, 3, 2, true, false}, {.token_table = 30,
                                               .position_table = 21,
                                               .embedding_norm = 6,
                                               .blocks = 294,
                                               .final_norm = 6,
                                               .head = 30,
                                               .total = 387,
                                               .weight_bytes = 1'548,
                                               .gradient_bytes = 1'548,
                                               .optimiser_bytes = 3'096,
                                               .training_bytes = 6'192});
}

TEST_CASE("budgets of models without layers and of enormous ones") {
    Adverse budget("count", subject::count, &reference::count, {}, any_config());
    budget.special_cases();
    budget.history();
}
