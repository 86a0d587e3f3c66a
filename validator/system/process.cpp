#include "system/process.h"

#include "model/errors.h"
#include "system/child.h"
#include "system/pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace sys {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> result;
    result.reserve(strings.size() + 1);
    for (std::string& text : strings)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::chrono::microseconds cpu_time(const rusage& usage) {
    const auto micros = [](const timeval& time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    return micros(usage.ru_utime) + micros(usage.ru_stime);
}

/// Milliseconds until `deadline`, at least 0, as poll wants them.
int remaining_ms(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 1 << 30));
}

} // namespace

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

Process& Process::operator=(Process&& other) noexcept {
    if (this != &other) {
        if (pid_ > 0) {
            kill();
            wait();
        }
        pid_ = std::exchange(other.pid_, -1);
        pidfd_ = std::move(other.pidfd_);
    }
    return *this;
}

Process::~Process() {
    if (pid_ <= 0) return;
    kill();
    wait();
}

void Process::kill() {
    // The leader is not reaped before `wait`, so neither its pid nor its group can have been taken by anyone
    // else.
    ::kill(-pid_, SIGKILL);
    ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
}

Exit Process::wait() {
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    ::kill(-pid_, SIGKILL); // what the leader left behind, while its zombie still holds the group's number

    int status = 0;
    rusage usage{};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    pidfd_.reset();
    Exit exit;
    exit.signalled = WIFSIGNALED(status);
    exit.code = exit.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    exit.cpu = cpu_time(usage);
    exit.peak_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
    return exit;
}

Process spawn(const Command& command) {
    std::vector<std::string> arguments{command.program.string()};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment = command.environment;
    const std::vector<char*> argv = pointers(arguments);
    const std::vector<char*> envp = pointers(environment);

    Pipe trouble = make_pipe();
    const ChildPlan plan{command, argv.data(), envp.data(), trouble.write.get(), getpid()};

    const pid_t pid = fork();
    if (pid < 0)
        throw model::EnvironmentError("cannot start " + arguments.front() +
                                      ": fork: " + std::strerror(errno) +
                                      "; close other programs or raise the limit on processes (ulimit -u)");
    if (pid == 0) become(plan);

    Process process;
    process.pid_ = pid;
    process.pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));

    trouble.write.reset();
    Trouble report{};
    ssize_t got = 0;
    while ((got = read(trouble.read.get(), &report, sizeof report)) < 0 && errno == EINTR) {
    }
    if (got == sizeof report)
        throw model::EnvironmentError("cannot start " + arguments.front() + ": " + name(report.step) + ": " +
                                      std::strerror(report.error));
    if (!process.pidfd_)
        throw model::EnvironmentError("cannot watch " + arguments.front() +
                                      ": pidfd_open is not available; a kernel of 5.3 or later is needed");
    return process;
}

RunOutcome run(const Command& command, const RunLimits& limits, int cancel_fd) {
    const auto start = Clock::now();
    const auto deadline = start + limits.wall;

    Pipe pipe = make_pipe();
    set_nonblocking(pipe.read.get());
    Command captured = command;
    captured.fds.push_back({pipe.write.get(), 1});
    captured.fds.push_back({pipe.write.get(), 2});
    Process process = spawn(captured);
    pipe.write.reset();

    RunOutcome outcome;
    bool ended = false;
    bool open = true;
    while (!ended || open) {
        std::array<pollfd, 3> wait_for{{{open ? pipe.read.get() : -1, POLLIN, 0},
                                        {ended ? -1 : process.pidfd(), POLLIN, 0},
                                        {cancel_fd, POLLIN, 0}}};
        // Once the leader is gone only what is already in the pipe counts: a grandchild may hold it open for
        // ever.
        const int ready = poll(wait_for.data(), wait_for.size(), ended ? 0 : remaining_ms(deadline));
        if (ready < 0 && errno == EINTR) continue;
        if (wait_for[2].revents != 0) {
            outcome.interrupted = true;
            break;
        }
        if (wait_for[0].revents != 0)
            open = drain(pipe.read.get(), outcome.output, limits.output_bytes, outcome.output_exceeded);
        else if (ended)
            open = false;
        if (outcome.output_exceeded) break;
        if (wait_for[1].revents != 0) ended = true;
        if (ready == 0 && !ended && Clock::now() >= deadline) {
            outcome.timed_out = true;
            break;
        }
    }
    if (!ended) process.kill();
    outcome.exit = process.wait();
    outcome.wall = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return outcome;
}

} // namespace sys
