#include "system/process.h"

#include "model/errors.h"
#include "system/child.h"
#include "system/init.h"
#include "system/memory.h"
#include "system/pipe.h"
#include "system/time_limit.h"

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

/// What to do about a step that failed, where that is known.
const char* remedy(const Trouble& trouble) {
    if (trouble.step == Step::limits && trouble.error == EPERM)
        return "; the limits that we were started with are lower than what it needs, raise them (ulimit -H "
               "-a "
               "shows them)";
    if (trouble.step == Step::descriptors && (trouble.error == EINVAL || trouble.error == EMFILE))
        return "; raise the limit on open files (ulimit -n 1024)";
    if (trouble.step == Step::identity)
        return "; root of this user namespace knows no other user to run it as: call the engine from outside "
               "of "
               "the namespace, or map more users into it (unshare --map-users=auto)";
    return "";
}

/// fork, with namespaces. Not clone3, which container runtimes refuse because a filter cannot see its flags.
pid_t clone_child(unsigned long namespaces) {
    if (namespaces == 0) return fork();
    return static_cast<pid_t>(::syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

int open_pidfd(pid_t pid) {
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

/// Why the last `open_pidfd` failed.
std::string pidfd_trouble() {
    if (errno == ENOSYS) return "pidfd_open is not available; a kernel of 5.3 or later is needed";
    return "watching it: " + std::string(std::strerror(errno)) +
           "; raise the limit on open files (ulimit -n)";
}

} // namespace

Process& Process::operator=(Process&& other) noexcept {
    if (this != &other) {
        if (pid_ > 0) {
            kill();
            wait();
        }
        pid_ = std::exchange(other.pid_, -1);
        pidfd_ = std::move(other.pidfd_);
        status_ = std::move(other.status_);
        memory_ = std::move(other.memory_);
        times_ = std::move(other.times_);
        watched_kib_ = other.watched_kib_;
        starter_kib_ = other.starter_kib_;
        outgrew_ = other.outgrew_;
        confinement_ = std::move(other.confinement_);
    }
    return *this;
}

Process::Process(Process&& other) noexcept {
    *this = std::move(other);
}

Process::~Process() {
    if (pid_ <= 0) return;
    kill();
    wait();
}

void Process::kill() {
    // The leader is not reaped before `wait`, so neither its pid nor its group can have been taken by anyone
    // else. A child that has only just been made has no group yet.
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
}

Exit Process::wait() {
    siginfo_t info{};
    while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
    }
    ::kill(-pid_, SIGKILL); // what the leader left behind, while its zombie still holds the group's number

    int status = 0;
    rusage usage{}; // of the process and of what it had waited for, so in a namespace the worker's as well
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    int of_worker = 0;
    if (status_ && read(status_.get(), &of_worker, sizeof of_worker) == sizeof of_worker) status = of_worker;
    Exit exit;
    exit.signalled = WIFSIGNALED(status);
    exit.code = exit.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
    exit.cpu = cpu_time(usage);
    constexpr std::uint64_t inexact_kib = 1024; // the kernel adds its counters up now and then only
    exit.peak_kib = static_cast<std::uint64_t>(usage.ru_maxrss);
    if (exit.peak_kib <= starter_kib_ + inexact_kib) exit.peak_kib = 0;
    exit.memory_exceeded = outgrew_ || (confinement_ != nullptr && confinement_->cgroup != nullptr &&
                                        confinement_->cgroup->killed_for_memory());
    pid_ = -1;
    pidfd_.reset();
    status_.reset();
    memory_.reset();
    times_.reset();
    confinement_.reset();
    return exit;
}

bool Process::outgrown(std::uint64_t lent_kib) {
    if (!memory_) memory_ = open_memory(pid_, confinement_->root.has_value());
    outgrew_ = outgrew_ || resident_kib(memory_, lent_kib) > watched_kib_;
    return outgrew_;
}

const TimeSource& Process::times() {
    if (!times_) {
        const bool in_namespaces = confinement_ != nullptr && confinement_->root.has_value();
        times_ = std::make_unique<TimeUsed>(program_of(pid_, in_namespaces));
    }
    return *times_;
}

Process spawn(const Command& command) {
    std::vector<std::string> arguments{command.program.string()};
    arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment = command.environment;
    const std::vector<char*> argv = pointers(arguments);
    const std::vector<char*> envp = pointers(environment);
    const auto fail = [&](const std::string& why) {
        throw model::EnvironmentError("cannot start " + arguments.front() + ": " + why);
    };

    const Confinement* confinement = command.confinement.get();
    const bool in_namespaces = confinement != nullptr && confinement->root;
    Pipe trouble = make_pipe();
    Pipe go = make_pipe();
    Pipe status;
    Fd ourselves;
    if (in_namespaces) {
        ourselves = Fd(open_pidfd(getpid()));
        if (!ourselves) fail(pidfd_trouble());
        status = make_pipe();
        set_nonblocking(
            status.read.get()); // when the child has been reaped, all that will ever come is there
    }
    const ChildPlan plan{command,
                         argv.data(),
                         envp.data(),
                         trouble.write.get(),
                         go.read.get(),
                         status.write.get(),
                         in_namespaces ? 0 : getpid(),
                         ourselves.get(),
                         {geteuid(), getegid()}};

    const std::uint64_t starter_kib = resident_kib(open_memory(getpid(), false));
    const pid_t pid = clone_child(in_namespaces ? sandbox_namespaces() : 0);
    if (pid < 0)
        fail(std::strerror(errno) +
             std::string(
                 in_namespaces ? "" : "; close other programs or raise the limit on processes (ulimit -u)"));
    if (pid == 0) {
        go.write.reset(); // else the child would wait for itself
        if (in_namespaces) run_init(plan);
        become(plan);
    }

    Process process;
    process.pid_ = pid;
    process.pidfd_ = Fd(open_pidfd(pid));
    const std::string unwatched = process.pidfd_ ? "" : pidfd_trouble();
    process.status_ = std::move(status.read);
    process.confinement_ = command.confinement;
    process.starter_kib_ = starter_kib;
    if (confinement != nullptr) process.watched_kib_ = confinement->watched_kib;
    if (!process.pidfd_) fail(unwatched);

    if (confinement != nullptr && confinement->cgroup && !confinement->cgroup->admit(pid))
        fail(std::string("cgroup: ") + std::strerror(errno));
    if (in_namespaces && confinement->identity && !map_identity(pid, *confinement->identity))
        fail(std::string("mapping its user: ") + std::strerror(errno));
    [[maybe_unused]] const ssize_t written = write(go.write.get(), "g", 1);

    trouble.write.reset();
    status.write.reset();
    Trouble report{};
    ssize_t got = 0;
    while ((got = read(trouble.read.get(), &report, sizeof report)) < 0 && errno == EINTR) {
    }
    if (got == sizeof report)
        fail(name(report.step) + std::string(": ") + std::strerror(report.error) + remedy(report));
    return process;
}

RunOutcome run(const Command& command, const RunLimits& limits, int cancel_fd, const Listener& listener) {
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
    TimeLimit own_time(limits.wall, start);
    const auto wake = [&] { return limits.own_time ? own_time.next_look() : deadline; };
    bool ended = false;
    bool open = true;
    while (!ended || open) {
        std::array<pollfd, 3> wait_for{{{open ? pipe.read.get() : -1, POLLIN, 0},
                                        {ended ? -1 : process.pidfd(), POLLIN, 0},
                                        {cancel_fd, POLLIN, 0}}};
        // Once the leader is gone only what is already in the pipe counts: a grandchild may hold it open for
        // ever.
        const int ready = poll(wait_for.data(), wait_for.size(), ended ? 0 : remaining_ms(wake()));
        if (ready < 0 && errno == EINTR) continue;
        if (wait_for[2].revents != 0) {
            outcome.interrupted = true;
            break;
        }
        if (wait_for[0].revents != 0) {
            open = drain(pipe.read.get(), outcome.output, limits.output_bytes, outcome.output_exceeded);
            if (listener) listener(outcome.output);
        } else if (ended) {
            open = false;
        }
        if (outcome.output_exceeded) break;
        if (wait_for[1].revents != 0) ended = true;
        if (ended || Clock::now() < wake()) continue;
        if (limits.own_time) own_time.look(Clock::now(), &process.times());
        if (const auto over = own_time.over(); over || !limits.own_time) {
            outcome.timed_out = true;
            outcome.out_of_time = over.value_or(model::OutOfTime::unknown);
            break;
        }
    }
    if (!ended) process.kill();
    outcome.exit = process.wait();
    outcome.wall = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
    return outcome;
}

} // namespace sys
