#include "build/plan.h"
#include "model/errors.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

build::Toolchain gcc() {
    build::Toolchain toolchain;
    toolchain.compiler = "/usr/bin/g++";
    toolchain.version = "12.2.0";
    toolchain.machine = "x86_64-linux-gnu";
    toolchain.linker = "mold";
    return toolchain;
}

build::Layout layout() {
    build::Layout layout;
    layout.exercises = "/e/exercises";
    layout.objects = "/e/objects";
    return layout;
}

model::Problem problem() {
    model::Problem problem;
    problem.id = "lookup";
    problem.files = {"lookup.cpp"};
    problem.exercise = "/e/exercises/lookup";
    return problem;
}

bool has(const std::vector<std::string>& list, const std::string& argument) {
    return std::ranges::find(list, argument) != list.end();
}

using Arguments = std::vector<std::string>;
using build::Variant;

} // namespace

TEST_CASE("the optimised plan compiles each source with fixed arguments and links table and shim") {
    const auto plan = make_plan(problem(), gcc(), layout(), Variant::optimised, {"/s", "/c/light.h"});
    REQUIRE(plan.translations.size() == 1);
    CHECK(plan.translations[0].arguments == Arguments{"-std=c++20",
                                                      "-g1",
                                                      "-fPIE",
                                                      "-pthread",
                                                      "-D_GLIBCXX_ASSERTIONS",
                                                      "-ffp-contract=off",
                                                      "-fstack-protector-strong",
                                                      "-fcf-protection",
                                                      "-O2",
                                                      "-ftemplate-depth=512",
                                                      "-fmessage-length=0",
                                                      "-fconstexpr-ops-limit=33554432",
                                                      "-fmax-errors=20",
                                                      "-fno-diagnostics-show-caret",
                                                      "-fdiagnostics-column-unit=byte",
                                                      "-fdiagnostics-color=never",
                                                      "-Wall",
                                                      "-Wextra",
                                                      "-ffile-prefix-map=/s=.",
                                                      "-I",
                                                      "/e/exercises/lookup",
                                                      "-I",
                                                      "/e/exercises",
                                                      "-include",
                                                      "/c/light.h",
                                                      "-include",
                                                      "guard.h",
                                                      "-c",
                                                      "lookup.cpp",
                                                      "-o",
                                                      "lookup.cpp.o"});
    CHECK(plan.link == Arguments{"-pie", "-fno-lto", "-fuse-ld=mold", "-static-libstdc++", "-static-libgcc",
                                 "lookup.cpp.o", "table.o", "/e/objects/shim.o", "-pthread", "-o", "worker"});
}

TEST_CASE("only the sanitized variant has sanitizers, in compiling and in linking") {
    const auto plain = make_plan(problem(), gcc(), layout(), Variant::optimised, {});
    const auto checked = make_plan(problem(), gcc(), layout(), Variant::sanitized, {});
    CHECK(has(checked.translations[0].arguments, "-fsanitize=address,undefined"));
    CHECK(has(checked.translations[0].arguments, "-fno-sanitize-recover=undefined"));
    CHECK(has(checked.link, "-fsanitize=address,undefined"));
    CHECK_FALSE(has(plain.translations[0].arguments, "-fsanitize=address,undefined"));
    CHECK_FALSE(has(plain.link, "-fsanitize=address,undefined"));
}

TEST_CASE("the variant that looks for races has ThreadSanitizer and no other") {
    const auto plan = make_plan(problem(), gcc(), layout(), Variant::threaded, {});
    CHECK(has(plan.translations[0].arguments, "-fsanitize=thread"));
    CHECK(has(plan.link, "-fsanitize=thread"));
    CHECK_FALSE(has(plan.link, "-fsanitize=address,undefined"));
    CHECK(build::checked_variant(model::Language::cpp) == Variant::sanitized);
}

TEST_CASE("a program for a debugger is not optimised, and has a main that makes recorded calls") {
    const auto plan = make_plan(problem(), gcc(), layout(), Variant::debugged, {});
    CHECK(has(plan.translations[0].arguments, "-O0"));
    CHECK_FALSE(has(plan.translations[0].arguments, "-O2"));
    CHECK(has(plan.link, layout().replay().string()));
    CHECK_FALSE(has(plan.link, layout().shim().string()));
    CHECK_FALSE(
        has(make_plan(problem(), gcc(), layout(), Variant::optimised, {}).link, layout().replay().string()));
    for (const model::Language language : {model::Language::cpp, model::Language::cuda}) {
        CHECK(build::is_debugged(build::debugged_variant(language)));
        CHECK_FALSE(build::is_debugged(build::judged_variant(language)));
        CHECK_FALSE(build::is_debugged(build::checked_variant(language)));
    }
    CHECK(build::is_emulated(build::debugged_variant(model::Language::cuda)));
    CHECK(build::worker_objects(layout(), build::debugged_variant(model::Language::cuda)) ==
          std::vector{layout().replay(), layout().emulator_shim(), layout().emulator_runtime()});
}

