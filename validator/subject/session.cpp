#include "subject/session.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace subject {
namespace {

/// Where the memory for calls ends, unless a call of the case needs more.
constexpr std::size_t usual_calls_end = calls_begin + (64ULL << 20);

} // namespace

Session& Session::current() {
    static Session session;
    return session;
}

void Session::bind(WorkerProgram program, bool fresh, Listener& listener) {
    unbind();
    program_ = std::move(program);
    fresh_ = fresh;
    listener_ = &listener;
    expected_ = nullptr;
    order_ = 0;
    allowed_times_ = 1;
    cases_ = 0;
    ends_.clear();
    calls_end_ = usual_calls_end;
    shared_end_ = calls_end_;
    if (fresh_ && !program_.launcher.given()) supply_.order(program_, round_up(calls_end_, page));
}

void Session::unbind() {
    conclude();
    worker_.reset();
    supply_.close();
    listener_ = nullptr;
}

void Session::begin_case() {
    ++cases_;
    transcript_.clear();
    last_call_.clear();
    recording_.clear();
    printed_.clear();
    observations_.clear();
    object_to_end_ = 0;
    repeats_ = 0;
    diverged_ = rehearses_ = upward_ = order_mattered_ = left_out_ = false;
    kept_ = Kept::nothing;
    // Shared tensors end with their case: one laid behind those of an earlier case would find them mapped
    // below.
    if (fresh_ || shared_end_ != calls_end_) retire();
    // What a case meets does not depend on what others needed: growing starts a worker over.
    if (fresh_) calls_end_ = usual_calls_end;
    shared_end_ = calls_end_;
}

std::string Session::end_case() {
    observe();
    if (worker_ && !program_.launcher.given()) printed_ += worker_->take_output(); // else dismiss() takes it
    if (fresh_) retire();
    return std::move(printed_);
}

/// Ends the worker; nobody waits for that where the next one is another process anyway.
void Session::retire() {
    conclude();
    if (fresh_)
        supply_.retire(std::move(worker_));
    else
        worker_.reset();
}

Worker& Session::worker() {
    if (worker_) return *worker_;
    first_case_ = cases_ - 1;
    if (!fresh_ || program_.launcher.given()) {
        worker_ = std::make_unique<Worker>(program_, round_up(shared_end_, page));
        return *worker_;
    }
    worker_ = supply_.take(program_, round_up(shared_end_, page));
    // The next case's worker gets ready on another core while this case runs.
    supply_.order(program_, round_up(usual_calls_end, page));
    return *worker_;
}

void Session::grow_arena(std::size_t needed) {
    if (needed <= calls_end_) return;
    if (shared_end_ != calls_end_)
        throw std::logic_error("shared tensors must be made after the largest ordinary call of a test");
    observe();
    conclude();
    worker_.reset();
    calls_end_ = round_up(std::max(needed, 2 * calls_end_), page); // so that few starts are enough
    shared_end_ = calls_end_;
}

std::byte* Session::shared_bytes(std::size_t bytes) {
    if (program_.check == model::Check::gpu) {
        left_out_ = true;
        throw CallLost{};
    }
    if (shared_end_ != calls_end_)
        throw std::logic_error("a test case can hold one shared tensor: the second would take the first's");
    const std::size_t at = shared_end_ + canary_bytes;
    shared_end_ = round_up(at + bytes + canary_bytes, page);
    observe();
    conclude();
    worker_.reset();
    return worker().arena().base() + round_up(at, 64);
}

