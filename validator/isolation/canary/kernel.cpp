#include "act.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace canary {
namespace {

/// What a call answered, with the descriptor that it may have made closed again.
long closed(long fd) {
    if (fd >= 0) close(static_cast<int>(fd));
    return fd;
}

template <int family, int type>
long make_a_socket() {
    return closed(socket(family, type, 0));
}

long make_a_namespace() {
    return unshare(CLONE_NEWUSER);
}

long make_shared_memory() {
    return closed(syscall(SYS_memfd_create, "canary", 0));
}

long make_a_segment() {
    const int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    return id < 0 ? id : shmctl(id, IPC_RMID, nullptr);
}

long use_io_uring() {
    std::array<char, 256> parameters{};
    return closed(syscall(SYS_io_uring_setup, 1, parameters.data()));
}

long use_keys() {
    constexpr int get_keyring_id = 0;
    constexpr int session_keyring = -3;
    return syscall(SYS_keyctl, get_keyring_id, session_keyring, 0, 0, 0);
}

long handle_page_faults() {
    constexpr int user_mode_only = 1;
    return closed(syscall(SYS_userfaultfd, O_CLOEXEC | user_mode_only));
}

long count_events() {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_DUMMY;
    return closed(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

long load_bpf() {
    std::array<char, 128> attributes{};
    const long result = closed(syscall(SYS_bpf, 0, attributes.data(), attributes.size()));
    return result < 0 && errno == EINVAL ? 0 : result; // the call was looked at
}

long become_root() {
    return getuid() == 0 ? 0 : setuid(0);
}

long mount_something() {
    // Contradictory on purpose: a process that may mount is told so, and nothing changes.
    const int result = mount(nullptr, "/", nullptr, MS_PRIVATE | MS_SHARED, nullptr);
    return result < 0 && errno == EINVAL ? 0 : result;
}

long change_root() {
    return chroot("/");
}

long change_personality() {
    return personality(0xffffffff) < 0 ? -1 : 0; // asks only
}

long raise_own_limit() {
    const rlimit more{RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_NOFILE, &more);
}

long reserve_a_terabyte() {
    void* memory =
        mmap(nullptr, 1ULL << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return -1;
    munmap(memory, 1ULL << 40);
    return 0;
}

constexpr std::array acts{
    Act{"socket", make_a_socket<AF_INET, SOCK_STREAM>},
    Act{"socket_v6", make_a_socket<AF_INET6, SOCK_DGRAM>},
    Act{"unix_socket", make_a_socket<AF_UNIX, SOCK_DGRAM>},
    Act{"vsock", make_a_socket<AF_VSOCK, SOCK_STREAM>},
    Act{"netlink", make_a_socket<AF_NETLINK, SOCK_RAW>},
    Act{"unshare", make_a_namespace},
    Act{"memfd", make_shared_memory},
    Act{"shared_segment", make_a_segment},
    Act{"io_uring", use_io_uring},
    Act{"keyctl", use_keys},
    Act{"userfaultfd", handle_page_faults},
    Act{"perf_event", count_events},
    Act{"bpf", load_bpf},
    Act{"become_root", become_root},
    Act{"mount", mount_something},
    Act{"chroot", change_root},
    Act{"personality", change_personality},
    Act{"raise_limit", raise_own_limit},
    Act{"address_space", reserve_a_terabyte},
};

} // namespace

std::span<const Act> kernel_acts() {
    return acts;
}

} // namespace canary
