#include "fast_references.h"

#include "emulator/worker.h"
#include "stand_in/cub/cub.cuh"

#include <algorithm>
#include <array>
#include <climits>

/// The fast backward against the slow one on a CPU: every bit, also of what lies between the rows.
namespace {

using contract::Code;
using contract::Status;

struct Fresh {
    Fresh() { emulator::reset_device(); }
    ~Fresh() { emulator::reset_device(); }
};

/// The same bits, within the allocations, and as a stream wants it.
void expect_same(const Scene& scene) {
    CAPTURE(scene.B);
    CAPTURE(scene.T);
    CAPTURE(scene.C);
    CAPTURE(scene.V);
    CHECK((scene.on_device() == scene.on_cpu()));
    CHECK(emulator::take_trace().findings.empty());
}

Scene scene_of(std::size_t B, std::size_t T, std::size_t C, std::size_t V, std::vector<std::int32_t> ids) {
    Scene scene;
    scene.B = B;
    scene.T = scene.P = T;
    scene.C = C;
    scene.V = V;
    scene.ids = std::move(ids);
    return scene;
}

Scene equal_ids(std::size_t B, std::size_t T, std::size_t C, std::size_t V, std::int32_t id) {
    return scene_of(B, T, C, V, std::vector<std::int32_t>(B * T, id));
}

/// Token 0 once, token 1 twice, ... in an order that mixes them.
std::vector<std::int32_t> of_every_length(std::int32_t longest) {
    std::vector<std::int32_t> ids;
    for (std::int32_t length = 1; length <= longest; ++length)
        ids.insert(ids.end(), length, length - 1);
    std::mt19937 bits(7);
    std::shuffle(ids.begin(), ids.end(), bits);
    return ids;
}

} // namespace

TEST_CASE_FIXTURE(Fresh, "shapes with and without tails give the reference's bits") {
    std::mt19937 bits(11);
    const auto up_to = [&](unsigned int most) { return 1 + bits() % most; };
    for (int round = 0; round < 40; ++round) {
        const std::size_t B = up_to(9), T = up_to(70), C = up_to(300), V = up_to(90);
        expect_same(scene_of(B, T, C, V, uniform_ids(round, B * T, V)));
    }
}

TEST_CASE_FIXTURE(Fresh, "runs of every length around one, two and three partials") {
    for (const std::size_t C : {3, 8}) { // one element, and four at once
        const std::vector<std::int32_t> ids = of_every_length(52);
        expect_same(scene_of(1, ids.size(), C, 52, ids));
    }
}

TEST_CASE_FIXTURE(Fresh, "a run may begin anywhere in its group") {
    for (std::size_t before = 0; before < 34; ++before)
        for (const std::size_t length : {15, 16, 17, 31, 32, 33, 49}) {
            std::vector<std::int32_t> ids(before + length + 3, 1);
            std::fill_n(ids.begin(), before, 0);
            std::fill_n(ids.rbegin(), 3, 2);
            expect_same(scene_of(1, ids.size(), 2, 3, ids));
        }
}

TEST_CASE_FIXTURE(Fresh, "as many tokens with two partials as there can be") {
    std::vector<std::int32_t> ids;
    for (std::int32_t token = 0; token < 600; ++token)
        ids.insert(ids.end(), 17, token);
    expect_same(scene_of(1, ids.size(), 2, 600, ids));
}

TEST_CASE_FIXTURE(Fresh, "batches of equal ids, longer than any batch of loads") {
    expect_same(equal_ids(8, 1024, 8, 5, 3));
    expect_same(equal_ids(1, 1040, 5, 1, 0));
    expect_same(equal_ids(1, 16 * 65 + 1, 1, 2, 1));
}

TEST_CASE_FIXTURE(Fresh, "ids by Zipf's law") {
    expect_same(scene_of(4, 512, 20, 300, zipf_ids(1, 2048, 300)));
    expect_same(scene_of(4, 512, 7, 50'257, zipf_ids(2, 2048, 50'257)));
}

TEST_CASE_FIXTURE(Fresh, "vocabularies at and beside powers of two, with tokens that do not count") {
    for (const std::size_t V : {1, 2, 3, 4, 5, 63, 64, 65}) {
        std::vector<std::int32_t> ids = uniform_ids(3, 120, V);
        ids[5] = -1;
        ids[6] = static_cast<std::int32_t>(V);
        ids[70] = INT32_MAX;
        ids[71] = INT32_MIN;
        Scene scene = scene_of(2, 60, 6, V, ids);
        expect_same(scene);
        scene.options.padding_idx = static_cast<std::int64_t>(V) - 1;
        expect_same(scene);
        scene.options.padding_idx = 0;
        expect_same(scene);
    }
}

TEST_CASE_FIXTURE(Fresh, "tokens alone may not count: the positions do") {
    expect_same(equal_ids(3, 40, 4, 6, -1));
    Scene padded = equal_ids(3, 40, 4, 6, 2);
    padded.options.padding_idx = 2;
    expect_same(padded);
    Scene empty = equal_ids(2, 3, 4, 0, 0); // no tokens at all: a key of no bits
    expect_same(empty);
}

