#include "system/time_limit.h"

#include <algorithm>

namespace sys {
namespace {

using model::OutOfTime;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds first_interval = milliseconds(2);
constexpr nanoseconds max_interval = milliseconds(50);
constexpr nanoseconds min_interval = milliseconds(1);

} // namespace

TimeLimit::TimeLimit(nanoseconds limit, Clock::time_point start)
    : limit_(limit), start_(start), now_(start), interval_(first_interval) {}

TimeLimit::Clock::time_point TimeLimit::next_look() const {
    const nanoseconds left = limit_ - ran_ - slept_;
    return now_ + std::clamp(left, min_interval, interval_);
}

void TimeLimit::look(Clock::time_point now, const TimeSource* process) {
    const auto cpu = process != nullptr ? process->cpu() : std::nullopt;
    blind_ = !cpu && !last_;
    if (cpu) {
        Look seen{now, *cpu, {}};
        // What computes is not asleep, and need not be asked.
        const bool busy = !last_ || seen.cpu - last_->cpu >= (now - last_->at) / 2;
        if (!busy) seen.threads = process->threads();
        if (last_) compare(seen);
        last_ = seen;
    }
    now_ = now;
    interval_ = std::min(2 * interval_, max_interval);
}

void TimeLimit::compare(const Look& seen) {
    const nanoseconds ran = seen.cpu - last_->cpu;
    ran_ += ran;
    if (!seen.threads || !last_->threads || seen.threads->ready || last_->threads->ready) return;
    const nanoseconds elapsed = seen.at - last_->at;
    if (ran == nanoseconds(0)) {
        slept_ += elapsed;
    } else if (seen.threads->who == last_->threads->who && seen.threads->waited && last_->threads->waited) {
        const nanoseconds waited = *seen.threads->waited - *last_->threads->waited;
        slept_ += std::max(nanoseconds(0), elapsed - ran - waited);
    }
}

std::optional<OutOfTime> TimeLimit::over() const {
    const nanoseconds elapsed = now_ - start_;
    if (blind_) return elapsed >= limit_ ? std::optional(OutOfTime::unknown) : std::nullopt;
    if (ran_ + slept_ >= limit_) return slept_ > ran_ ? OutOfTime::sleeping : OutOfTime::computing;
    if (elapsed >= max_slowdown * limit_) return OutOfTime::crowded;
    return std::nullopt;
}

} // namespace sys
