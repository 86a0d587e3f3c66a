#include "fixtures.h"

using namespace suite;

namespace {

/// A count whose products with others that are small fit into 64 bits.
Parameter<std::uint64_t> counted(const char* name) {
    return value<std::uint64_t>(
        name,
        [](const Extents&, Random& random) {
            const std::uint64_t count = random.size(1, 30);
            return Named<std::uint64_t>{std::to_string(count), count};
        },
        [](const Extents&) {
            std::vector<Named<std::uint64_t>> list;
            for (const Named<std::uint64_t>& each : ends_of_64_bits())
                if (each.value <= (1ULL << 53) + 1) list.push_back(each);
            return list;
        });
}

} // namespace

TEST_CASE("the price of 8,192 tokens of GPT-2") {
    const Cost product = subject::cost_onehot(8'192, 50'257, 768);
    expect_equal("flops of the product", product.flops, std::uint64_t{632'379'408'384});
    expect_equal("bytes of the one-hot matrix", product.selector_bytes, std::uint64_t{1'646'821'376});
    expect_equal("bytes of the product", product.bytes, std::uint64_t{1'826'376'704});
    const Cost copy = subject::cost_gather(8'192, 768);
    expect_equal("flops of the gather", copy.flops, std::uint64_t{0});
    expect_equal("bytes of the ids", copy.selector_bytes, std::uint64_t{32'768});
    expect_equal("bytes of the gather", copy.bytes, std::uint64_t{50'364'416});
}

TEST_CASE("prices are exact at both ends of the scale") {
    expect_true("one id, one row, one column: 2 flops, 4 bytes of selector, 12 bytes",
                subject::cost_onehot(1, 1, 1) == Cost{2, 4, 12});
    expect_true("one id and one column: no flops, 4 bytes of selector, 12 bytes",
                subject::cost_gather(1, 1) == Cost{0, 4, 12});
    expect_true("no ids: no flops, no selector, and the product still reads its table",
                subject::cost_onehot(0, 6, 3) == Cost{0, 0, 72} && subject::cost_gather(0, 3) == Cost{});
    // A batch of 32 x 512 tokens: the one-hot matrix alone takes 3.294 GB.
    expect_equal("bytes of the one-hot matrix", subject::cost_onehot(16'384, 50'257, 768).selector_bytes,
                 std::uint64_t{3'293'642'752});
    expect_equal("bytes of the ids", subject::cost_gather(16'384, 768).selector_bytes, std::uint64_t{65'536});
    // 2^20 ids, 2^18 rows, 2^13 columns: 2^52 flops.
    expect_equal("flops", subject::cost_onehot(1u << 20, 1u << 18, 1u << 13).flops, std::uint64_t{1} << 52);
    expect_equal("bytes", subject::cost_gather(1u << 20, 1u << 13).bytes,
                 (std::uint64_t{1} << 36) + (std::uint64_t{1} << 22));
}

TEST_CASE("costs of counts at the ends of 32 bits") {
    Adverse onehot("cost_onehot", subject::cost_onehot, &reference::cost_onehot, {}, counted("N"),
                   counted("V"), counted("d"));
    Adverse gather("cost_gather", subject::cost_gather, &reference::cost_gather, {}, counted("N"),
                   counted("d"));
    const char* const overflow = "the product has to fit into 64 bits";
    onehot.without(Adversity::two_specials, "", overflow);
    gather.without(Adversity::two_specials, "", overflow);
    const auto bytes = [](const Cost& cost) { return static_cast<double>(cost.bytes); };
    onehot.result_number("the right `bytes`", bytes);
    gather.result_number("the right `bytes`", bytes);
    onehot.special_cases();
    onehot.history();
    gather.special_cases();
    gather.history();
}
