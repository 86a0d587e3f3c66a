#include "build/gpu.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using build::Gpu;

namespace {

constexpr const char* h200 =
    "cuda 12040 12040\ncapability 9 0\nclock_mhz 1980\nmemory_mib 143771\nname NVIDIA H200\n";
constexpr const char* known = "sm_75\nsm_80\nsm_90\n";

std::string refusal(const std::string& printed) {
    const auto found = build::read_probe(printed, "12.4.0", known);
    const auto* why = std::get_if<std::string>(&found);
    return why == nullptr ? "" : *why;
}

std::string code_for(const char* capability, const char* codes) {
    const auto found = build::read_probe(
        std::string("cuda 12040 12040\ncapability ") + capability + "\nname G\nworks\n", "12.4.0", codes);
    const auto* gpu = std::get_if<Gpu>(&found);
    return gpu == nullptr ? "" : gpu->code;
}

} // namespace

TEST_CASE("a driver finds what was apart from the C library, once and in one place") {
    const auto libraries = build::driver_libraries();
    for (const char* name : {"libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1"})
        CHECK(std::ranges::count(libraries, name,
                                 [](const auto& file) { return file.filename().string(); }) == 1);
}

TEST_CASE("a GPU that works is named with all that is known of it") {
    const auto found = build::read_probe(std::string(h200) + "works\n", "12.4.0", known);
    const auto* gpu = std::get_if<Gpu>(&found);
    REQUIRE(gpu != nullptr);
    CHECK(gpu->facts.name == "NVIDIA H200");
    CHECK(gpu->facts.driver.ends_with("CUDA 12.4"));
    CHECK(gpu->facts.capability == "9.0");
    CHECK(gpu->facts.clock_mhz == 1980);
    CHECK(gpu->facts.memory_mib == 143771);
}

TEST_CASE("nvcc makes code of the GPU itself where it knows it, else PTX of the newest that is older") {
    CHECK(code_for("9 0", known) == "-gencode=arch=compute_90,code=sm_90");
    CHECK(code_for("8 0", known) == "-gencode=arch=compute_80,code=sm_80");
    CHECK(code_for("12 0", known) == "-gencode=arch=compute_90,code=compute_90");
    CHECK(code_for("8 9", known) == "-gencode=arch=compute_80,code=compute_80");
    CHECK(code_for("7 0", known).empty());
}

TEST_CASE("a program that did not come to its end is no GPU") {
    CHECK(refusal(h200).find("ended our program before it could say anything") != std::string::npos);
    CHECK(refusal("").find("ended our program") != std::string::npos);
}

TEST_CASE("each error says what it means for somebody who wants the GPU") {
    CHECK(refusal("cuda 0 12040\nerror cudaErrorInsufficientDriver driver too old\n")
              .starts_with("no NVIDIA driver"));
    CHECK(refusal("cuda 12020 12040\nerror cudaErrorInsufficientDriver driver too old\n") ==
          "the driver knows CUDA 12.2, and nvcc makes programs for CUDA 12.4; install a newer driver");
    CHECK(refusal("cuda 12040 12040\nerror cudaErrorNoDevice none\n") == "the NVIDIA driver finds no GPU");
    CHECK(refusal(std::string(h200) + "error cudaErrorMemoryAllocation out of memory\n")
              .find("no memory left") != std::string::npos);
    CHECK(refusal(
              "cuda 12040 12040\ncapability 6 1\nname P100\nerror cudaErrorNoKernelImageForDevice none\n") ==
          "nvcc 12.4.0 makes no code for compute capability 6.1; a toolkit that fits the GPU does");
    CHECK(refusal(std::string(h200) + "error wrong_result element 3 is 3 and should be 6\n") ==
          "the GPU does not work: element 3 is 3 and should be 6 (wrong_result)");
}

TEST_CASE("files that this user may not use are found, others and missing ones are not") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "engine-gpu-files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    for (const char* name : {"open", "closed"})
        std::ofstream(folder / name) << "x";
    std::filesystem::permissions(folder / "open", std::filesystem::perms(0444));
    std::filesystem::permissions(folder / "closed", std::filesystem::perms(0));
    const auto found_by_somebody = [&](const std::vector<std::filesystem::path>& files) {
        const pid_t child = fork();
        if (child == 0) {
            if (getuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(2);
            _exit(build::forbidden_one(files) == folder / "closed" ? 1 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    };
    CHECK(found_by_somebody({folder / "missing", folder / "open", folder / "closed"}) == 1);
    CHECK(found_by_somebody({folder / "missing", folder / "open"}) == 0);
    std::filesystem::remove_all(folder);
}
