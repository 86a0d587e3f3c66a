#include "isolation/files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gnu/libc-version.h>

namespace isolation {
namespace {

namespace fs = std::filesystem;

constexpr std::array loaders{"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"};
/// Where the loader looks without its cache, in its order.
constexpr std::array folders{"/lib/x86_64-linux-gnu",
                             "/usr/lib/x86_64-linux-gnu",
                             "/lib/aarch64-linux-gnu",
                             "/usr/lib/aarch64-linux-gnu",
                             "/lib64",
                             "/usr/lib64"};
constexpr std::array libraries{"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"};
/// Part of the C library itself since its version 2.34.
constexpr std::array once_apart{"libpthread.so.0", "libdl.so.2", "librt.so.1"};
constexpr std::array sanitizers{"libasan.so.5", "libasan.so.6", "libasan.so.8",
                                "libtsan.so.0", "libtsan.so.2", "libubsan.so.1"};
constexpr std::array devices{"/dev/null", "/dev/urandom"};

void add_library(std::vector<fs::path>& files, const char* name) {
    for (const char* folder : folders)
        if (fs::path file = fs::path(folder) / name; fs::exists(file)) {
            files.push_back(std::move(file));
            return;
        }
}

std::vector<fs::path> find(bool sanitized) {
    std::vector<fs::path> files;
    for (const char* loader : loaders)
        if (fs::exists(loader)) files.emplace_back(loader);
    for (const char* name : libraries)
        add_library(files, name);
    if (strverscmp(gnu_get_libc_version(), "2.34") < 0)
        for (const char* name : once_apart)
            add_library(files, name);
    if (sanitized)
        for (const char* name : sanitizers)
            add_library(files, name);
    for (const char* device : devices)
        if (fs::exists(device)) files.emplace_back(device);
    return files;
}

} // namespace

const std::vector<fs::path>& worker_files(bool sanitized) {
    static const std::vector<fs::path> plain = find(false);
    static const std::vector<fs::path> checked = find(true);
    return sanitized ? checked : plain;
}

const std::vector<fs::path>& driver_files() {
    static const std::vector<fs::path> files{"/sys/devices/system", "/sys/module/nvidia/initstate",
                                             "/sys/module/nvidia_uvm/initstate"};
    return files;
}

std::string library_path(const std::vector<fs::path>& files) {
    std::vector<std::string> others;
    for (const fs::path& file : files) {
        const std::string folder = file.parent_path().string();
        if (folder == "/dev" || folder.starts_with("/dev/") ||
            std::ranges::find(folders, folder) != folders.end() ||
            std::ranges::find(others, folder) != others.end())
            continue;
        others.push_back(folder);
    }
    std::string path;
    for (const std::string& folder : others)
        path += (path.empty() ? "LD_LIBRARY_PATH=" : ":") + folder;
    return path;
}

} // namespace isolation
