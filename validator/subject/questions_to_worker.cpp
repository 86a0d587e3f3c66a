// What a session asks its worker besides a contract's functions: which implementation is to answer, what it
// has observed, and its control.
#include "subject/session.h"

#include "model/check.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace subject {
namespace {

/// No worker knows them beforehand.
model::Control choose_control() {
    std::random_device chance;
    const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(chance() % bound); };
    return {model::least_control_size + below(model::max_control_size - model::least_control_size + 1),
            1 + below(model::max_control_step)};
}

/// Why a worker that was launched ended early.
std::string trouble_of(const Death& death) {
    const std::string when = death.before_ready ? " before the first test" : " during a test";
    switch (death.fate) {
    case Fate::exited: return "it ended with status " + std::to_string(death.code) + when;
    case Fate::signalled:
        return std::string("it was ended by a signal (") + strsignal(death.code) + ")" + when;
    case Fate::timed_out:
        return death.before_ready ? "it did not start the program in time" : "a call took too long under it";
    case Fate::output_exceeded: return "too much was printed" + when;
    case Fate::memory_exceeded: return "it used up the memory that it may have" + when;
    case Fate::broke_protocol: break;
    }
    return "the program broke off" + when;
}

} // namespace

void Session::turn_to(const std::string& implementation) {
    program_.arguments = {implementation};
    expected_ = nullptr;
    // Its CPU time counts from its start, and the next one may need its share.
    if (worker_ && worker_->age() > program_.limits.cpu / 2) worker_.reset();
    if (!worker_) return;
    Control& control = worker_->arena().control();
    Writer message({control.request_message, message_bytes});
    message.put(static_cast<std::uint32_t>(implementation.size()));
    std::memcpy(message.reserve(implementation.size()), implementation.data(), implementation.size());
    control.function = select_implementation;
    Reply reply;
    Death death;
    if (!worker_->ask(reply, death) || reply.kind != ReplyKind::returned) worker_.reset();
}

/// Asks the worker what it has observed since it was asked last. One that gives no answer has observed
/// nothing.
void Session::observe() {
    if (!program_.emulated || !worker_ || !worker_->called()) return;
    const std::string text = observed(observe_function);
    const std::size_t capacity = max_observed_bytes - std::min(observations_.size(), max_observed_bytes);
    if (!text.empty() && text.size() <= capacity) observations_.append(text).push_back('\n');
}

/// The text that the worker answers one of the functions with that are none of a contract's. Empty where it
/// gives none; for one that died of it, what it printed if a sanitizer ended it.
std::string Session::observed(std::uint32_t function) {
    Control& control = worker_->arena().control();
    control.function = function;
    control.region_count = 0;
    control.results_at = calls_begin;
    control.results_bytes = calls_end_ - calls_begin;
    Reply reply;
    Death death;
    ResultRef result;
    if (!worker_->ask(reply, death)) {
        worker_.reset();
        const bool by_sanitizer =
            death.fate == Fate::exited &&
            (death.code == model::address_sanitizer_status || death.code == model::thread_sanitizer_status);
        return by_sanitizer ? death.output : std::string();
    }
    if (reply.kind != ReplyKind::returned || reply.message.size() != sizeof result) return {};
    std::memcpy(&result, reply.message.data(), sizeof result);
    if (result.bytes > max_observed_bytes) return {};
    return {reinterpret_cast<const char*>(worker_->arena().base() + calls_begin), result.bytes};
}

/// Gives a worker that is to end its control, or its chance to end by itself.
void Session::conclude() {
    if (worker_ && program_.launcher.given()) return dismiss();
    if (!program_.controlled || !worker_) return;
    if (!worker_->called()) return;
    const model::Control chosen = choose_control();
    printed_ += worker_->take_output();
    Writer({worker_->arena().control().request_message, message_bytes}).put(chosen);
    ends_.push_back({first_case_, cases_ - 1, chosen, observed(control_function)});
}

/// Lets a worker end by itself, so that its launcher reports.
void Session::dismiss() {
    constexpr int times_for_report = 2;
    worker_->allow(times_for_report);
    worker_->arena().control().function = leave_function;
    worker_->arena().control().region_count = 0;
    Reply reply;
    Death death;
    const bool stayed = worker_->ask(reply, death);
    if (stayed) death.output = worker_->take_output();
    const bool left = !stayed && death.fate == Fate::exited;
    worker_.reset();
    ends_.push_back({first_case_,
                     cases_ - 1,
                     {},
                     std::move(death.output),
                     left     ? ""
                     : stayed ? "the program did not end when it was told to"
                              : trouble_of(death)});
}

/// The worker has died before its control, or before it was told to end.
void Session::lost(const Death& death) {
    worker_.reset();
    if (program_.controlled) ends_.push_back({first_case_, cases_ - 1, {}, {}, {}});
    if (program_.launcher.given())
        ends_.push_back({first_case_, cases_ - 1, {}, death.output, trouble_of(death), death.before_ready});
}

} // namespace subject