TEST_CASE("a program for a GPU is compiled by nvcc, for that GPU, and linked with its runtime") {
    build::Toolchain toolchain = gcc();
    toolchain.nvcc = "/cuda/bin/nvcc";
    toolchain.cudart = "/cuda/lib64/libcudart_static.a";
    model::Problem cuda = problem();
    cuda.files = {"lookup.cu"};
    const auto plan = make_plan(cuda, toolchain, layout(), Variant::on_gpu, {"/s", "", "-gencode=x"});
    REQUIRE(plan.translations.size() == 1);
    CHECK(plan.translations[0].source == "lookup.cu"); // as it is, not rewritten
    CHECK(has(plan.translations[0].arguments, "-gencode=x"));
    CHECK(has(plan.link, toolchain.cudart.string()));
    CHECK(has(plan.link, layout().shim().string()));
    CHECK_FALSE(has(plan.link, layout().emulator_runtime().string()));
    CHECK_FALSE(build::is_emulated(Variant::on_gpu));
    CHECK(build::judged_variant(model::Language::cuda) == Variant::emulated);
    CHECK(build::checked_variant(model::Language::cuda) == Variant::traced);
}

TEST_CASE("a .cpp file of a CUDA program does not begin with the headers of CUDA") {
    model::Problem cuda = problem();
    cuda.files = {"main.cpp", "kernels.cu"};
    const auto plan = make_plan(cuda, gcc(), layout(), Variant::emulated, {"/s", "/c/cuda.h"});
    REQUIRE(plan.translations.size() == 2);
    const auto& host = plan.translations[0].arguments;
    const auto& device = plan.translations[1].arguments;
    CHECK(has(host, "cuda_emulator/host_file.h"));
    CHECK_FALSE(has(host, "cuda_runtime.h"));
    CHECK_FALSE(has(host, "/c/cuda.h"));
    CHECK_FALSE(has(device, "cuda_emulator/host_file.h"));
    CHECK(has(device, "cuda_runtime.h"));
    CHECK(has(device, "/c/cuda.h"));
}

TEST_CASE("a precompiled header is made with the very code flags that its users are compiled with") {
    for (const Variant variant : {Variant::optimised, Variant::sanitized}) {
        const auto made = build::prelude_arguments(gcc(), build::code_flags(gcc(), variant), "/c/light.h",
                                                   "/c/light.h.gch", "/c/d");
        const auto used =
            make_plan(problem(), gcc(), layout(), variant, {"/s", "/c/light.h"}).translations[0].arguments;
        for (const std::string& flag : build::code_flags(gcc(), variant)) {
            CHECK(has(made, flag));
            CHECK(has(used, flag));
        }
    }
}

TEST_CASE("control-flow protection is asked for on x86-64 only") {
    build::Toolchain arm = gcc();
    arm.machine = "aarch64-linux-gnu";
    CHECK(has(code_flags(gcc(), Variant::optimised), "-fcf-protection"));
    CHECK_FALSE(has(code_flags(arm, Variant::optimised), "-fcf-protection"));
}

TEST_CASE("clang gets its own names for limits and precompiled headers") {
    build::Toolchain clang = gcc();
    clang.family = build::Family::clang;
    const auto plan = make_plan(problem(), clang, layout(), Variant::optimised, {"/s", "/c/light.h"});
    CHECK(has(plan.translations[0].arguments, "-fconstexpr-steps=33554432"));
    CHECK(has(plan.translations[0].arguments, "/c/light.h.pch"));
    CHECK_FALSE(has(plan.translations[0].arguments, "-fconstexpr-ops-limit=33554432"));
}

TEST_CASE("a toolchain without mold or a static runtime links without them") {
    build::Toolchain plain = gcc();
    plain.linker.clear();
    plain.static_runtime = false;
    CHECK(make_plan(problem(), plain, layout(), Variant::optimised, {}).link ==
          Arguments{"-pie", "-fno-lto", "lookup.cpp.o", "table.o", "/e/objects/shim.o", "-pthread", "-o",
                    "worker"});
}

TEST_CASE("headers among a problem's files are not compiled by themselves, and a name with folders or for an "
          "option is refused") {
    model::Problem two = problem();
    two.files = {"model.h", "lookup.cpp", "model.cpp"};
    CHECK(make_plan(two, gcc(), layout(), Variant::optimised, {}).translations.size() == 2);
    for (const char* name : {"../lookup.cpp", "-lookup.cpp", "@lookup.cpp"}) {
        two.files = {name};
        CHECK_THROWS_AS(make_plan(two, gcc(), layout(), Variant::optimised, {}), model::ContentError);
    }
}

TEST_CASE("a program with a main of its own is linked with neither shim nor call table") {
    const auto own = make_plan(problem(), gcc(), layout(), Variant::optimised, {}, build::Main::learner).link;
    const auto worker = make_plan(problem(), gcc(), layout(), Variant::optimised, {}).link;
    for (const std::string& part : {std::string(build::table_object), layout().shim().string()}) {
        CHECK(std::ranges::find(worker, part) != worker.end());
        CHECK(std::ranges::find(own, part) == own.end());
    }
    CHECK(build::worker_objects(layout(), Variant::emulated, build::Main::learner) ==
          std::vector{layout().emulator_runtime()});
}
