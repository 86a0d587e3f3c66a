#include "build/toolchain.h"
#include "model/errors.h"
#include "setup.h"

TEST_CASE("the compiler is tried out once and remembered until the memory is damaged") {
    test::Folder folder;
    int trials = 0;
    const auto count = [&](std::string_view) { ++trials; };
    const auto first = build::find_toolchain({}, folder.path(), count);
    CHECK(trials == 1);
    CHECK_FALSE(first.version.empty());
    CHECK_FALSE(first.machine.empty());
    const auto second = build::find_toolchain({}, folder.path(), count);
    CHECK(trials == 1);
    CHECK(second.name() == first.name());
    CHECK(second.linker == first.linker);
    CHECK(second.sanitizers == first.sanitizers);
    CHECK(second.identity == first.identity);

    for (const auto& entry : test::fs::directory_iterator(folder.path()))
        test::write(entry.path(), "{\"identity\": 5");
    build::find_toolchain({}, folder.path(), count);
    CHECK(trials == 2);
}

TEST_CASE("a compiler that cannot compile C++20 is an environment error with a remedy") {
    test::Folder folder;
    const auto fake = folder.path() / "g++";
    test::write(fake, "#!/bin/sh\necho no\nexit 1\n");
    test::fs::permissions(fake, test::fs::perms::owner_all);
    build::Layout layout;
    layout.compiler = fake;
    CHECK_THROWS_WITH_AS(build::find_toolchain(layout, folder.path(), {}),
                         doctest::Contains("install one with"), model::EnvironmentError);
}

TEST_CASE("the compiler's environment is exactly the allow-list") {
    CHECK(build::compiler_environment("/s") == std::vector<std::string>{"PATH=/usr/bin:/bin",
                                                                        "LC_ALL=C.UTF-8", "TMPDIR=/s",
                                                                        "SOURCE_DATE_EPOCH=0"});
}

TEST_CASE("programs for a GPU take nvcc 12 or newer with its runtime, and g++") {
    build::Toolchain toolchain;
    CHECK(build::obstacle_to_gpu_programs(toolchain).starts_with("there is no nvcc"));
    toolchain.nvcc = "/cuda/bin/nvcc";
    toolchain.nvcc_version = "11.8.89";
    toolchain.cudart = "/cuda/lib64/libcudart_static.a";
    CHECK(build::obstacle_to_gpu_programs(toolchain).find("CUDA 11.8.89, which does not know C++20") !=
          std::string::npos);
    CHECK_FALSE(build::obstacle_to_nvcc(toolchain).empty());
    CHECK(build::describe(toolchain, build::Variant::emulated).no_nvcc == build::obstacle_to_nvcc(toolchain));
    CHECK(build::describe(toolchain, build::Variant::optimised).no_nvcc.empty());
    toolchain.nvcc_version = "12.0.76";
    CHECK(build::describe(toolchain, build::Variant::emulated).no_nvcc.empty());
    CHECK(build::obstacle_to_gpu_programs(toolchain).empty());
    toolchain.cudart.clear();
    CHECK(build::obstacle_to_gpu_programs(toolchain).find("libcudart_static.a") != std::string::npos);
    CHECK(build::obstacle_to_nvcc(toolchain).empty());
}
