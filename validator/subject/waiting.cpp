// How a driver waits for its worker: for its sign of life, for a reply, and no longer than there is time.
#include "subject/worker.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <thread>

namespace subject {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a program may take from its start to its first sign of life, beside the limit on one call.
constexpr std::chrono::milliseconds start_up_time{2000};

/// A context on a machine with many GPUs takes seconds.
constexpr std::chrono::milliseconds gpu_start_up_time{20000};

/// A launcher connects to the program that it starts, and instruments it.
constexpr std::chrono::milliseconds launched_start_up_time{40000};

/// Of a call whose time is taken: about a tenth of a second.
constexpr std::size_t spins_of_timed_call = 25'000 * spins;

/// More wake-ups than this without a reply is a worker that rings the bell for fun.
constexpr int max_idle_wakeups = 1000;

std::chrono::milliseconds start_up_time_of(const WorkerProgram& program) {
    if (program.launcher.given()) return launched_start_up_time;
    return (program.check == model::Check::gpu ? gpu_start_up_time : start_up_time) + program.limits.wall;
}

bool spinning_pays() {
    static const bool several = std::thread::hardware_concurrency() > 1;
    return several;
}

} // namespace

bool Worker::wait_ready(Death& death) {
    // The mark is written before the reply counter of call 0 is ever looked at, so waiting for it is the same
    // wait.
    sys::TimeLimit time(start_up_time_of(program_), Clock::now());
    Control& control = arena_.control();
    while (control.ready.load(std::memory_order_acquire) != ready_mark) {
        std::array<pollfd, 3> events{
            {{reply_.get(), POLLIN, 0}, {process_.pidfd(), POLLIN, 0}, {output_.get(), POLLIN, 0}}};
        if (const auto why = look(time)) return out_of_time(*why, death), death.before_ready = true, false;
        if (!sleep(events, time)) return end(Fate::broke_protocol, death), false;
        if (outgrown()) return end(Fate::memory_exceeded, death), death.before_ready = true, false;
        if (events[0].revents != 0) {
            std::uint64_t ignored = 0;
            [[maybe_unused]] const ssize_t got = read(reply_.get(), &ignored, sizeof ignored);
        }
        if (events[2].revents != 0 && !collect_output())
            return end(Fate::output_exceeded, death), death.before_ready = true, false;
        if (events[1].revents != 0) return end(Fate::exited, death), death.before_ready = true, false;
    }
    ready_ = true;
    return true;
}

bool Worker::wait_reply(std::uint64_t expected, Death& death, Waiting waiting) {
    const Control& control = arena_.control();
    const std::size_t looks = waiting == Waiting::awake ? spins_of_timed_call : spins;
    if (spinning_pays())
        for (std::size_t look = 0; look < looks; ++look) {
            if (control.replies.load(std::memory_order_acquire) == expected) return true;
            relax();
        }
    return sleep_until_reply(expected, death);
}

bool Worker::sleep_until_reply(std::uint64_t expected, Death& death) {
    Control& control = arena_.control();
    sys::TimeLimit time(limit_, Clock::now());
    int idle_wakeups = 0;
    for (;;) {
        // Once the reply is there the worker sleeps, and that is not the call's time.
        const bool answered = control.replies.load(std::memory_order_seq_cst) == expected;
        const auto why = answered ? std::nullopt : look(time);
        control.driver_sleeps.store(1, std::memory_order_seq_cst);
        const std::uint64_t seen = control.replies.load(std::memory_order_seq_cst);
        if (seen == expected) break;
        if (seen > expected) return end(Fate::broke_protocol, death), false;
        if (why) return out_of_time(*why, death);

        std::array<pollfd, 3> events{
            {{reply_.get(), POLLIN, 0}, {process_.pidfd(), POLLIN, 0}, {output_.get(), POLLIN, 0}}};
        if (!sleep(events, time)) return end(Fate::broke_protocol, death), false;
        if (outgrown()) return end(Fate::memory_exceeded, death), false;
        if (events[2].revents != 0 && !collect_output()) return end(Fate::output_exceeded, death), false;
        if (events[0].revents != 0) {
            std::uint64_t ignored = 0;
            [[maybe_unused]] const ssize_t got = read(reply_.get(), &ignored, sizeof ignored);
            if (++idle_wakeups > max_idle_wakeups) return end(Fate::broke_protocol, death), false;
        } else if (events[1].revents != 0) {
            // It may have replied and then ended, so the counter has the last word.
            if (control.replies.load(std::memory_order_seq_cst) == expected) break;
            return end(Fate::exited, death), false;
        }
    }
    control.driver_sleeps.store(0, std::memory_order_relaxed);
    return true;
}

/// Looks at what the worker does with its time, if that is due, and whether there is any left.
std::optional<OutOfTime> Worker::look(sys::TimeLimit& time) {
    const auto now = Clock::now();
    if (now < time.next_look()) return std::nullopt;
    // The program below a launcher is not known.
    const sys::TimeSource* source = program_.launcher.given() ? nullptr : &process_.times();
    const auto slept_before = time.slept();
    time.look(now, source);
    if (program_.budget) {
        program_.budget->spend(time.slept() - slept_before);
        charge(source == nullptr ? charged_ : source->cpu().value_or(charged_));
        if (program_.budget->used_up()) return OutOfTime::budget;
    }
    return time.over();
}

/// Adds to the budget what was not known yet of the worker's CPU time.
void Worker::charge(std::chrono::nanoseconds cpu) {
    if (cpu <= charged_) return;
    program_.budget->spend(cpu - charged_);
    charged_ = cpu;
}

bool Worker::out_of_time(OutOfTime why, Death& death) {
    end(Fate::timed_out, death);
    death.out_of_time = why;
    death.limit = limit_;
    // While a GPU works, its program sleeps.
    if (why == OutOfTime::sleeping && program_.check == model::Check::gpu)
        death.out_of_time = OutOfTime::unknown;
    if (why == OutOfTime::crowded) death.limit *= sys::max_slowdown;
    if (why == OutOfTime::budget)
        death.limit = std::chrono::ceil<std::chrono::milliseconds>(program_.budget->total());
    return false;
}

/// Waits for an event, for less long where the worker's memory has to be looked at in between.
bool Worker::sleep(std::span<pollfd> events, const sys::TimeLimit& time) {
    auto left = std::max(std::chrono::ceil<std::chrono::milliseconds>(time.next_look() - Clock::now()),
                         std::chrono::milliseconds(0));
    if (process_.watched() || arena_is_large()) left = std::min(left, sys::look_interval);
    return poll(events.data(), events.size(), static_cast<int>(left.count())) >= 0 || errno == EINTR;
}

} // namespace subject
