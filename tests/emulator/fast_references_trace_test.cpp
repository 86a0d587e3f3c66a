#include "fast_references.h"

#include "emulator/worker.h"

#include <algorithm>

/// The fast backward with every access observed: none out of place, and few bytes in vain.
namespace {

emulator::Trace traced(const Scene& scene) {
    emulator::reset_device();
    CHECK((scene.on_device() == scene.on_cpu()));
    emulator::Trace trace = emulator::take_trace();
    CHECK(trace.traced);
    for (const emulator::Finding& finding : trace.findings)
        FAIL_CHECK(finding.kernel << ": " << finding.message);
    return trace;
}

const emulator::KernelTraffic& kernel(const emulator::Trace& trace, const std::string& name) {
    const auto found = std::ranges::find_if(
        trace.kernels, [&](const emulator::KernelTraffic& one) { return one.kernel.starts_with(name); });
    REQUIRE(found != trace.kernels.end());
    return *found;
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

} // namespace

TEST_CASE("nothing is out of bounds, read before it is written, or raced for") {
    static_cast<void>(traced(scene_of(3, 37, 10, 20, uniform_ids(1, 111, 20))));
    static_cast<void>(traced(scene_of(3, 37, 132, 20, zipf_ids(2, 111, 20))));
    static_cast<void>(traced(scene_of(1, 100, 4, 3, std::vector<std::int32_t>(100, 1))));
    Scene shifted = scene_of(2, 40, 12, 300, zipf_ids(3, 80, 300));
    shifted.ids[3] = -1;
    shifted.dout_shift = shifted.wte_gap = shifted.id_gap = 1;
    static_cast<void>(traced(shifted));
}

TEST_CASE("each element of dout is asked for twice and each gradient once, whatever the ids") {
    constexpr std::size_t B = 8, T = 64, C = 128, V = 400, N = B * T;
    for (const auto& ids : {uniform_ids(1, N, V), zipf_ids(2, N, V), std::vector<std::int32_t>(N, 5)}) {
        std::vector<std::int32_t> distinct = ids;
        std::ranges::sort(distinct);
        const auto U = static_cast<std::size_t>(std::ranges::unique(distinct).begin() - distinct.begin());
        const emulator::KernelTraffic slabs = kernel(traced(scene_of(B, T, C, V, ids)), "add_slabs");
        // Once for its position, once for its token; a partial is written at most once for 16 places, and
        // there are fewer than that beside it. What is left is keys and places.
        const std::size_t rows = 2 * N + 2 * T + 2 * U + N / 16;
        CHECK(slabs.bytes_moved >= (2 * N + 2 * T) * C * sizeof(float));
        CHECK(slabs.bytes_moved <= rows * C * sizeof(float) * 5 / 4);
    }
}

TEST_CASE("the second pass reads the partial sums alone") {
    constexpr std::size_t T = 4096, C = 32;
    const emulator::Trace trace = traced(scene_of(1, T, C, 9, std::vector<std::int32_t>(T, 5)));
    const emulator::KernelTraffic& runs = kernel(trace, "add_runs");
    const std::size_t partials = T / 16;
    CHECK(runs.bytes_moved >= partials * C * sizeof(float));
    // The gradient twice, and each warp looks once, at one sector, how many runs there are.
    CHECK(runs.bytes_moved <= (partials + 2) * C * sizeof(float) + runs.threads + 4 * 32);
}