const Reply& Session::call(const CallSite& site, const std::vector<Buffer>& buffers,
                           const std::function<void(Writer&, const std::vector<PlacedRegion>&)>& encode) {
    if (diverged_) throw CallLost{};
    std::size_t needed = calls_begin;
    for (const Buffer& buffer : buffers)
        if (!worker_ || !worker_->arena().contains(buffer.data))
            needed += 2 * (buffer.bytes + 4 * canary_bytes + page); // as much again for what it returns
    grow_arena(needed + 3 * page);
    worker().allow(allowed_times_);
    Arena& arena = worker().arena();
    const std::vector<PlacedRegion> regions =
        place(buffers, calls_begin, arena, placing_for(kept_), uses_slots());
    for (const PlacedRegion& region : regions)
        if (!region.in_arena) lay_out(region);

    Control& control = arena.control();
    Writer message({control.request_message, message_bytes});
    for (const PlacedRegion& region : regions)
        message.put(Region{region.offset, region.bytes});
    encode(message, regions);
    control.function = site.function;
    control.order = order_;
    control.timed = timed_ ? 1 : 0;
    control.rehearsed = rehearses_ ? 1 : 0;
    control.upward = upward_ ? 1 : 0;
    control.repeats = repeats_;
    control.ends = std::exchange(object_to_end_, 0);
    control.region_count = static_cast<std::uint32_t>(regions.size());
    const std::size_t results_at = round_up(end_of(regions, calls_begin), kept_ != Kept::nothing ? page : 64);
    control.kept = kept_pages(kept_, gaps_, regions, results_at);
    control.results_at = results_at;
    control.results_bytes = calls_end_ - results_at;

    recording_.add({.results_bytes = control.results_bytes,
                    .ends = control.ends,
                    .function = site.function,
                    .order = order_,
                    .region_count = control.region_count,
                    .repeats = repeats_,
                    .fresh = worker().called() ? 0U : 1U},
                   {control.request_message, message.used()}, regions);

    Observation observation;
    observation.function = site.function;
    observation.name = site.name;
    Reply& reply = reply_;
    Death death;
    ++calls_made_;
    if (!(timed_ ? worker().exchange_timed(reply, death, time_) : worker().exchange(reply, death))) {
        lost(death);
        death.argument = argument_before(regions, death.fault);
        lose(site.name, death, std::move(observation));
    }

    launches_ = program_.emulated ? control.launches : 0;
    order_mattered_ = order_mattered_ || (program_.emulated && control.order_mattered != 0);
    check_regions(site.name, buffers, regions, observation);
    if (control.modes_left != 0) listener_->left_modes(site.name), ++observation.damage;
    if (kept_ != Kept::nothing && control.kept_written != 0)
        listener_->wrote_kept(site.name, kept_), ++observation.damage;
    observation.reply = reply.kind;
    if (!take_result(site, results_at, reply, observation)) {
        death.fate = Fate::broke_protocol;
        death.output = worker_->take_output();
        lost(death);
        lose(site.name, death, std::move(observation));
    }
    if (repeats_ > 0) observation.outputs.clear(); // they may depend on how many there was time for
    add(std::move(observation));
    switch (reply.kind) {
    case ReplyKind::returned: return reply;
    case ReplyKind::not_implemented: listener_->not_implemented(site.name); throw CallLost{};
    case ReplyKind::out_of_memory: listener_->out_of_memory(site.name); throw CallLost{};
    case ReplyKind::device_failed:
        listener_->device_failed(site.name,
                                 {reinterpret_cast<const char*>(reply.message.data()), reply.message.size()});
        // What has failed on a GPU keeps failing in that process.
        if (program_.check == model::Check::gpu) retire();
        throw CallLost{};
    case ReplyKind::threw: {
        const std::string text(reinterpret_cast<const char*>(reply.message.data()), reply.message.size());
        const std::size_t end = std::min(text.find('\0'), text.size());
        throw LearnerThrew(text.substr(0, end), end < text.size() ? text.substr(end + 1) : std::string{});
    }
    case ReplyKind::malformed: // which take_result refuses
    case ReplyKind::paused: break;
    }
    throw CallLost{};
}

void Session::add(Observation observation) {
    transcript_.add(std::move(observation));
    if (expected_ == nullptr || same_so_far(transcript_, *expected_, likeness_)) return;
    diverged_ = true;
    throw CallLost{};
}

bool Session::take_result(const CallSite& site, std::size_t results_at, Reply& reply,
                          Observation& observation) {
    if (reply.kind >= ReplyKind::malformed) return false;
    if (reply.kind != ReplyKind::returned) {
        observation.message = reply.message;
        return true;
    }
    if (site.array) {
        ResultRef result;
        if (reply.message.size() != sizeof result) return false;
        std::memcpy(&result, reply.message.data(), sizeof result);
        if (result.bytes > calls_end_ - results_at || result.bytes % site.result_bytes != 0) return false;
        const std::byte* data = worker_->arena().base() + results_at;
        reply.message.assign(data, data + result.bytes);
    } else if (reply.message.size() != site.result_bytes) {
        return false;
    }
    if (site.object) {
        // Which number it has depends on how many objects the worker made before, in other test cases too.
        const bool made =
            std::ranges::any_of(reply.message, [](std::byte byte) { return byte != std::byte{0}; });
        observation.message.assign(1, std::byte{made});
        return true;
    }
    if (site.array || site.result_bytes > 0)
        observation.outputs.push_back(
            transcript_.output(site.result_kind, reply.message.data(), reply.message.size()));
    return true;
}

void Session::lose(const char* name, const Death& death, Observation observation) {
    observation.death = death;
    add(std::move(observation));
    listener_->died(name, death);
    throw CallLost{};
}

} // namespace subject
