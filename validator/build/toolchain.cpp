#include "build/toolchain.h"

#include "build/plan.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/memo.h"
#include "build/scratch.h"
#include "isolation/worker.h"
#include "model/errors.h"
#include "system/process.h"

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace build {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* remedy = "; install one with: apt-get install g++";
constexpr std::array system_folders{"/usr/bin", "/bin"};

std::optional<fs::path> in_system_folders(const std::string& program) {
    for (const char* folder : system_folders)
        if (fs::path path = fs::path(folder) / program; access(path.c_str(), X_OK) == 0) return path;
    return std::nullopt;
}

/// A compiler cache in front of the compiler would need a home of its own; ours is enough.
bool is_usable(const fs::path& program) {
    std::error_code error;
    return access(program.c_str(), X_OK) == 0 && !fs::is_directory(program, error) &&
           fs::canonical(program, error).filename() != "ccache";
}

/// What the layout names, else on the path of a system, or where NVIDIA's installer puts it.
std::optional<fs::path> find_nvcc(const Layout& layout) {
    if (!layout.nvcc.empty())
        return access(layout.nvcc.c_str(), X_OK) == 0 ? std::optional(layout.nvcc) : std::nullopt;
    if (auto path = in_system_folders("nvcc")) return path;
    const fs::path usual = "/usr/local/cuda/bin/nvcc";
    return access(usual.c_str(), X_OK) == 0 ? std::optional(usual) : std::nullopt;
}

/// NVIDIA's installer puts it beside nvcc, Debian where all libraries are. By its real name: `lib64` is a
/// link.
fs::path find_cudart(const fs::path& nvcc) {
    std::error_code error;
    const fs::path toolkit = fs::canonical(nvcc, error).parent_path().parent_path();
    for (const fs::path& folder :
         {toolkit / "lib64", toolkit / "targets/x86_64-linux/lib", toolkit / "targets/sbsa-linux/lib",
          fs::path("/usr/lib/x86_64-linux-gnu"), fs::path("/usr/lib/aarch64-linux-gnu")})
        if (fs::path file = folder / "libcudart_static.a"; access(file.c_str(), R_OK) == 0)
            return fs::canonical(file, error);
    return {};
}

fs::path find_compiler(const Layout& layout) {
    if (!layout.compiler.empty() && is_usable(layout.compiler)) return layout.compiler;
    for (const char* name : {"g++", "clang++"})
        if (const auto path = in_system_folders(name); path && is_usable(*path)) return *path;
    throw model::EnvironmentError(std::string("no C++ compiler found in /usr/bin") + remedy);
}

std::string identity_of(const fs::path& compiler, const fs::path& nvcc) {
    std::error_code error;
    Digest digest;
    digest.add("engine.toolchain/2").add(compiler.string()).add(stamp(fs::canonical(compiler, error)));
    for (const char* program : {"ld.mold", "ld.lld", "ld", "as", "nm", "addr2line"})
        digest.add(stamp(in_system_folders(program).value_or(program)));
    digest.add(nvcc.string()).add(stamp(nvcc));
    return digest.hex();
}

/// "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88"
std::string nvcc_version(const std::string& output) {
    const std::size_t at = output.find(", V");
    return at == std::string::npos ? std::string{} : output.substr(at + 3, output.find('\n', at) - at - 3);
}

/// Runs the compiler on our own small programs, in a folder of ours.
class Trial {
  public:
    Trial(fs::path compiler, const fs::path& cache_folder)
        : compiler_(std::move(compiler)), scratch_(cache_folder) {
        scratch_.write("trial.cpp",
                       "#include <string>\n#include <span>\n"
                       "int main(int count, char** words) {\n"
                       "    return std::string(std::span(words, 1)[0]).size() > 0 && count ? 0 : 1;\n}\n");
    }

    sys::RunOutcome run(std::vector<std::string> arguments) const {
        return run(compiler_, std::move(arguments));
    }

    sys::RunOutcome run(const fs::path& program, std::vector<std::string> arguments) const {
        sys::Command command;
        command.program = program;
        command.arguments = std::move(arguments);
        command.environment = compiler_environment(scratch_.path());
        command.directory = scratch_.path();
        return sys::run(command, {.wall = std::chrono::seconds(60)});
    }

    bool links(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"-pie", "trial.o", "-o", "trial"});
        return run(std::move(arguments)).ok();
    }

    /// ThreadSanitizer is particular about where a program's memory lies, which a container may not grant it:
    /// it has to work as confined as it will be.
    bool races_are_seen(bool static_runtime) const {
        std::vector<std::string> arguments{"-std=c++20", "-fPIE", "-pie", "-fsanitize=thread"};
        if (static_runtime) arguments.insert(arguments.end(), {"-static-libstdc++", "-static-libgcc"});
        arguments.insert(arguments.end(), {"trial.cpp", "-o", "racing"});
        if (!run(std::move(arguments)).ok()) return false;
        const sys::Fd program(open((scratch_.path() / "racing").c_str(), O_RDONLY | O_CLOEXEC));
        try {
            sys::Command command;
            command.program = "racing";
            command.program_fd = program.get();
            command.environment = {
                "TSAN_OPTIONS=disable_coredump=0"}; // else it sets a limit, which no worker may
            command.confinement = isolation::confine_worker(
                {.program_fd = program.get(), .sanitized = true, .fixed_addresses = true});
            return program && sys::run(command, {.wall = std::chrono::seconds(20)}).ok();
        } catch (const model::EnvironmentError&) {
            return false;
        }
    }

  private:
    fs::path compiler_;
    Scratch scratch_;
};

