#include "isolation/observe.h"

#include "levels.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace {

bool names(const std::vector<std::string>& lines, std::string_view start) {
    return std::ranges::any_of(lines, [&](const std::string& line) { return line.starts_with(start); });
}

char letter(const model::Isolation& isolation) {
    return static_cast<char>('A' + static_cast<int>(isolation.level));
}

/// What the observer prints when it is started like this; it finds the canary by descriptor, so that a user
/// who may not enter the build folder can run it.
std::string observe_as(const char* through, std::optional<sys::Identity> identity) {
    const sys::Fd canary(open(CANARY, O_RDONLY | O_CLOEXEC));
    const sys::Fd observer(open(OBSERVER, O_RDONLY | O_CLOEXEC));
    const sys::Fd wrapper(open(DOCKERLIKE, O_RDONLY | O_CLOEXEC));
    sys::Command command;
    command.program = "observer";
    command.program_fd = through == nullptr ? observer.get() : wrapper.get();
    if (through != nullptr) command.arguments.emplace_back("/proc/self/fd/6");
    command.arguments.emplace_back("/proc/self/fd/5");
    command.fds = {{canary.get(), 5}, {observer.get(), 6}};
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->identity = identity;
    command.confinement = std::move(confinement);
    return sys::run(command, {std::chrono::seconds(20), 1 << 16}).output;
}

/// The kernel gives the first of these to whoever it cannot name, which hides mistakes of ours.
constexpr std::array<sys::Identity, 3> ordinary_users{{{65534, 65534}, {1000, 1000}, {12345, 54321}}};

} // namespace

TEST_CASE("the level is the best this machine has, and no better than the ceiling") {
    char best = 'C';
    for (const char level : {'C', 'B', 'A'}) {
        if (!why_not(level).empty()) {
            MESSAGE("skipped at level " << std::string(1, level) << ": " << why_not(level));
            continue;
        }
        best = level;
        const Ceiling ceiling(level);
        CHECK(letter(isolation::observe(CANARY)) == level);
    }
    CHECK(letter(isolation::observe(CANARY)) == best);
}

TEST_CASE("with Landlock left out the canary reads files, and the level is D") {
    const Ceiling ceiling('D');
    const model::Isolation isolation = isolation::observe(CANARY);
    CHECK(letter(isolation) == 'D');
    CHECK(names(isolation.missing, "read_host_file was possible"));
    CHECK(names(isolation.observed, "socket: EPERM"));
}

TEST_CASE("with the filter left out the canary starts processes, and the level is E") {
    const Ceiling ceiling('E');
    const model::Isolation isolation = isolation::observe(CANARY);
    CHECK(letter(isolation) == 'E');
    CHECK(names(isolation.missing, "fork was possible"));
}

TEST_CASE("a canary that may write gives its file no name, so that none is left if it is killed") {
    const sys::Fd watch(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    for (const char* folder : {"/tmp", "/dev/shm"})
        REQUIRE(inotify_add_watch(watch.get(), folder, IN_CREATE) >= 0);
    const Ceiling ceiling('D');
    CHECK(names(isolation::observe(CANARY).missing, "write_file was possible"));
    alignas(inotify_event) std::array<char, 65536> buffer{};
    const ssize_t got = read(watch.get(), buffer.data(), buffer.size());
    CHECK(std::string_view(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
              .find("engine-canary") == std::string_view::npos);
}

TEST_CASE("every level but the best says what to do for the next") {
    for (const char level : {'B', 'C', 'D', 'E'}) {
        if (level <= 'C' && !why_not(level).empty()) continue;
        const Ceiling ceiling(level);
        CHECK(names(isolation::observe(CANARY).missing, "ENGINE_ISOLATION_CEILING holds it back"));
    }
    if (why_not('A').empty()) CHECK(isolation::observe(CANARY).missing.empty());
}

TEST_CASE("a program that is no canary proves nothing: level E") {
    CHECK(letter(isolation::observe(SPECIMEN)) == 'E');
}

TEST_CASE("a canary that is not there is an error with a remedy") {
    CHECK_THROWS_WITH_AS(isolation::observe("/nonexistent/canary"),
                         doctest::Contains("build the engine again"), model::EnvironmentError);
}

TEST_CASE("where a container denies namespaces, level C is reached, and the words say what to change") {
    if (const std::string reason = why_not('C'); !reason.empty()) {
        MESSAGE("skipped: " << reason);
        return;
    }
    const std::string said = observe_as("dockerlike", std::nullopt);
    CHECK_MESSAGE(said.starts_with("level C\n"), said);
    CHECK(said.find("a process in its own namespaces: Operation not permitted") != std::string::npos);
}

TEST_CASE("root and ordinary users of any number reach level B alike, and in a container level C") {
    if (geteuid() != 0) {
        MESSAGE("skipped: only root can become another user; the other tests ran as an ordinary one");
        return;
    }
    if (const std::string reason = why_not('B'); !reason.empty()) {
        MESSAGE("skipped: " << reason);
        return;
    }
    for (const sys::Identity& user : ordinary_users) {
        CAPTURE(user.uid);
        const std::string said = observe_as(nullptr, user);
        CHECK_MESSAGE(said.starts_with("level B\n"), said);
        CHECK(said.find("run as root") != std::string::npos);
        const std::string contained = observe_as("dockerlike", user);
        CHECK_MESSAGE(contained.starts_with("level C\n"), contained);
    }
}
