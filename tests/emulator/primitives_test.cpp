#include "kernels/primitives.h"
#include "kernels/warp_reduce.h"

#include <doctest/doctest.h>

using primitives::Shuffle;

TEST_CASE("a shuffle by index reads the lane of its segment") {
    const auto got = primitives::shuffle(Shuffle::index, 3, 32);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(got[lane] == 103);
    const auto eighths = primitives::shuffle(Shuffle::index, 11, 8); // 11 mod 8 = 3
    for (int lane = 0; lane < 32; ++lane)
        CHECK(eighths[lane] == 100 + lane / 8 * 8 + 3);
}

TEST_CASE("a shuffle up or down keeps its own value at the end of the segment") {
    const auto up = primitives::shuffle(Shuffle::up, 5, 16), down = primitives::shuffle(Shuffle::down, 5, 16);
    for (int lane = 0; lane < 32; ++lane) {
        CHECK(up[lane] == 100 + (lane % 16 >= 5 ? lane - 5 : lane));
        CHECK(down[lane] == 100 + (lane % 16 + 5 < 16 ? lane + 5 : lane));
    }
}

TEST_CASE("a shuffle by xor exchanges lanes") {
    const auto got = primitives::shuffle(Shuffle::exclusive_or, 6, 32);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(got[lane] == 100 + (lane ^ 6));
}

TEST_CASE("a shuffle moves doubles whole") {
    const auto got = primitives::shuffle_doubles(1);
    CHECK(got[0] == 1.5);
    CHECK(got[30] == 31.5);
    CHECK(got[31] == 31.5);
}

TEST_CASE("lanes outside the mask take no part in a shuffle") {
    const auto got = primitives::shuffle_masked(0x00f0u);
    for (int lane = 0; lane < 32; ++lane)
        CHECK(got[lane] == (lane >= 4 && lane < 8 ? 35 : -1));
}

TEST_CASE("votes see every lane") {
    const auto some = primitives::votes(0x80000001u), none = primitives::votes(0),
               every = primitives::votes(~0u);
    for (int lane = 0; lane < 32; ++lane) {
        CHECK(some[lane * 5] == 0x80000001u);
        CHECK(some[lane * 5 + 1] == 0);
        CHECK(some[lane * 5 + 2] == 1);
        CHECK(none[lane * 5 + 2] == 0);
        CHECK(every[lane * 5 + 1] == 1);
        // Lanes 0, 3, 6, ... 30 are equal modulo 3, and so on.
        const unsigned int thirds[] = {0x49249249u, 0x92492492u, 0x24924924u};
        CHECK(some[lane * 5 + 3] == thirds[lane % 3]);
        CHECK(some[lane * 5 + 4] == 0xffffffffu);
    }
}

TEST_CASE("warp reductions add and compare signed values") {
    const auto got = warp_reduce();
    CHECK(got[0] == -16); // -16 + -15 + ... + 15
    CHECK(got[3 * 31] == -16);
    CHECK(got[1] == -16);
    CHECK(got[2] == 15);
}

TEST_CASE("barriers vote over the block") {
    CHECK(primitives::block_votes(0) == std::vector<int>{0, 0, 0});
    CHECK(primitives::block_votes(40)[0] == 40);
    CHECK((primitives::block_votes(40)[1] == 0 && primitives::block_votes(40)[2] != 0));
    CHECK(primitives::block_votes(96)[1] != 0);
}

TEST_CASE("every atomic leaves what 64 threads in any order leave") {
    const auto got = primitives::atomics();
    CHECK(got[0] == 2016); // 0 + 1 + ... + 63
    CHECK(got[1] == 36);   // 100 - 64
    CHECK(got[2] == 37);   // 100 - 63
    CHECK(got[3] == 189);  // 63 * 3
    CHECK(got[4] == 4);    // 64 mod 10
    CHECK(got[5] == 9);    // 3 down to 0 in 3, to 9 in 1, then 60 = 6 rounds of 10
    CHECK(got[6] == 0);    // every bit cleared
    CHECK(got[7] == 0xffffu);
    CHECK(got[8] == 0); // 0 ^ 1 ^ ... ^ 63
    CHECK(got[9] == 7);
    CHECK(got[10] >= 1); // at least the thread that found its number
    CHECK(static_cast<int>(got[11]) == -63);
    CHECK(got[12] == 64);
    CHECK(got[13] == 32);
    CHECK(primitives::atomic_double() == 31.0); // 1 + 120 / 4
}

TEST_CASE("a spin lock lets its owner go on") {
    CHECK(primitives::locked_sum() == 32 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
}

TEST_CASE("a failed exchange lets a thread go on that is alone") {
    CHECK(primitives::exchanged_sum() == 1024);
}

TEST_CASE("__syncwarp orders the lanes of a warp") {
    const auto got = primitives::ping_pong();
    for (int t = 0; t < 64; ++t)
        CHECK(got[t] == t + 1000); // an even number of exchanges
}

TEST_CASE("indices run over all three dimensions") {
    CHECK(primitives::indices() == std::vector<int>{4 + 10, 5 + 20, 6 + 30, 24 * 210});
}

TEST_CASE("symbols are copied to and read by kernels") {
    CHECK(primitives::symbols(40, 2) == std::vector<int>{42, 43, 44});
}
