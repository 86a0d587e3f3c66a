#include "isolation/level.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unistd.h>

namespace isolation {
namespace {

using model::IsolationLevel;
using Names = std::map<std::string, std::string>;

constexpr std::array namespaces{"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};

// What must have been refused for a level. Each level demands what the weaker ones do, and more.
constexpr std::array for_d{"fork",           "ptrace_parent",  "read_parent", "signal_parent",
                           "signal_all",     "prlimit_parent", "socket",      "socket_v6",
                           "unix_socket",    "vsock",          "netlink",     "unshare",
                           "memfd",          "shared_segment", "io_uring",    "keyctl",
                           "userfaultfd",    "perf_event",     "bpf",         "become_root",
                           "mount",          "chroot",         "personality", "raise_limit",
                           "schedule_parent"};
constexpr std::array for_c{"read_host_file", "list_root",          "list_libraries",   "write_file",
                           "write_proc",     "write_own_process",  "write_own_thread", "open_device",
                           "exec",           "read_first_process", "see_processes"};
constexpr std::array for_b{"see_host_file"};
/// The names of its own threads.
constexpr std::array of_drivers{"write_own_thread"};
/// A process, a signal to one of its own, a socket without a network, a file in a /tmp of its own; and what
/// its processes have in /proc, none of which can be told from another ahead.
constexpr std::array of_launchers{"fork",        "signal_parent", "signal_all",
                                  "unix_socket", "write_file",    "write_own_process"};
constexpr std::array for_a{"too_many_threads", "too_much_memory"};

bool is_among(std::string_view act, std::span<const char* const> acts) {
    return std::ranges::find(acts, act) != acts.end();
}

bool refused(const CanaryReport& report, std::span<const char* const> acts) {
    return std::ranges::all_of(acts, [&](const char* act) {
        const auto answer = report.acts.find(act);
        return answer != report.acts.end() && answer->second != "done";
    });
}

bool refused_by_both(const CanaryReport& plain, const CanaryReport& sanitized,
                     std::span<const char* const> acts) {
    return refused(plain, acts) && refused(sanitized, acts);
}

bool is_separate(const CanaryReport& report, const char* kind, const Names& own) {
    const auto theirs = report.facts.find(kind);
    const auto ours = own.find(kind);
    return theirs != report.facts.end() && ours != own.end() && theirs->second != ours->second;
}

/// A canary without a /proc cannot name its namespaces; its process number and its host's name speak for
/// them.
bool has_own_processes_and_host(const CanaryReport& report) {
    const auto is = [&](const char* fact, const char* value) {
        const auto found = report.facts.find(fact);
        return found != report.facts.end() && found->second == value;
    };
    return is("pid", "2") && is("host", "worker");
}

} // namespace

Names own_namespaces() {
    Names own;
    for (const char* kind : namespaces) {
        std::array<char, 64> name{};
        const std::string link = std::string("/proc/self/ns/") + kind;
        if (readlink(link.c_str(), name.data(), name.size() - 1) > 0) own[kind] = name.data();
    }
    return own;
}

std::string separate_namespaces(const CanaryReport& report, const Names& own) {
    std::string words;
    for (const char* kind : namespaces)
        if (is_separate(report, kind, own)) words += (words.empty() ? "" : " ") + std::string(kind);
    return words.empty() ? "none" : words;
}

std::vector<std::string> possible_with_gpu(const CanaryReport& report, bool launched) {
    std::vector<std::string> possible;
    for (const std::span<const char* const> acts :
         {std::span<const char* const>(for_d), std::span<const char* const>(for_c)})
        for (const char* act : acts)
            if (!refused(report, {&act, 1}) && !is_among(act, of_drivers) &&
                !(launched && is_among(act, of_launchers)))
                possible.emplace_back(act);
    return possible;
}

IsolationLevel level_of(const CanaryReport& plain, const CanaryReport& sanitized, const Names& own) {
    constexpr std::array plain_only{"address_space"};
    if (!refused_by_both(plain, sanitized, for_d) || !refused(plain, plain_only)) return IsolationLevel::E;
    if (!refused_by_both(plain, sanitized, for_c)) return IsolationLevel::D;
    const bool apart =
        std::ranges::all_of(namespaces, [&](const char* kind) { return is_separate(sanitized, kind, own); });
    if (!refused_by_both(plain, sanitized, for_b) || !apart || !has_own_processes_and_host(plain))
        return IsolationLevel::C;
    return refused(sanitized, for_a) && sanitized.memory_bounded ? IsolationLevel::A : IsolationLevel::B;
}

} // namespace isolation
