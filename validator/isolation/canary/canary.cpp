// Prints what became of each attempt: "act socket EPERM" where it was refused, "act socket done" where it was
// not; and what it can see of itself: "fact uid 1000".
#include "act.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace {

void attempt(std::span<const canary::Act> acts) {
    for (const canary::Act& act : acts) {
        errno = 0;
        const long result = act.attempt();
        const char* answer = result < 0 ? strerrorname_np(errno) : "done";
        std::printf("act %s %s\n", act.name, answer == nullptr ? "refused" : answer);
        std::fflush(stdout); // the next one may be the last
    }
}

/// The namespaces can only be told where there is a /proc.
void tell_namespaces() {
    for (const char* kind : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
        std::array<char, 64> name{};
        const std::string link = std::string("/proc/self/ns/") + kind;
        if (readlink(link.c_str(), name.data(), name.size() - 1) > 0)
            std::printf("fact %s %s\n", kind, name.data());
    }
}

void tell_facts() {
    utsname system{};
    uname(&system);
    std::printf("fact uid %u\nfact pid %d\nfact host %s\n", getuid(), getpid(), system.nodename);
    tell_namespaces();
}

} // namespace

int main(int count, char** arguments) {
    tell_facts();
    attempt(canary::file_acts());
    attempt(canary::kernel_acts());
    attempt(canary::process_acts());
    if (count > 1 && std::strcmp(arguments[1], "limits") == 0) attempt(canary::limit_acts());
    return 0;
}
