#include "build/gpu.h"

#include "build/gpu_program.h"
#include "build/plan.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <unistd.h>

namespace build {
namespace {

namespace fs = std::filesystem;

/// Where distributions, Windows' subsystem for Linux, images for containers and NixOS have the driver.
constexpr std::array library_folders{
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
    "/usr/lib/wsl/lib",          "/usr/local/nvidia/lib64",    "/usr/local/nvidia/lib",
    "/run/opengl-driver/lib"};
/// All that the driver loads to run a program that was compiled ahead, or from PTX; and what was apart from
/// the C library before its version 2.34, which drivers go on asking for.
constexpr std::array library_names{"libcuda.so",     "libnvidia-ptxjitcompiler.so",
                                   "libnvidia-nvvm", "libnvidia-gpucomp",
                                   "libdxcore.so",   "libdl.so.2",
                                   "libutil.so.1",   "libpthread.so.0",
                                   "librt.so.1"};

void add_matching(std::vector<fs::path>& files, const fs::path& folder, std::string_view prefix) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().filename().string().starts_with(prefix) && !entry.is_directory(error))
            files.push_back(entry.path());
}

/// "12.4" of 12040, as CUDA counts.
std::string cuda_version(int number) {
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

/// What an error of the runtime means for somebody who wants to use the GPU.
std::string words_for(const std::string& name, const std::string& words, int driver, int runtime,
                      const std::string& capability, std::string_view nvcc) {
    if (driver == 0) return "no NVIDIA driver is installed, or it is not loaded";
    if (name == "cudaErrorInsufficientDriver")
        return fmt::format(
            "the driver knows CUDA {}, and nvcc makes programs for CUDA {}; install a newer driver",
            cuda_version(driver), cuda_version(runtime));
    if (name == "cudaErrorNoDevice") return "the NVIDIA driver finds no GPU";
    if (name == "cudaErrorMemoryAllocation")
        return "the GPU has no memory left; nvidia-smi shows which programs use it";
    if (name == "cudaErrorNoKernelImageForDevice" || name == "cudaErrorUnsupportedPtxVersion")
        return fmt::format(
            "nvcc {} makes no code for compute capability {}; a toolkit that fits the GPU does", nvcc,
            capability);
    if (name == "cudaErrorDevicesUnavailable")
        return "another program has the GPU to itself; nvidia-smi shows which";
    return fmt::format("the GPU does not work: {} ({})", words, name);
}

/// Native code where nvcc knows the GPU, else the newest PTX, which the driver compiles.
std::string code_for(int major, int minor, std::string_view known) {
    const int wanted = major * 10 + minor;
    int newest = 0;
    std::istringstream lines{std::string(known)};
    for (std::string line; lines >> line;)
        if (const int each = line.starts_with("sm_") ? std::atoi(line.c_str() + 3) : 0; each <= wanted)
            newest = std::max(newest, each);
    if (newest == 0) return {};
    return fmt::format("-gencode=arch=compute_{0},code={1}_{0}", newest, newest == wanted ? "sm" : "compute");
}

/// The version of the kernel's module, where there is one: the driver's, as its packages count.
std::string driver_release() {
    std::string text;
    std::ifstream file("/sys/module/nvidia/version"); // whose size is not that of what it holds
    std::getline(file, text);
    return text;
}

} // namespace

std::vector<fs::path> driver_libraries() {
    std::vector<fs::path> files, seen;
    std::error_code error;
    for (const char* folder : library_folders) {
        const fs::path real = fs::canonical(folder, error); // `lib` may be a link to `lib64`
        if (error || std::ranges::find(seen, real) != seen.end()) continue;
        seen.push_back(real);
        for (const char* name : library_names)
            add_matching(files, folder, name);
    }
    return files;
}

std::vector<fs::path> gpu_files(const Layout& layout) {
    if (!layout.gpu_files.empty()) return layout.gpu_files;
    std::vector<fs::path> files;
    add_matching(files, "/dev", "nvidia");
    add_matching(files, "/dev", "dxg"); // Windows' own, below Linux
    if (files.empty()) return files;
    std::ranges::move(driver_libraries(), std::back_inserter(files));
    std::ranges::sort(files);
    return files;
}

fs::path forbidden_one(const std::vector<fs::path>& files) {
    const auto found = std::ranges::find_if(files, [](const fs::path& file) {
        const int rights = file.string().starts_with("/dev/") ? R_OK | W_OK : R_OK;
        return access(file.c_str(), F_OK) == 0 && access(file.c_str(), rights) != 0;
    });
    return found == files.end() ? fs::path() : *found;
}

std::variant<Gpu, std::string> read_probe(std::string_view printed, std::string_view nvcc,
                                          std::string_view known) {
    std::map<std::string, std::string> facts;
    std::istringstream lines{std::string(printed)};
    for (std::string line; std::getline(lines, line);)
        facts[line.substr(0, line.find(' '))] = line.substr(std::min(line.find(' ') + 1, line.size()));
    const auto numbers = [&](const char* fact) {
        std::pair<int, int> both{0, 0};
        std::istringstream(facts[fact]) >> both.first >> both.second;
        return both;
    };
    const auto [driver, runtime] = numbers("cuda");
    const auto [major, minor] = numbers("capability");
    const std::string capability = fmt::format("{}.{}", major, minor);
    if (const auto error = facts.find("error"); error != facts.end()) {
        const std::string name = error->second.substr(0, error->second.find(' '));
        const std::string words = error->second.substr(std::min(name.size() + 1, error->second.size()));
        return words_for(name, words, driver, runtime, capability, nvcc);
    }
    if (!facts.contains("works"))
        return std::string("the GPU's driver ended our program before it could say anything");
    const std::string code = code_for(major, minor, known);
    if (code.empty())
        return words_for("cudaErrorNoKernelImageForDevice", "", driver, runtime, capability, nvcc);
    const std::string release = driver_release();
    return Gpu{{.name = facts["name"],
                .driver = (release.empty() ? "" : release + ", ") + "CUDA " + cuda_version(driver),
                .capability = capability,
                .clock_mhz = numbers("clock_mhz").first,
                .memory_mib = numbers("memory_mib").first},
               code};
}

std::variant<Gpu, std::string> find_gpu(const Workshop& workshop, int cancel_fd) {
    if (std::string obstacle = obstacle_to_gpu_programs(workshop.toolchain()); !obstacle.empty())
        return obstacle;
    const std::vector<fs::path> files = gpu_files(workshop.layout());
    if (files.empty()) return std::string("no NVIDIA driver is installed, or it is not loaded");
    if (const fs::path file = forbidden_one(files); !file.empty())
        return fmt::format("this user may not use {}; ls -l shows the group that may", file.string());
    auto answer = run_gpu_program(workshop, workshop.layout().gpu_probe(), cancel_fd);
    if (auto* why = std::get_if<std::string>(&answer)) return std::move(*why);
    const auto& [outcome, known] = std::get<GpuAnswer>(answer);
    return read_probe(outcome.output, workshop.toolchain().nvcc_version, known);
}

} // namespace build
