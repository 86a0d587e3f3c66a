// Which compute-sanitizer is used, and how it is asked to start a program.
#include "build/compute_sanitizer.h"
#include "unit/folder.h"

#include <doctest/doctest.h>
#include <fstream>

using build::ComputeSanitizer;
namespace fs = std::filesystem;

namespace {

void write_program(const fs::path& file, const std::string& says) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\nprintf '" << says << "'\n";
    fs::permissions(file, fs::perms(0755));
}

std::string reason_of(const std::variant<ComputeSanitizer, std::string>& found) {
    const auto* why = std::get_if<std::string>(&found);
    return why == nullptr ? "" : *why;
}

} // namespace

TEST_CASE("its version is a number after a word, and nothing else") {
    CHECK(build::compute_sanitizer_version("NVIDIA (R) Compute Sanitizer\nVersion 2024.1.1.0 (build 1)\n") ==
          "2024.1.1.0");
    CHECK(build::compute_sanitizer_version("Version of nothing").empty());
    CHECK(build::compute_sanitizer_version("").empty());
    CHECK(build::compute_sanitizer_version("Version 2024" + std::string(1000, '.')).size() <= 32);
}

TEST_CASE("the program in the toolkit's own folder is preferred to the script in bin") {
    const test::Folder folder;
    const fs::path toolkit = folder.path() / "cuda";
    write_program(toolkit / "bin/nvcc", "");
    write_program(toolkit / "bin/compute-sanitizer", "Version 2023.3.0");
    write_program(toolkit / "compute-sanitizer/compute-sanitizer", "Version 2024.1.1");
    build::Toolchain toolchain;
    toolchain.nvcc = toolkit / "bin/nvcc";
    auto found = build::find_compute_sanitizer({}, toolchain);
    REQUIRE(std::holds_alternative<ComputeSanitizer>(found));
    CHECK(std::get<ComputeSanitizer>(found).version == "2024.1.1");
    CHECK(std::get<ComputeSanitizer>(found).files == std::vector{toolkit / "compute-sanitizer"});

    fs::remove_all(toolkit / "compute-sanitizer");
    found = build::find_compute_sanitizer({}, toolchain);
    REQUIRE(std::holds_alternative<ComputeSanitizer>(found));
    CHECK(std::get<ComputeSanitizer>(found).version == "2023.3.0");
    CHECK(std::get<ComputeSanitizer>(found).files.empty()); // `bin` holds other programs as well
}

TEST_CASE("one that is missing, too old, or silent is not used, and a sentence says why") {
    const test::Folder folder;
    build::Layout layout;
    layout.compute_sanitizer = folder.path() / "checker";
    CHECK(reason_of(build::find_compute_sanitizer(layout, {})) == "it is not installed here");
    write_program(layout.compute_sanitizer, "Version 2022.3.0");
    CHECK(reason_of(build::find_compute_sanitizer(layout, {})).find("is of 2022.3.0; it takes 2022.4") !=
          std::string::npos);
    write_program(layout.compute_sanitizer, "hello");
    CHECK(reason_of(build::find_compute_sanitizer(layout, {})).find("does not tell its version") !=
          std::string::npos);
    write_program(layout.compute_sanitizer, "Version 2022.4.0");
    CHECK(reason_of(build::find_compute_sanitizer(layout, {})).empty());
}

TEST_CASE("it is started with its tool, and with what it needs to see") {
    const model::Launcher launcher = build::launcher_for(
        {"/cuda/compute-sanitizer/compute-sanitizer", {"/cuda/compute-sanitizer"}, "2024.1"}, "racecheck");
    CHECK(launcher.program == "/cuda/compute-sanitizer/compute-sanitizer");
    CHECK(launcher.files == std::vector<std::string>{"/cuda/compute-sanitizer"});
    REQUIRE(launcher.arguments.size() > 2);
    CHECK(launcher.arguments[0] == "--tool");
    CHECK(launcher.arguments[1] == "racecheck");
}
