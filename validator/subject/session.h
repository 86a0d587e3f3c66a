#pragma once

#include "model/control.h"
#include "subject/call_note.h"
#include "subject/kept.h"
#include "subject/message.h"
#include "subject/recording.h"
#include "subject/supply.h"
#include "subject/transcript.h"
#include "subject/worker.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace subject {

/// The learner's function threw: something it can do, so a suite may expect it.
struct LearnerThrew : std::runtime_error {
    LearnerThrew(std::string type_name, const std::string& what)
        : std::runtime_error(what), type(std::move(type_name)) {}
    std::string type;
};

/// The call has no result and never will. The test case is over, and has failed even if a suite swallows
/// this: it is deliberately no std::exception, so that expecting an exception of the learner's never catches
/// it.
struct CallLost {};

/// Told what happens around calls, at the moment it happens.
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void died(const char* function, const Death& death) = 0;
    virtual void not_implemented(const char* function) = 0;
    virtual void out_of_memory(const char* function) = 0;
    /// The runtime of the device refused a launch of this call's, or a kernel of it failed.
    virtual void device_failed(const char* function, const std::string& words) = 0;
    /// The bytes just before or after the buffer of this argument (counted from 1) were changed.
    virtual void overran(const char* function, int argument, bool before) = 0;
    virtual void changed_input(const char* function, int argument) = 0;
    /// The call left other modes of floating-point arithmetic than it found.
    virtual void left_modes(const char* function) = 0;
    /// The call wrote to what was not its to write, be it that it brought everything back.
    virtual void wrote_kept(const char* function, Kept kept) = 0;
};

/// Which function is called, and what it returns.
struct CallSite {
    std::uint32_t function = 0;
    const char* name = "";
    bool array = false;           ///< it returns an array, laid into the results zone
    bool object = false;          ///< it returns the number of an object
    std::size_t result_bytes = 0; ///< of the result, or of one element of the array
    ElementKind result_kind = ElementKind::bytes;
};

/// How a worker ended whose program is controlled, or was started by a launcher, and which test cases it had
/// served; cases are counted from 0 at `bind`.
struct WorkerEnd {
    std::size_t first_case = 0;
    std::size_t last_case = 0;
    model::Control control;
    std::string shown; ///< what came of the control, or all that launcher and worker printed; untrusted
    std::string trouble = {};  ///< launched: why it ended before it was told to; else empty
    bool before_ready = false; ///< and that before its first call
};

/// The driver's one connection to whatever plays the submission: it starts workers when they are needed,
/// makes the calls and keeps the transcript of the running test case.
class Session {
  public:
    static Session& current();

    /// From now on calls go to this program. `fresh` gives each test case a worker of its own; otherwise one
    /// serves until it dies.
    void bind(WorkerProgram program, bool fresh, Listener& listener);
    void unbind();

    /// Where one process serves all cases: from now on calls go to another implementation in its program, and
    /// no transcript is followed. The process goes on serving, unless it died or its time runs out.
    void turn_to(const std::string& implementation);

    void begin_case();
    /// Ends the case; returns what its worker printed.
    std::string end_case();
    /// What the workers of the case that ended observed of their kernels: a document of JSON a line,
    /// untrusted.
    std::string take_observations() { return std::move(observations_); }
    /// The workers that have ended since this was asked last, where the program is controlled or launched.
    std::vector<WorkerEnd> take_ends() { return std::move(ends_); }
    const Transcript& transcript() const { return transcript_; }

    /// Emulated kernels of further calls run their threads in this order; 0 until it is set.
    void set_order(std::uint32_t order) { order_ = order; }
    std::uint32_t order() const { return order_; }
    /// Whether another order might have given another result in the running case.
    bool order_mattered() const { return order_mattered_; }

    /// How many calls workers were asked to make so far.
    std::uint64_t calls_made() const { return calls_made_; }

    /// From now on the time of calls is taken: of the submission's part, without copies of arguments.
    void time_calls(bool timed) { timed_ = timed; }
    bool times_calls() const { return timed_; }
    /// That of the last call, where it came to its end.
    std::chrono::nanoseconds time() const { return time_; }

    /// From now on what calls ask of the emulated device is checked and not done.
    void rehearse_calls(bool rehearses) { rehearses_ = rehearses; }
    /// From now on calls find their thread rounding upward: the one mode that a program in a hurry sets, to
    /// nearest, is not the one that it has to leave.
    void round_upward(bool upward) { upward_ = upward; }
    /// From now on a worker makes a call so many times by itself before the one that counts, or as many as it
    /// has time for. Not where it is checked: that is for what one call does.
    void repeat_calls(std::uint32_t times) { repeats_ = program_.check == model::Check::none ? times : 0; }
    /// From now on these are not a call's to write, not even for a while. Seen where what a call gets lies in
    /// whole pages that nobody else uses: not with sanitizers, nor on a device.
    void keep(Kept kept) { kept_ = kept; }
    /// The same of an argument's gaps, which are whole pages.
    void keep(const Gaps& gaps) { kept_ = Kept::gaps, gaps_ = gaps; }
    /// The next call is none, but ends this object, which its function has made.
    void end_object(std::uint64_t number) { object_to_end_ = number; }

