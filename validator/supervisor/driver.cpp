#include "supervisor/driver.h"

#include "isolation/ceiling.h"
#include "isolation/cgroups.h"
#include "model/errors.h"
#include "system/pipe.h"
#include "system/process.h"
#include "system/time_limit.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>

namespace supervisor {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t max_event_bytes = 64ULL << 20;
constexpr std::uint64_t max_error_bytes = 64ULL << 10;

/// The request, ready to be read: it fits into a pipe, so nobody has to stay and write.
sys::Fd request_pipe(const events::Request& request) {
    const std::string text = events::write_request(request);
    sys::Pipe pipe = sys::make_pipe();
    fcntl(pipe.write.get(), F_SETPIPE_SZ, 1 << 20);
    sys::set_nonblocking(pipe.write.get());
    if (write(pipe.write.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw model::EnvironmentError("cannot hand the driver its request: it is larger than a pipe holds");
    return std::move(pipe.read);
}

/// Reads what is there. Returns false once it is more than `most`; the pipe is closed then, or when its
/// writers are gone, so that it wakes nobody again.
bool read_available(sys::Fd& pipe, std::string& text, std::uint64_t most) {
    bool too_much = false;
    if (pipe && (!sys::drain(pipe.get(), text, most, too_much) || too_much)) pipe.reset();
    return !too_much;
}

/// Reads the lines of a driver as they come.
class Listener {
  public:
    Listener(events::DriverRun& run, const std::function<void(const events::Event&)>& heard)
        : run_(run), heard_(heard) {}

    std::string said;

    /// The events of the lines that have come since, up to the first line that is none.
    void listen() {
        for (std::size_t end = 0; said_sense_ && (end = said.find('\n', read_)) != std::string::npos;
             read_ = end + 1) {
            try {
                run_.events.push_back(events::read_event(std::string_view(said).substr(read_, end - read_)));
            } catch (const std::runtime_error& error) {
                nonsense_ = std::string("the driver said something that is no event: ") + error.what();
                said_sense_ = false;
                return;
            }
            if (heard_) heard_(run_.events.back());
        }
    }

    const std::string& nonsense() const { return nonsense_; }
    bool ends_in_a_line() const { return said.empty() || said.ends_with('\n'); }

  private:
    events::DriverRun& run_;
    const std::function<void(const events::Event&)>& heard_;
    std::size_t read_ = 0;
    bool said_sense_ = true;
    std::string nonsense_;
};

std::string end_words(const sys::Exit& exit) {
    if (exit.signalled) return std::string("the driver was ended by a signal: ") + strsignal(exit.code);
    return "the driver exited with status " + std::to_string(exit.code);
}

} // namespace

std::chrono::milliseconds patience(const events::Request& request) {
    // Each timed case fills tables of GPT-2's size, and compares an output of theirs eighteen times.
    if (request.timed) return std::chrono::minutes(10);
    const auto tests = static_cast<long>(request.tests.size());
    const auto calls =
        request.total.count() > 0 ? request.slowdown * request.total : 12 * tests * request.limits.wall;
    return sys::max_slowdown * (std::chrono::seconds(20) + tests * std::chrono::seconds(5) + calls);
}

events::DriverRun run_driver(const DriverJob& job) {
    sys::Pipe events = sys::make_pipe();
    sys::Pipe errors = sys::make_pipe();
    sys::set_nonblocking(events.read.get());
    sys::set_nonblocking(errors.read.get());
    const sys::Fd request = request_pipe(job.request);

    sys::Command command;
    command.program = job.driver;
    command.program_fd = job.driver_fd;
    command.environment = isolation::driver_environment(job.isolation);
    command.environment.insert(command.environment.end(), {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"});
    command.fds = {{request.get(), 0},
                   {errors.write.get(), 2},
                   {events.write.get(), events::events_fd},
                   {job.worker_fd, events::worker_fd}};
    if (job.mistakes_fd >= 0) command.fds.push_back({job.mistakes_fd, events::mistakes_fd});
    if (job.spent_fd >= 0) command.fds.push_back({job.spent_fd, events::spent_fd});
    if (job.recording_fd >= 0) command.fds.push_back({job.recording_fd, events::recording_fd});
    sys::Process process = sys::spawn(command);
    events.write.reset();
    errors.write.reset();

    events::DriverRun run;
    Listener listener(run, job.heard);
    std::string complained;
    bool too_much = false;
    bool ended = false;
    const auto deadline = Clock::now() + job.patience.value_or(patience(job.request));
    // Until the process is gone, not until its pipe is closed: neither follows from the other.
    while (!ended && !too_much) {
        std::array<pollfd, 4> wait_for{{{events.read.get(), POLLIN, 0},
                                        {errors.read.get(), POLLIN, 0},
                                        {job.cancel_fd, POLLIN, 0},
                                        {process.pidfd(), POLLIN, 0}}};
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            run.trouble = "the driver did not finish in time";
            break;
        }
        if (poll(wait_for.data(), wait_for.size(), static_cast<int>(left)) < 0 && errno != EINTR) break;
        if (wait_for[2].revents != 0) {
            run.interrupted = true;
            break;
        }
        ended = wait_for[3].revents != 0;
        if (wait_for[1].revents != 0 || ended) read_available(errors.read, complained, max_error_bytes);
        if (wait_for[0].revents != 0 || ended) {
            too_much = !read_available(events.read, listener.said, max_event_bytes);
            listener.listen();
        }
    }
    if (too_much) run.trouble = "the driver said more than 64 MiB";
    if (!ended) process.kill();
    const sys::Exit exit = process.wait();
    // Whatever a killed driver could not tidy up; its workers may still be on their way out.
    if (exit.signalled || exit.code != 0) isolation::remove_orphaned_cgroups(std::chrono::milliseconds(100));

    if (run.trouble.empty()) run.trouble = listener.nonsense();
    const bool whole = listener.ends_in_a_line();
    const bool said_all =
        whole && !run.events.empty() && std::holds_alternative<events::RunEnded>(run.events.back());
    run.complete = said_all && !exit.signalled && exit.code == 0 && run.trouble.empty() && !run.interrupted;
    if (!run.complete && run.trouble.empty())
        run.trouble =
            whole || exit.signalled ? end_words(exit) : "the driver stopped in the middle of an event";
    if (!run.complete && !complained.empty()) run.trouble += " (" + complained + ")";
    return run;
}

} // namespace supervisor
