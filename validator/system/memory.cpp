#include "system/memory.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>

namespace sys {

int program_of(int pid, bool first_of_namespace) {
    if (!first_of_namespace) return pid;
    const std::string task = std::to_string(pid);
    const Fd children(open(("/proc/" + task + "/task/" + task + "/children").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 32> text{};
    if (!children || read(children.get(), text.data(), text.size() - 1) <= 0) return 0;
    return std::atoi(text.data());
}

Fd open_memory(int pid, bool first_of_namespace) {
    const int program = program_of(pid, first_of_namespace);
    if (program == 0) return Fd{};
    return Fd(open(("/proc/" + std::to_string(program) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
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