TEST_CASE_FIXTURE(Fresh, "strides, and pointers that take one element at a time") {
    for (const std::size_t gap : {0, 1, 4})
        for (const std::size_t shift : {0, 1, 2})
            for (int which = 0; which < 4; ++which) {
                Scene scene = scene_of(2, 30, 12, 10, uniform_ids(4, 60, 10));
                scene.id_gap = gap;
                (which == 0   ? scene.dout_shift
                 : which == 1 ? scene.ids_shift
                 : which == 2 ? scene.wte_shift
                              : scene.wpe_shift) = shift;
                (which % 2 == 0 ? scene.wte_gap : scene.wpe_gap) = gap;
                expect_same(scene);
            }
}

TEST_CASE_FIXTURE(Fresh, "start moves the window of positions") {
    Scene scene = scene_of(2, 30, 12, 10, uniform_ids(4, 60, 10));
    scene.P = 50;
    for (const std::size_t start : {1, 19, 20}) {
        scene.options.start = start;
        expect_same(scene);
    }
}

TEST_CASE_FIXTURE(Fresh, "options.threads changes nothing") {
    Scene scene = scene_of(4, 64, 12, 9, uniform_ids(5, 256, 9));
    const Scene::Result before = scene.on_cpu();
    for (const std::uint32_t threads : {32, 64, 128, 512, 1024}) {
        scene.options.threads = threads;
        CHECK((scene.on_device() == before));
    }
}

TEST_CASE_FIXTURE(Fresh, "refusals come in order and launch nothing") {
    const auto refused = [](const Scene& scene, Status status) {
        CHECK((scene.on_device() == scene.on_cpu()));
        CHECK(scene.on_device().status == status);
        CHECK(emulator::take_trace().counters.launches == 0);
    };
    Scene scene = scene_of(2, 5, 4, 7, uniform_ids(6, 10, 7));
    scene.options.padding_idx = 7;
    scene.options.start = 1;
    refused(scene, {Code::invalid_argument, 0, 7, 7});
    scene.options.padding_idx = -1;
    refused(scene, Status::position_out_of_range(4, 5, 5));
    scene.options.start = SIZE_MAX;
    refused(scene, Status::position_out_of_range(0, -1, 5));

    const contract::DeviceMatrix<const std::int32_t> ids(nullptr, 2, 5, 5);
    const contract::DeviceMatrix<float> table(nullptr, 9, 4, 4), other(nullptr, 9, 3, 3);
    const Status misfit{Code::shape_mismatch};
    CHECK(fast::embed_backward({nullptr, 3, 5, 4}, ids, table, table, {}, nullptr) == misfit);
    CHECK(fast::embed_backward({nullptr, 2, 4, 4}, ids, table, table, {}, nullptr) == misfit);
    CHECK(fast::embed_backward({nullptr, 2, 5, 4}, ids, other, table, {}, nullptr) == misfit);
    CHECK(fast::embed_backward({nullptr, 2, 5, 4}, ids, table, other, {99, 99}, nullptr) == misfit);
    CHECK(emulator::take_trace().counters == emulator::Counters{});
}

TEST_CASE_FIXTURE(Fresh, "nothing to add launches nothing") {
    for (const auto& [B, T, C] : {std::array{0, 5, 4}, {2, 0, 4}, {2, 5, 0}}) {
        const Scene scene = scene_of(B, T, C, 7, std::vector<std::int32_t>(B * T, 1));
        expect_same(scene);
        CHECK(scene.on_device().status == Status{});
        CHECK(emulator::take_trace().counters.launches == 0);
    }
}

TEST_CASE_FIXTURE(Fresh, "all work stays on the stream: nobody waits, and all memory goes back") {
    const auto counters = [](const Scene& scene) {
        static_cast<void>(emulator::take_trace());
        static_cast<void>(scene.on_device());
        return emulator::take_trace().counters;
    };
    Scene scene = equal_ids(4, 64, 12, 9, 2);
    const emulator::Counters call = counters(scene);
    scene.options.padding_idx = 9; // refused: what the scene does by itself
    const emulator::Counters around = counters(scene);
    CHECK(call.launches == 4); // keys, sort, slabs, runs
    CHECK(call.synchronizations == around.synchronizations);
    CHECK(call.default_stream_work == around.default_stream_work);
    CHECK(call.allocations == around.allocations + 1);
    CHECK(call.frees == around.frees + 1);
}

TEST_CASE_FIXTURE(Fresh, "without memory nothing is launched, and the runtime has the reason") {
    // One place of 2^30 channels asks for two rows of partial sums: 8 GiB.
    constexpr std::size_t C = std::size_t{1} << 30;
    const contract::DeviceMatrix<float> table(nullptr, 1, C, C);
    static_cast<void>(
        fast::embed_backward({nullptr, 1, 1, C}, {nullptr, 1, 1, 1}, table, table, {}, nullptr));
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(emulator::take_trace().counters.launches == 0);
}

TEST_CASE_FIXTURE(Fresh, "one bit too few in the sort shows") {
    // With `none` the largest key the upper bit is its own where V is a power of two, and a token's else.
    for (const std::size_t V : {64, 90}) {
        std::vector<std::int32_t> ids = uniform_ids(8, 200, V);
        std::fill_n(ids.begin() + 20, 20, -1);
        const Scene scene = scene_of(2, 100, 4, V, ids);
        expect_same(scene);
        cub::bits_left_out = 1;
        CHECK_FALSE((scene.on_device() == scene.on_cpu()));
        cub::bits_left_out = 0;
    }
}
