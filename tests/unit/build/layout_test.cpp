#include "build/layout.h"
#include "model/errors.h"
#include "setup.h"

namespace {

const std::string whole =
    R"({"version": "0.1.0", "compiler": "/usr/bin/g++", "exercises": "../share/exercises",
"problems": "../share/problems", "reference": "r", "starters": "s", "schemas": "c", "kits": "/abs/kits", "canary": "k",
"objects": "objects", "preludes": "p", "headers": "h", "driver_library": "libdriver.a", "driver_flags": "-O2 -DNDEBUG",
"templates": "t", "emulator": "e"})";

} // namespace

TEST_CASE("relative paths start at the layout file's own folder, absolute ones stay") {
    test::Folder folder;
    test::write(folder.path() / "bin/layout.json", whole);
    const auto layout = build::read_layout(folder.path() / "bin/layout.json");
    CHECK(layout.version == "0.1.0");
    CHECK(layout.exercises == folder.path() / "share/exercises");
    CHECK(layout.kits == "/abs/kits");
    CHECK(layout.shim() == folder.path() / "bin/objects/shim.o");
    CHECK(layout.replay() == folder.path() / "bin/objects/replay.o");
    CHECK(layout.driver_flags == "-O2 -DNDEBUG");
}

TEST_CASE("a layout that is missing, no JSON or without a key is a content error that names the file") {
    test::Folder folder;
    const auto file = folder.path() / "layout.json";
    CHECK_THROWS_AS(build::read_layout(file), model::ContentError);
    test::write(file, "{");
    CHECK_THROWS_AS(build::read_layout(file), model::ContentError);
    std::string lacking = whole;
    lacking.replace(lacking.find("kits"), 4, "kite");
    test::write(file, lacking);
    CHECK_THROWS_WITH_AS(build::read_layout(file), doctest::Contains("/kits"), model::ContentError);
}

TEST_CASE("a layout may name nvcc and what a GPU is reached through; each has to be what it is called") {
    test::Folder folder;
    const auto file = folder.path() / "layout.json";
    const auto with = [&](const std::string& more) {
        test::write(file, whole.substr(0, whole.size() - 1) + more + "}");
        return build::read_layout(file);
    };
    CHECK(with("").nvcc.empty());
    CHECK(with(R"(, "nvcc": "/cuda/bin/nvcc")").nvcc == "/cuda/bin/nvcc");
    CHECK(with(R"(, "gpu_files": ["/dev/nvidia0"])").gpu_files ==
          std::vector<std::filesystem::path>{"/dev/nvidia0"});
    CHECK_THROWS_WITH_AS(with(R"(, "gpu_files": "/dev/nvidia0")"), doctest::Contains("/gpu_files"),
                         model::ContentError);
    CHECK_THROWS_WITH_AS(with(R"(, "nvcc": 5)"), doctest::Contains("/nvcc"), model::ContentError);
}
