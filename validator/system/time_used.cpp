#include "system/time_used.h"

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>

namespace sys {
namespace {

using std::chrono::nanoseconds;

/// A small file of /proc, or empty.
std::string read_small(int folder, const std::string& name) {
    const Fd file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 1024> text{};
    const ssize_t got = file ? read(file.get(), text.data(), text.size()) : -1;
    return {text.data(), static_cast<std::size_t>(got > 0 ? got : 0)};
}

/// The letter for a thread's state in its `stat`, after its name, which may hold any character.
char state_in(const std::string& stat) {
    const std::size_t end = stat.rfind(')');
    return end == std::string::npos || end + 2 >= stat.size() ? '\0' : stat[end + 2];
}

std::optional<nanoseconds> waited_in(const std::string& schedstat) {
    unsigned long long ran = 0;
    unsigned long long waited = 0;
    if (std::sscanf(schedstat.c_str(), "%llu %llu", &ran, &waited) != 2) return std::nullopt;
    // Without its counters the kernel writes zeros.
    if (ran == 0) return std::nullopt;
    return nanoseconds(waited);
}

} // namespace

TimeUsed::TimeUsed(int pid) {
    if (pid <= 0) return;
    known_ = clock_getcpuclockid(pid, &clock_) == 0;
    tasks_ = Fd(open(("/proc/" + std::to_string(pid) + "/task").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

std::optional<nanoseconds> TimeUsed::cpu() const {
    timespec time{};
    if (!known_ || clock_gettime(clock_, &time) != 0) return std::nullopt;
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

std::optional<ThreadsSeen> TimeUsed::threads() const {
    Fd again(tasks_ ? openat(tasks_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
    if (!again) return std::nullopt;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(fdopendir(again.get()), closedir);
    if (!folder) return std::nullopt;
    again.release(); // which the folder closes
    ThreadsSeen seen;
    seen.waited = nanoseconds(0);
    bool any = false;
    while (const dirent* entry = readdir(folder.get())) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) == 0) continue;
        const std::string thread = entry->d_name;
        const char state = state_in(read_small(tasks_.get(), thread + "/stat"));
        // One that has just ended, or cannot be read, may have been ready.
        seen.ready = seen.ready || state == 'R' || state == '\0';
        const auto waited = waited_in(read_small(tasks_.get(), thread + "/schedstat"));
        seen.waited = seen.waited && waited ? std::optional(*seen.waited + *waited) : std::nullopt;
        constexpr std::uint64_t prime = 1099511628211ULL;
        seen.who = (seen.who ^ std::strtoull(thread.c_str(), nullptr, 10)) * prime;
        any = true;
    }
    if (!any) return std::nullopt;
    return seen;
}

} // namespace sys
