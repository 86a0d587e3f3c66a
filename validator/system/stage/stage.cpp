// Runs one program of a compiler: `g++ -wrapper stage` starts each of its stages (cc1plus, as, collect2) as
// `stage cc1plus …`. It reports how that ended, which g++ does not tell apart, and ends all of them with the
// engine: g++ dies with its parent, but what it has started would go on.
#include "system/stage/report.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using sys::StageReport;

StageReport report_on(const char* program) {
    StageReport report{};
    const char* slash = std::strrchr(program, '/');
    std::strncpy(report.name, slash == nullptr ? program : slash + 1, sizeof report.name - 1);
    return report;
}

void send(const StageReport& report) {
    [[maybe_unused]] const ssize_t wrote = write(sys::stage_report_fd, &report, sizeof report);
}

/// Waits until the child has ended or the engine is gone; then its end of the pipe is, too.
void wait_for_either(pid_t child, const sigset_t& waiting) {
    siginfo_t info{};
    for (;;) {
        info.si_pid = 0;
        if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid != 0)
            return;
        pollfd engine{sys::stage_engine_fd, 0, 0};
        if (ppoll(&engine, 1, nullptr, &waiting) > 0) kill(0, SIGKILL); // the whole group, this process too
    }
}

} // namespace

int main(int count, char** values) {
    if (count < 2) return 125;
    StageReport report = report_on(values[1]);
    sigset_t child_ends;
    sigset_t waiting;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &waiting);
    signal(SIGCHLD, [](int) {}); // so that it interrupts a wait

    const pid_t child = fork();
    if (child == 0) {
        close(sys::stage_report_fd);
        close(sys::stage_engine_fd);
        signal(SIGCHLD, SIG_DFL);
        sigprocmask(SIG_SETMASK, &waiting, nullptr);
        execvp(values[1], values + 1);
        _exit(127);
    }
    if (child < 0) {
        report.start_error = errno;
        send(report);
        return 125;
    }
    wait_for_either(child, waiting);
    int status = 0;
    rusage used{};
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
    }
    const auto micros = [](const timeval& time) { return time.tv_sec * 1'000'000LL + time.tv_usec; };
    report.status = status;
    report.cpu_us = micros(used.ru_utime) + micros(used.ru_stime);
    report.peak_kib = used.ru_maxrss;
    send(report);
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status)); // so that g++ words it as ever
    return 125;
}
