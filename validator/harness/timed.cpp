#include "harness/timed.h"

#include "harness/recorder.h"

#include <chrono>
#include <unordered_set>

namespace harness {
namespace {

constexpr int warm_up = 3;
constexpr int measured = 15;

using Microseconds = std::chrono::duration<double, std::micro>;

} // namespace

std::size_t at_scale(std::size_t on_gpu, std::size_t counted) {
    return Recorder::current().full_size() ? on_gpu : counted;
}

void time_calls(const std::string& function, const std::function<std::uint64_t()>& call) {
    Recorder& recorder = Recorder::current();
    subject::Session& session = subject::Session::current();
    recorder.measures(function);
    if (!session.times_calls()) return recorder.add_minimum_traffic(call());
    for (int round = 0; round < warm_up + measured; ++round) {
        const std::uint64_t bytes = call();
        if (recorder.failed()) return; // the time of a wrong answer means nothing
        if (round < warm_up) continue;
        recorder.add_minimum_traffic(bytes);
        recorder.add_time(Microseconds(session.time()).count());
    }
}

std::size_t distinct(std::span<const std::int32_t> ids) {
    return std::unordered_set<std::int32_t>(ids.begin(), ids.end()).size();
}

} // namespace harness
