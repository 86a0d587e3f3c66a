#include "subject/session.h"

#include <utility>

namespace subject {

bool Session::aside(std::size_t as_from, const std::function<void()>& calls) {
    if (listener_ == nullptr || !fresh_ || expected_ != nullptr || program_.controlled ||
        program_.launcher.given() || recording_.keeps_calls() || shared_end_ != calls_end_)
        return false;
    std::unique_ptr<Worker> worker = std::move(worker_);
    Transcript transcript = std::exchange(transcript_, {});
    const CallNote last_call = last_call_;
    calls_before_ = as_from;
    const auto resume = [&] {
        supply_.retire(std::move(worker_));
        worker_ = std::move(worker);
        transcript_ = std::move(transcript);
        last_call_ = last_call;
        calls_before_ = 0;
    };
    try {
        calls();
    } catch (...) {
        resume();
        throw;
    }
    resume();
    return true;
}

} // namespace subject