void choose_linker(Toolchain& toolchain, const Trial& trial) {
    for (const bool static_runtime : {true, false}) {
        for (const char* linker : {"mold", "lld", ""}) {
            std::vector<std::string> arguments;
            if (*linker != '\0') arguments.push_back(std::string("-fuse-ld=") + linker);
            if (static_runtime) arguments.insert(arguments.end(), {"-static-libstdc++", "-static-libgcc"});
            if (!trial.links(arguments)) continue;
            toolchain.linker = linker;
            toolchain.static_runtime = static_runtime;
            return;
        }
    }
    throw model::EnvironmentError(
        toolchain.name() +
        " compiles but cannot link a program; install its libraries with: " + "apt-get install g++ binutils");
}

Toolchain examine(const fs::path& compiler, const fs::path& nvcc, const fs::path& cache_folder) {
    const Trial trial(compiler, cache_folder);
    Toolchain toolchain;
    toolchain.compiler = compiler;
    toolchain.family = trial.run({"--version"}).first_line().find("clang") == std::string::npos
                           ? Family::gcc
                           : Family::clang;
    toolchain.version = trial.run({"-dumpfullversion", "-dumpversion"}).first_line();
    toolchain.machine = trial.run({"-dumpmachine"}).first_line();
    if (const auto compiled = trial.run({"-std=c++20", "-fPIE", "-c", "trial.cpp", "-o", "trial.o"});
        !compiled.ok())
        throw model::EnvironmentError(toolchain.name() + " (" + compiler.string() +
                                      ") cannot compile C++20: " + compiled.first_line() + remedy);
    choose_linker(toolchain, trial);
    toolchain.sanitizers =
        trial.run({"-std=c++20", "-fPIE", "-pie", "-fsanitize=address,undefined", "trial.cpp", "-o", "trial"})
            .ok();
    toolchain.races = trial.races_are_seen(toolchain.static_runtime);
    toolchain.nm = in_system_folders("nm").value_or("");
    toolchain.nvcc = nvcc;
    if (!nvcc.empty()) {
        toolchain.nvcc_version = nvcc_version(trial.run(nvcc, {"--version"}).output);
        toolchain.cudart = find_cudart(nvcc);
    }
    toolchain.addr2line = in_system_folders("addr2line").value_or("");
    return toolchain;
}

json to_json(const Toolchain& t) {
    return {{"compiler", t.compiler.string()},
            {"clang", t.family == Family::clang},
            {"version", t.version},
            {"machine", t.machine},
            {"linker", t.linker},
            {"static_runtime", t.static_runtime},
            {"sanitizers", t.sanitizers},
            {"races", t.races},
            {"nm", t.nm.string()},
            {"nvcc", t.nvcc.string()},
            {"nvcc_version", t.nvcc_version},
            {"cudart", t.cudart.string()},
            {"addr2line", t.addr2line.string()},
            {"identity", t.identity}};
}

