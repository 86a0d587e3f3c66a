#include "build/gpu.h"

#include <doctest/doctest.h>

using build::Gpu;

TEST_CASE("a GPU is named with its driver and compute capability") {
    const auto found = build::parse_gpu("NVIDIA H200, 550.54.15, 9.0\nNVIDIA H200, 550.54.15, 9.0\n");
    const auto* gpu = std::get_if<Gpu>(&found);
    REQUIRE(gpu != nullptr);
    CHECK(gpu->name == "NVIDIA H200");
    CHECK(gpu->driver == "550.54.15");
    CHECK(gpu->capability == "9.0");
}

TEST_CASE("an answer without a GPU is one sentence") {
    for (const char* said : {"No devices were found\n", "", "NVIDIA H200, 550\n", "Tesla, 1, [N/A]\n"}) {
        const auto found = build::parse_gpu(said);
        const auto* why = std::get_if<std::string>(&found);
        REQUIRE(why != nullptr);
        CHECK(why->find("names no GPU") != std::string::npos);
    }
}
