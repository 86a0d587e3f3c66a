#include "isolation/level.h"

#include <doctest/doctest.h>

using model::IsolationLevel;

namespace {

const std::map<std::string, std::string> host{{"user", "1"}, {"mnt", "2"}, {"pid", "3"},   {"net", "4"},
                                              {"ipc", "5"},  {"uts", "6"}, {"cgroup", "7"}};

/// A canary to which everything was refused, in namespaces of its own.
isolation::CanaryReport caught() {
    isolation::CanaryReport report;
    for (const char* act : {"fork",
                            "ptrace_parent",
                            "read_parent",
                            "signal_parent",
                            "signal_all",
                            "prlimit_parent",
                            "socket",
                            "socket_v6",
                            "unix_socket",
                            "vsock",
                            "netlink",
                            "unshare",
                            "memfd",
                            "shared_segment",
                            "io_uring",
                            "keyctl",
                            "userfaultfd",
                            "perf_event",
                            "bpf",
                            "become_root",
                            "mount",
                            "chroot",
                            "personality",
                            "raise_limit",
                            "list_root",
                            "list_libraries",
                            "write_file",
                            "read_host_file",
                            "write_proc",
                            "write_own_process",
                            "write_own_thread",
                            "open_device",
                            "exec",
                            "see_host_file",
                            "see_processes",
                            "read_first_process",
                            "schedule_parent",
                            "address_space",
                            "too_many_threads",
                            "too_much_memory"})
        report.acts[act] = "EPERM";
    for (const auto& [kind, identity] : host)
        report.facts[kind] = identity + "0";
    report.facts["pid"] = "2";
    report.facts["host"] = "worker";
    report.memory_bounded = true;
    return report;
}

IsolationLevel level(const isolation::CanaryReport& plain, const isolation::CanaryReport& sanitized) {
    return isolation::level_of(plain, sanitized, host);
}

} // namespace

TEST_CASE("all refused, all namespaces apart, memory bounded: level A") {
    CHECK(level(caught(), caught()) == IsolationLevel::A);
}

TEST_CASE("an act that was possible, for either canary, lowers the level to what the others bear out") {
    struct Row {
        const char* act;
        IsolationLevel expected;
    };
    for (const Row& row :
         {Row{"too_many_threads", IsolationLevel::B}, Row{"too_much_memory", IsolationLevel::B},
          Row{"see_host_file", IsolationLevel::C}, Row{"read_host_file", IsolationLevel::D},
          Row{"exec", IsolationLevel::D}, Row{"fork", IsolationLevel::E}, Row{"socket", IsolationLevel::E}}) {
        CAPTURE(row.act);
        isolation::CanaryReport escaped = caught();
        escaped.acts[row.act] = "done";
        CHECK(level(caught(), escaped) == row.expected);
        escaped.acts.erase(row.act); // never tried: nothing is known, so nothing is claimed
        CHECK(level(caught(), escaped) == row.expected);
    }
    isolation::CanaryReport escaped = caught();
    escaped.acts["read_host_file"] = "done";
    CHECK(level(escaped, caught()) == IsolationLevel::D);
}

TEST_CASE("a namespace shared with the host is level C") {
    for (const auto& [kind, identity] : host) {
        CAPTURE(kind);
        isolation::CanaryReport shared = caught();
        shared.facts[kind] = identity;
        CHECK(level(caught(), shared) == IsolationLevel::C);
    }
}

TEST_CASE("memory that was not bounded is level B") {
    isolation::CanaryReport unbounded = caught();
    unbounded.memory_bounded = false;
    CHECK(level(caught(), unbounded) == IsolationLevel::B);
}

TEST_CASE("a canary that said nothing is level E") {
    CHECK(level({}, caught()) == IsolationLevel::E);
    CHECK(level(caught(), {}) == IsolationLevel::E);
}

TEST_CASE("the namespaces apart are named") {
    CHECK(isolation::separate_namespaces(caught(), host) == "user mnt pid net ipc uts cgroup");
    isolation::CanaryReport same;
    same.facts = host;
    CHECK(isolation::separate_namespaces(same, host) == "none");
}