fs::path memory_of(const std::string& identity, const fs::path& cache_folder) {
    return cache_folder / ("toolchain-" + identity.substr(0, 16) + ".json");
}

std::optional<Toolchain> remembered(const fs::path& file, const std::string& identity) {
    const auto text = read_memo(file);
    if (!text) return std::nullopt;
    try {
        const json value = json::parse(*text);
        if (value.at("identity") != identity) return std::nullopt;
        Toolchain t;
        t.compiler = value.at("compiler").get<std::string>();
        t.family = value.at("clang").get<bool>() ? Family::clang : Family::gcc;
        t.version = value.at("version").get<std::string>();
        t.machine = value.at("machine").get<std::string>();
        t.linker = value.at("linker").get<std::string>();
        t.static_runtime = value.at("static_runtime").get<bool>();
        t.sanitizers = value.at("sanitizers").get<bool>();
        t.races = value.at("races").get<bool>();
        t.nm = value.at("nm").get<std::string>();
        t.nvcc = value.at("nvcc").get<std::string>();
        t.nvcc_version = value.at("nvcc_version").get<std::string>();
        t.cudart = value.at("cudart").get<std::string>();
        t.addr2line = value.at("addr2line").get<std::string>();
        t.identity = identity;
        return t;
    } catch (const json::exception&) {
        return std::nullopt; // of an engine that wrote it in another way
    }
}

} // namespace

std::string Toolchain::name() const {
    return (family == Family::gcc ? "g++ " : "clang++ ") + version;
}

std::vector<std::string> compiler_environment(const std::filesystem::path& scratch) {
    return {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TMPDIR=" + scratch.string(), "SOURCE_DATE_EPOCH=0"};
}

Toolchain find_toolchain(const Layout& layout, const std::filesystem::path& cache_folder,
                         const std::function<void(std::string_view)>& progress) {
    const fs::path compiler = find_compiler(layout);
    const fs::path nvcc = find_nvcc(layout).value_or("");
    const std::string identity = identity_of(compiler, nvcc);
    const fs::path file = memory_of(identity, cache_folder);
    if (auto known = remembered(file, identity)) return *known;

    if (progress) progress("trying out the compiler (once)");
    Toolchain toolchain = examine(compiler, nvcc, cache_folder);
    toolchain.identity = identity;
    write_memo(file, to_json(toolchain).dump());
    return toolchain;
}

void forget_toolchain(const Toolchain& toolchain, const std::filesystem::path& cache_folder) {
    std::error_code error; // where it stays, a program that fails says so again
    fs::remove(memory_of(toolchain.identity, cache_folder), error);
}

std::string obstacle_to_nvcc(const Toolchain& toolchain) {
    constexpr int oldest = 12;
    if (toolchain.nvcc.empty()) return "there is no nvcc here; install the CUDA Toolkit, 12.0 or newer";
    if (std::atoi(toolchain.nvcc_version.c_str()) < oldest)
        return toolchain.nvcc.string() + " is of CUDA " + toolchain.nvcc_version +
               ", which does not know C++20; install the CUDA Toolkit, 12.0 or newer";
    return {};
}

std::string obstacle_to_gpu_programs(const Toolchain& toolchain) {
    if (std::string obstacle = obstacle_to_nvcc(toolchain); !obstacle.empty()) return obstacle;
    if (toolchain.cudart.empty())
        return "beside " + toolchain.nvcc.string() +
               " there is no libcudart_static.a; install the whole CUDA Toolkit";
    if (toolchain.family != Family::gcc)
        return "nvcc is used with g++ here; install it with: apt-get install g++";
    return {};
}

model::Toolchain describe(const Toolchain& toolchain, Variant variant) {
    std::string flags;
    for (const std::string& flag : code_flags(toolchain, variant))
        flags += (flags.empty() ? "" : " ") + flag;
    return {toolchain.name(),
            flags,
            toolchain.linker.empty() ? "default" : toolchain.linker,
            toolchain.sanitizers,
            is_emulated(variant) && !toolchain.nvcc.empty() ? "nvcc " + toolchain.nvcc_version
                                                            : std::string{},
            is_emulated(variant) && !toolchain.nvcc.empty() ? obstacle_to_nvcc(toolchain) : std::string{}};
}

} // namespace build
