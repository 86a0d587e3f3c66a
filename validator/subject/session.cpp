#include "subject/session.h"

#include <algorithm>
#include <cstring>

namespace subject {
namespace {

constexpr std::size_t control_end = round_up(sizeof(Control), page);
constexpr std::size_t usual_calls_end = 64ULL << 20;

/// A quiet NaN as float and as the upper half of a double, and no likely token id: what lies around a buffer
/// is never mistaken for data.
constexpr std::uint32_t canary_word = 0x7fc5'a5c5;

void lay_canary(std::byte* at) {
    for (std::size_t i = 0; i < canary_bytes; i += sizeof canary_word)
        std::memcpy(at + i, &canary_word, sizeof canary_word);
}

bool canary_intact(const std::byte* at) {
    for (std::size_t i = 0; i < canary_bytes; i += sizeof canary_word)
        if (std::memcmp(at + i, &canary_word, sizeof canary_word) != 0) return false;
    return true;
}

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
    calls_end_ = control_end + usual_calls_end;
    shared_end_ = calls_end_;
}

void Session::unbind() {
    worker_.reset();
    listener_ = nullptr;
}

void Session::begin_case() {
    transcript_.clear();
    printed_.clear();
    diverged_ = false;
    // Shared tensors end with their case: one laid behind those of an earlier case would find them mapped
    // below.
    if (fresh_ || shared_end_ != calls_end_) worker_.reset();
    shared_end_ = calls_end_;
}

std::string Session::end_case() {
    if (worker_) printed_ += worker_->take_output();
    if (fresh_) worker_.reset();
    return std::move(printed_);
}

Worker& Session::worker() {
    if (!worker_) worker_ = std::make_unique<Worker>(program_, shared_end_);
    return *worker_;
}

void Session::make_room(std::size_t needed) {
    if (needed <= calls_end_) return;
    if (shared_end_ != calls_end_)
        throw std::logic_error("shared tensors must be made after the largest ordinary call of a test");
    calls_end_ = round_up(needed, page);
    shared_end_ = calls_end_;
    worker_.reset();
}

std::byte* Session::shared_bytes(std::size_t bytes) {
    const std::size_t at = shared_end_ + canary_bytes;
    shared_end_ = round_up(at + bytes + canary_bytes, page);
    worker_.reset();
    return worker().arena().base() + round_up(at, 64);
}

Reply Session::call(const CallSite& site, const std::vector<Buffer>& buffers,
                    const std::function<void(Writer&, const std::vector<PlacedRegion>&)>& encode) {
    if (diverged_) throw CallLost{};
    std::size_t needed = control_end;
    for (const Buffer& buffer : buffers)
        if (!worker_ || !worker_->arena().contains(buffer.data))
            needed += 2 * (buffer.bytes + 4 * canary_bytes); // as much again for what it returns
    make_room(needed + page);

    Arena& arena = worker().arena();
    const std::vector<PlacedRegion> regions = place(buffers, control_end, arena);
    for (const PlacedRegion& region : regions) {
        if (region.in_arena) continue;
        std::byte* at = arena.base() + region.offset;
        lay_canary(at - canary_bytes);
        if (region.bytes > 0) std::memcpy(at, region.data, region.bytes);
        lay_canary(at + region.bytes);
    }

    Control& control = arena.control();
    Writer message({control.request_message, message_bytes});
    for (const PlacedRegion& region : regions)
        message.put(Region{region.offset, region.bytes});
    encode(message, regions);
    control.function = site.function;
    control.region_count = static_cast<std::uint32_t>(regions.size());
    const std::size_t results_at = round_up(end_of(regions, control_end), 64);
    control.results_at = results_at;
    control.results_bytes = calls_end_ - results_at;

    Observation observation;
    observation.function = site.function;
    Reply reply;
    Death death;
    if (!worker().exchange(reply, death)) {
        worker_.reset();
        lose(site.name, death, std::move(observation));
    }

    check_regions(site.name, regions, observation);
    observation.reply = reply.kind;
    observation.message = reply.message;
    if (site.array && reply.kind == ReplyKind::returned) take_array(site, results_at, reply, observation);
    add(std::move(observation));

    switch (reply.kind) {
    case ReplyKind::returned: return reply;
    case ReplyKind::not_implemented: listener_->not_implemented(site.name); throw CallLost{};
    case ReplyKind::out_of_memory: listener_->out_of_memory(site.name); throw CallLost{};
    case ReplyKind::threw: {
        const std::string text(reinterpret_cast<const char*>(reply.message.data()), reply.message.size());
        const std::size_t end = std::min(text.find('\0'), text.size());
        throw LearnerThrew(text.substr(0, end), end < text.size() ? text.substr(end + 1) : std::string{});
    }
    case ReplyKind::malformed: break;
    }
    death.fate = Fate::broke_protocol;
    lose(site.name, death, {});
}

void Session::add(Observation observation) {
    transcript_.add(std::move(observation));
    if (expected_ == nullptr || same_so_far(transcript_, *expected_)) return;
    diverged_ = true;
    throw CallLost{};
}

void Session::take_array(const CallSite& site, std::size_t results_at, Reply& reply,
                         Observation& observation) {
    ResultRef result;
    if (reply.message.size() == sizeof result) std::memcpy(&result, reply.message.data(), sizeof result);
    const std::size_t bytes = std::min<std::size_t>(result.bytes, calls_end_ - results_at);
    const std::byte* data = worker_->arena().base() + results_at;
    reply.message.assign(data, data + bytes);
    observation.message.clear();
    observation.outputs.push_back(transcript_.output(*site.array, reply.message.data(), bytes));
}

void Session::check_regions(const char* name, const std::vector<PlacedRegion>& regions,
                            Observation& observation) {
    const std::byte* base = worker_->arena().base();
    const auto damaged = [&](int argument, std::uint32_t how) {
        observation.damage = observation.damage * 31 + static_cast<std::uint32_t>(argument) * 4 + how;
    };
    for (const PlacedRegion& region : regions) {
        if (region.in_arena) continue;
        const std::byte* at = base + region.offset;
        if (!canary_intact(at - canary_bytes)) {
            listener_->overran(name, region.argument, true);
            damaged(region.argument, 1);
        }
        if (!canary_intact(at + region.bytes)) {
            listener_->overran(name, region.argument, false);
            damaged(region.argument, 2);
        }
        if (region.bytes == 0) continue;
        if (region.writable) {
            // The one and only look at what was written: whatever a thread of the worker does later changes
            // nothing.
            std::memcpy(region.data, at, region.bytes);
            observation.outputs.push_back(transcript_.output(region.kind, region.data, region.bytes));
        } else if (std::memcmp(region.data, at, region.bytes) != 0) {
            listener_->changed_input(name, region.argument);
            damaged(region.argument, 3);
        }
    }
}

void Session::lose(const char* name, const Death& death, Observation observation) {
    observation.death = death;
    add(std::move(observation));
    listener_->died(name, death);
    throw CallLost{};
}

} // namespace subject
