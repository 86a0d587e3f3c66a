#include "harness/suite.h"
#include "subject/proxies.h"

using namespace contract;
using namespace harness;

// FILL IN: a test for every sentence of your contract, with its row in problem.json

TEST_CASE("three values are scaled") {
    const std::vector<float> in{1, -2, 0.5f};
    std::vector<float> out(3, 77.0f);
    expect_status(subject::copy_scaled(in, 4, out, Stream::standard), Status{});
    expect_identical("out", out, std::vector<float>{4, -8, 2});
}

TEST_CASE("a wrong length is refused and nothing is written") {
    const std::vector<float> in{1, 2};
    for (const std::size_t length : {std::size_t{1}, std::size_t{3}}) {
        std::vector<float> out(length, 77.0f);
        expect_status(subject::copy_scaled(in, 4, out, Stream::standard), Status{Code::shape_mismatch});
        expect_identical("out", out, std::vector<float>(length, 77.0f));
    }
}

TEST_CASE("random lengths agree with the reference, on the caller's stream") {
    for_random_sizes(8, {{"N", 0, 1000}}, [](const Sizes& size, Random& random) {
        std::vector<float> in;
        for (std::size_t i = 0; i < size["N"]; ++i)
            in.push_back(static_cast<float>(random.normal()));
        const float scale = static_cast<float>(random.normal(2));
        std::vector<float> out(size["N"], 77.0f);
        std::vector<float> want(size["N"]);
        const Status got =
            subject::copy_scaled(in, scale, out, Stream::own); // subject first, reference after
        expect_status(got, reference::copy_scaled(in, scale, want, Stream::own));
        expect_identical("out", out, want); // one product, one rounding
    });
}
