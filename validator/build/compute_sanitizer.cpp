#include "build/compute_sanitizer.h"

#include "system/process.h"

#include <charconv>
#include <unistd.h>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "compute-sanitizer";
/// That of CUDA 12.0.
constexpr std::pair oldest{2022, 4};

bool is_executable(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

/// NVIDIA keeps the program in a folder of its own, among the libraries that it loads into what it checks; in
/// `bin` there is a script that starts it.
fs::path in_toolkit(const fs::path& bin) {
    std::error_code error;
    for (const fs::path& file : {bin.parent_path() / name / name, bin / name})
        if (is_executable(file)) return fs::canonical(file, error);
    return {};
}

fs::path find(const Layout& layout, const Toolchain& toolchain) {
    if (!layout.compute_sanitizer.empty())
        return is_executable(layout.compute_sanitizer) ? layout.compute_sanitizer : fs::path();
    std::error_code error;
    for (const fs::path& bin :
         {fs::canonical(toolchain.nvcc, error).parent_path(), fs::path("/usr/lib/nvidia-cuda-toolkit/bin"),
          fs::path("/usr/local/cuda/bin"), fs::path("/usr/bin"), fs::path("/bin")})
        if (fs::path program = in_toolkit(bin); !bin.empty() && !program.empty()) return program;
    return {};
}

/// A `bin` folder holds other programs as well, so of that only the program itself is shown to a sandbox.
std::vector<fs::path> files_of(const fs::path& program) {
    if (program.parent_path().filename() == name) return {program.parent_path()};
    return {};
}

std::pair<int, int> year_and_release(std::string_view version) {
    std::pair numbers{0, 0};
    const char* end = version.data() + version.size();
    const char* dot = std::from_chars(version.data(), end, numbers.first).ptr;
    if (dot != end) std::from_chars(dot + 1, end, numbers.second);
    return numbers;
}

} // namespace

std::string compute_sanitizer_version(std::string_view printed) {
    constexpr std::string_view word = "Version ";
    constexpr std::size_t longest = 32;
    const std::size_t at = printed.find(word);
    if (at == std::string_view::npos) return {};
    printed.remove_prefix(at + word.size());
    std::string version(printed.substr(0, std::min(printed.find_first_not_of("0123456789."), longest)));
    return year_and_release(version).first > 0 ? version : "";
}

std::variant<ComputeSanitizer, std::string> find_compute_sanitizer(const Layout& layout,
                                                                   const Toolchain& toolchain) {
    const fs::path program = find(layout, toolchain);
    if (program.empty()) return std::string("it is not installed here");
    sys::Command command;
    command.program = program;
    command.arguments = {"--version"};
    command.environment = {"LC_ALL=C.UTF-8"};
    command.directory = "/";
    const sys::RunOutcome outcome =
        sys::run(command, {.wall = std::chrono::seconds(10), .output_bytes = 1 << 14});
    const std::string version = compute_sanitizer_version(outcome.output);
    if (!outcome.ok() || version.empty()) return program.string() + " does not tell its version";
    if (year_and_release(version) < oldest)
        return program.string() + " is of " + version +
               "; it takes 2022.4, which comes with CUDA 12.0, or newer";
    return ComputeSanitizer{program, files_of(program), version};
}

model::Launcher launcher_for(const ComputeSanitizer& sanitizer, std::string_view tool) {
    model::Launcher launcher{.program = sanitizer.program.string(),
                             .arguments = {"--tool", std::string(tool), "--print-limit", "32",
                                           "--show-backtrace", "device", "--report-api-errors", "explicit",
                                           "--target-processes", "application-only", "--launch-timeout",
                                           "30"},
                             .files = {}};
    for (const fs::path& file : sanitizer.files)
        launcher.files.push_back(file.string());
    return launcher;
}

} // namespace build
