#pragma once

#include "model/access.h"
#include "model/check.h"
#include "model/fate.h"
#include "model/launcher.h"
#include "model/problem.h"
#include "subject/arena.h"
#include "subject/budget.h"
#include "subject/regions.h"
#include "system/fd.h"
#include "system/process.h"
#include "system/time_limit.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <vector>

namespace subject {

/// A program that speaks the worker's side of the call protocol.
struct WorkerProgram {
    int fd = -1; ///< the open executable
    std::vector<std::string>
        arguments; ///< the name of a mistake, for the program that holds all of a problem's
    model::Check check = model::Check::none; ///< what it was built to find
    bool emulated = false;   ///< its kernels run on the emulator, which tells what it observed
    bool controlled = false; ///< each of its workers ends with a control
    model::Limits limits;
    std::vector<std::string> gpu_files = {}; ///< Check::gpu: through which it reaches the GPU
    model::Launcher launcher = {};           ///< starts it, where it is given
    std::shared_ptr<Budget> budget = {};     ///< that its workers share with others; empty: none
    bool slots = true;                       ///< every second call finds its regions in slots (slots.h)
};

using model::Fate;
using model::OutOfTime;

struct Death {
    Fate fate = Fate::exited;
    int code = 0;              ///< exit status or signal
    bool before_ready = false; ///< before the first call could be made: while the program was being set up
    OutOfTime out_of_time = OutOfTime::unknown; ///< timed_out: what the call was doing
    std::chrono::milliseconds limit{0};         ///< timed_out: the time that was used up
    std::uint64_t peak_kib = 0;
    std::string output;                ///< what it had printed, bounded
    std::string kernel;                ///< the kernel that was running, by the worker's word; empty for none
    std::vector<std::uint64_t> frames; ///< where it crashed and what called that, likewise: offsets in it
    std::uint64_t fault = 0;           ///< the place in the arena that it could not use, likewise; 0 for none
    model::Access access = model::Access::unknown; ///< and how it was to be used
    int argument = 0;                              ///< past whose end that is; 0 for none
};

/// A reply as the driver read it, once.
struct Reply {
    ReplyKind kind = ReplyKind::returned;
    std::vector<std::byte> message;
};

/// One worker process with its arena, from the driver's side.
class Worker {
  public:
    /// Starts the program; it gets ready while the caller goes on. Throws model::EnvironmentError.
    Worker(const WorkerProgram& program, std::size_t arena_bytes);
    ~Worker();

    Arena& arena() { return arena_; }
    std::chrono::steady_clock::duration age() const { return std::chrono::steady_clock::now() - started_; }

    /// Wakes the worker for a request that is about to be posted, so that it need not be waited for then.
    void rouse();

    /// Posts the request that lies in the arena and waits for its reply. Returns false when there will be
    /// none; `death` then says why, and the worker is gone.
    bool exchange(Reply& reply, Death& death) { return exchange(reply, death, Waiting::asleep); }

    /// The same of what is no call of a contract's function, and does not depend on the budget.
    bool ask(Reply& reply, Death& death);

    /// As `exchange`, of a timed call, which pauses with its arguments in place, and again when the
    /// submission is done: the clock runs in between, and it is ours.
    bool exchange_timed(Reply& reply, Death& death, std::chrono::nanoseconds& time);

    bool called() const { return calls_ > 0; }

    /// A call may take so many times the limit.
    void allow(int times) { limit_ = times * program_.limits.wall; }

    /// What the worker has printed since the last call of this function, bounded.
    std::string take_output();

  private:
    /// How a reply is waited for that does not come at once: waking up takes longer than a fast kernel.
    enum class Waiting { asleep, awake };

    bool exchange(Reply& reply, Death& death, Waiting waiting);
    bool arena_is_large() const;
    bool outgrown();
    bool wait_ready(Death& death);
    bool sleep(std::span<pollfd> events, const sys::TimeLimit& time);
    std::optional<OutOfTime> look(sys::TimeLimit& time);
    bool out_of_time(OutOfTime why, Death& death);
    void charge(std::chrono::nanoseconds cpu);
    bool wait_reply(std::uint64_t expected, Death& death, Waiting waiting);
    bool sleep_until_reply(std::uint64_t expected, Death& death);
    void end(Fate fate, Death& death);
    bool collect_output();

    WorkerProgram program_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    Arena arena_;
    sys::Fd request_;
    sys::Fd reply_;
    sys::Fd output_;
    sys::Process process_;
    std::string text_;
    bool too_much_ = false;
    bool ready_ = false;
    std::chrono::milliseconds limit_ = program_.limits.wall; ///< of a call
    std::chrono::nanoseconds charged_{0};                    ///< CPU time that the budget knows of
    std::uint64_t calls_ = 0;
    std::uint64_t lent_kib_ = 0; ///< of the arena, when the last call began
};

} // namespace subject
