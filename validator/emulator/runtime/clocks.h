#pragma once

#include "emulator/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace cuda_emulator {

/// The host's program, and each stream, is a timeline: what happens on one happens in order.
using Timeline = std::uint32_t;
constexpr Timeline host_timeline = 0;

/// A vector clock: how far each timeline had come when something happened.
class Clock {
  public:
    void reach(Timeline timeline, std::uint64_t number) {
        auto& reached = reached_[timeline];
        if (reached < number) reached = number;
    }
    void join(const Clock& other) {
        for (const auto& [timeline, number] : other.reached_)
            reach(timeline, number);
    }
    std::uint64_t reached(Timeline timeline) const {
        const auto found = reached_.find(timeline);
        return found != reached_.end() ? found->second : 0;
    }
    bool knows(Timeline timeline, std::uint64_t number) const { return reached(timeline) >= number; }

  private:
    std::map<Timeline, std::uint64_t> reached_;
};

/// Something that uses memory: a kernel, a copy, a fill, an access by the host.
struct Task {
    Timeline timeline = host_timeline;
    std::uint64_t number = 0; ///< on its timeline
    Clock clock{};            ///< what happened before it, and itself
    std::string name{};
    emulator::Location asked{}; ///< where the program asked for it

    /// Nothing that the program did orders the two.
    bool is_concurrent_with(const Task& other) const {
        return !clock.knows(other.timeline, other.number) && !other.clock.knows(timeline, number);
    }
    /// The program asked for it before it asked for the other, in whatever order the two ran.
    bool is_asked_before(const Task& other) const {
        return clock.reached(host_timeline) < other.clock.reached(host_timeline);
    }
};
using TaskPointer = std::shared_ptr<const Task>;

} // namespace cuda_emulator
