#include "system/memory.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>

namespace sys {
namespace {

/// A file of /proc about a process, or about its only child.
Fd open_process_file(int pid, bool first_of_namespace, const char* name) {
    if (first_of_namespace) {
        const std::string task = std::to_string(pid);
        const Fd children(
            open(("/proc/" + task + "/task/" + task + "/children").c_str(), O_RDONLY | O_CLOEXEC));
        std::array<char, 32> text{};
        if (!children || read(children.get(), text.data(), text.size() - 1) <= 0) return Fd{};
        pid = std::atoi(text.data());
    }
    return Fd(open(("/proc/" + std::to_string(pid) + "/" + name).c_str(), O_RDONLY | O_CLOEXEC));
}

} // namespace

Fd open_memory(int pid, bool first_of_namespace) {
    return open_process_file(pid, first_of_namespace, "statm");
}

std::chrono::nanoseconds waited_for_core(int pid, bool first_of_namespace) {
    const Fd file = open_process_file(pid, first_of_namespace, "schedstat");
    std::array<char, 128> text{};
    if (!file || pread(file.get(), text.data(), text.size() - 1, 0) <= 0) return {};
    unsigned long long ran = 0;
    unsigned long long waited = 0;
    if (std::sscanf(text.data(), "%llu %llu", &ran, &waited) != 2) return {};
    return std::chrono::nanoseconds(waited);
}

std::uint64_t resident_kib(const Fd& memory, std::uint64_t lent_kib) {
    std::array<char, 128> text{};
    if (!memory || pread(memory.get(), text.data(), text.size() - 1, 0) <= 0) return 0;
    unsigned long long size = 0;
    unsigned long long resident = 0;
    unsigned long long shared = 0;
    if (std::sscanf(text.data(), "%llu %llu %llu", &size, &resident, &shared) != 3) return 0;
    static const auto page_kib = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >> 10;
    return resident * page_kib - std::min<std::uint64_t>(shared * page_kib, lent_kib);
}

} // namespace sys
