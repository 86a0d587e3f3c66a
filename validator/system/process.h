#pragma once

#include "model/fate.h"
#include "system/confinement.h"
#include "system/fd.h"
#include "system/time_used.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sys {

/// Child descriptor `to` becomes a copy of our descriptor `from`. Everything not listed is closed in the
/// child.
struct FdMapping {
    int from = -1;
    int to = -1;
};

/// What to start: never a shell string.
struct Command {
    std::filesystem::path
        program;         ///< what to execute, or how to call it in messages where `program_fd` is set
    int program_fd = -1; ///< execute this open file instead; it must be close-on-exec
    std::vector<std::string> arguments;             ///< argv[1] onwards
    std::vector<std::string> environment;           ///< "NAME=value"; nothing is inherited
    std::vector<FdMapping> fds;                     ///< 0, 1, 2 that are not listed become /dev/null
    std::filesystem::path directory;                ///< empty: ours
    std::shared_ptr<const Confinement> confinement; ///< empty: none
    bool on_terminal = false;                       ///< descriptor 0 becomes the terminal of its session
    int niceness = 0;                               ///< how much it gives way to other processes, up to 19
    bool rehearsal = false; ///< take every step up to executing the program, then end with status 0
};

/// How a process ended, and what it used.
struct Exit {
    bool signalled = false;
    int code = 0; ///< exit status, or the signal's number
    std::chrono::microseconds cpu{0};
    std::uint64_t peak_kib = 0;   ///< 0 where it was not more than its starter had at the time
    bool memory_exceeded = false; ///< it was ended because it, or its cgroup, had used up its memory
};

/// A running child in a process group of its own. Destroying it kills the whole group and reaps.
class Process {
  public:
    Process() = default;
    Process(Process&&) noexcept;
    Process& operator=(Process&&) noexcept;
    ~Process();

    explicit operator bool() const { return pid_ > 0; }
    int pid() const { return pid_; }
    int pidfd() const { return pidfd_.get(); } ///< readable once the process has ended

    /// Only the code that waits for this process bounds its memory: it must ask `outgrown` every so often.
    bool watched() const { return watched_kib_ != 0; }
    /// Its resident memory is more than it may be; it should be killed. What was lent to it does not count.
    bool outgrown(std::uint64_t lent_kib = 0);

    /// What the program does with its time. Valid until `wait`.
    const TimeSource& times();

    /// Waits until the process ends; kills the rest of its group, so nothing outlives this call.
    Exit wait();
    /// SIGKILL to the whole group; `wait` still has to be called, or the destructor does it.
    void kill();

  private:
    friend Process spawn(const Command&);
    int pid_ = -1;
    Fd pidfd_;
    Fd status_;                       ///< where the first process of a namespace says how the worker ended
    Fd memory_;                       ///< tells the program's own memory
    std::unique_ptr<TimeUsed> times_; ///< once it was asked for
    std::uint64_t watched_kib_ = 0;
    std::uint64_t starter_kib_ =
        0; ///< our own memory when it was started, which the kernel counts as its peak
    bool outgrew_ = false;
    std::shared_ptr<const Confinement> confinement_; ///< keeps the cgroup until all are reaped
};

/// How often a watched process is looked at: memory grows by some tens of megabytes in this time.
constexpr std::chrono::milliseconds look_interval{10};

/// Starts a command. Throws model::EnvironmentError if the process could not be created; a program that
/// cannot be executed ends with exit status 127 and says why on its descriptor 2.
Process spawn(const Command& command);

/// What `run` allows.
struct RunLimits {
    std::chrono::milliseconds wall{10000};
    std::uint64_t output_bytes = 1 << 20;
    bool own_time = false; ///< `wall` limits the program's time as TimeLimit counts it, not the wall clock's
};

/// How a whole run went. Exactly one of the three flags is set, or none where the process ended by itself.
struct RunOutcome {
    Exit exit;
    bool timed_out = false;
    model::OutOfTime out_of_time = model::OutOfTime::unknown; ///< with RunLimits::own_time: what it was doing
    bool output_exceeded = false;
    bool interrupted = false; ///< `cancel` became readable
    std::string output;       ///< stdout and stderr in one, cut at the limit
    std::chrono::microseconds wall{0};

    bool ok() const {
        return !timed_out && !output_exceeded && !interrupted && !exit.signalled && exit.code == 0;
    }
    std::string first_line() const { return output.substr(0, output.find('\n')); }
};

/// Hears all output so far, whenever that is more.
using Listener = std::function<void(std::string_view)>;

/// Runs a command to its end with descriptors 1 and 2 captured together; descriptor 0 is empty, or what the
/// command has for it.
RunOutcome run(const Command& command, const RunLimits& limits, int cancel_fd = -1,
               const Listener& listener = {});

} // namespace sys