    /// From now on a call may take so many times the limit.
    void allow(int times) { allowed_times_ = times; }

    /// How many emulated kernels the last call launched.
    std::uint32_t launches() const { return launches_; }

    /// Every further call of the running case is lost.
    void refuse() { diverged_ = true; }

    /// Until the next `bind`, each case is compared with a transcript: at the first call that went otherwise,
    /// that call and all later ones of the case are lost.
    void expect(const Transcript* expected, Likeness likeness) {
        expected_ = expected;
        likeness_ = likeness;
    }
    bool diverged() const { return diverged_; }
    /// The bound program's budget is used up: every further call is lost.
    bool out_of_budget() const { return program_.budget && program_.budget->used_up(); }

    /// One call. `encode` writes the arguments once it is known where their buffers lie. The reply is valid
    /// until the next call.
    const Reply& call(const CallSite& site, const std::vector<Buffer>& buffers,
                      const std::function<void(Writer&, const std::vector<PlacedRegion>&)>& encode);

    /// Makes calls in a worker that has just started, with their memory placed like that of the case's calls
    /// from this one on, counted from 0. The running case, its worker and its transcript know nothing of it.
    /// False where that is not possible: workers are shared by cases, controlled or compared.
    bool aside(std::size_t as_from, const std::function<void()>& calls);

    /// The last call of the running case, for words about it.
    CallNote& last_call() { return last_call_; }

    /// From the next case on, the calls of a case are kept in this file until the next one begins.
    void record(int fd) { recording_ = Recording(fd); }
    const Recording& recording() const { return recording_; }

    /// Memory within the arena that both sides see without a copy, zero until written. Ends the running
    /// worker, so it must be asked for before the first call that uses objects. Valid until the case ends,
    /// and given once a case: a second demand throws std::logic_error. A GPU cannot see it, so there the case
    /// ends with CallLost, left out.
    std::byte* shared_bytes(std::size_t bytes);
    bool left_out() const { return left_out_; }

  private:
    Worker& worker();
    void retire();
    void observe();
    std::string observed(std::uint32_t function);
    void conclude();
    void dismiss();
    void lost(const Death& death);
    void grow_arena(std::size_t needed);
    bool uses_slots() const;
    void lay_out(const PlacedRegion& region);
    void add(Observation observation);
    bool take_result(const CallSite& site, std::size_t results_at, Reply& reply, Observation& observation);
    void check_regions(const char* name, const std::vector<Buffer>& buffers,
                       const std::vector<PlacedRegion>& regions, Observation& observation);
    [[noreturn]] void lose(const char* name, const Death& death, Observation observation);

    WorkerProgram program_;
    bool fresh_ = true;
    Listener* listener_ = nullptr;
    Supply supply_; ///< of the workers, where each case has one of its own
    std::unique_ptr<Worker> worker_;
    Reply reply_; ///< of the last call: its memory serves the next one
    std::string printed_;
    std::string observations_;
    std::size_t cases_ = 0;      ///< begun since `bind`
    std::size_t first_case_ = 0; ///< of the running worker
    std::vector<WorkerEnd> ends_;
    CallNote last_call_;
    Recording recording_;
    Transcript transcript_;
    std::size_t calls_before_ = 0; ///< of the case, before those in the transcript: other than 0 aside
    const Transcript* expected_ = nullptr;
    Likeness likeness_ = Likeness::bits;
    bool diverged_ = false;
    std::uint32_t order_ = 0;
    bool order_mattered_ = false;
    bool left_out_ = false;
    bool timed_ = false;
    bool rehearses_ = false;
    bool upward_ = false;
    std::uint32_t repeats_ = 0;
    Kept kept_ = Kept::nothing;
    Gaps gaps_;
    std::uint64_t object_to_end_ = 0;
    int allowed_times_ = 1;
    std::chrono::nanoseconds time_{0};
    std::uint32_t launches_ = 0;
    std::uint64_t calls_made_ = 0;
    std::size_t calls_end_ = 0;  ///< how far the zone of copied arguments and results reaches
    std::size_t shared_end_ = 0; ///< and beyond it the zone that is shared without copies
};

} // namespace subject
