// The worker's main: maps the arena, answers calls, and never decides anything.
#include "common/not_implemented.h"
#include "subject/shim/crash.h"
#include "subject/shim/emulated.h"
#include "subject/shim/guards.h"
#include "subject/shim/kept.h"
#include "subject/shim/modes.h"
#include "subject/shim/repeat.h"
#include "subject/shim/sanitized.h"
#include "subject/shim/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <new>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <typeinfo>
#include <unistd.h>

namespace subject::shim {
namespace {

/// Heap copies of the regions with exact sizes, so that AddressSanitizer sees the first byte out of bounds.
/// Within the arena such a byte is ordinary memory.
class ExactCopies {
  public:
    ExactCopies(std::byte* arena, std::vector<Region> regions) : arena_(arena), regions_(std::move(regions)) {
        for (const Region& region : regions_) {
            const std::size_t misalignment = region.offset % 16;
            blocks_.push_back(static_cast<std::byte*>(std::malloc(region.bytes + misalignment)));
            std::memcpy(at(blocks_.size() - 1), arena_ + region.offset, region.bytes);
        }
    }
    ExactCopies(const ExactCopies&) = delete;
    ExactCopies& operator=(const ExactCopies&) = delete;
    ~ExactCopies() {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            std::memcpy(arena_ + regions_[i].offset, at(i), regions_[i].bytes);
            std::free(blocks_[i]);
        }
    }
    std::byte* at(std::size_t i) const { return blocks_[i] + regions_[i].offset % 16; }

  private:
    std::byte* arena_;
    std::vector<Region> regions_;
    std::vector<std::byte*> blocks_;
};

/// Larger regions are shared tensors, sparse and gigabytes long; copying one would make it real.
constexpr std::uint64_t max_copied = 1ULL << 30;

/// Maps what the driver has laid out, up to `end`, many pages at a time. Else a function that writes takes a
/// fault for each, because the kernel maps the neighbours of a page that is read, but not of one that is
/// written. Nothing depends on its success.
void map_pages(std::byte* arena, std::uint64_t end) {
    constexpr std::uint64_t worth_a_call = 64 << 10;
    static std::uint64_t mapped = calls_begin;
    if (end < mapped + worth_a_call) return;
    madvise(arena + mapped, end - mapped, MADV_POPULATE_READ);
    mapped = end / page * page;
}

void answer_with_text(Control& control, const std::string& text) {
    const std::size_t size = std::min(text.size(), message_bytes);
    std::memcpy(control.reply_message, text.data(), size);
    control.reply_bytes = static_cast<std::uint32_t>(size);
}

void answer_with_exception(Control& control, const std::string& type, std::string_view what) {
    answer_with_text(control, type + '\0' + std::string(what.substr(0, 4096)));
    control.reply = ReplyKind::threw;
}

std::string current_exception_type() {
    const std::type_info* type = abi::__cxa_current_exception_type();
    if (type == nullptr) return "unknown";
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(
        abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
    return status == 0 ? name.get() : type->name();
}

/// The number of the request that is being answered.
std::uint64_t served = 0;

void ring(int fd) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(fd, &one, sizeof one);
}

/// A ring may come ahead of its request, so each is worth some looks before the next sleep.
void wait_for_request(Control& control) {
    ++served;
    for (;;) {
        for (std::size_t look = 0; look < spins; ++look) {
            if (control.requests.load(std::memory_order_acquire) >= served) return;
            relax();
        }
        control.worker_sleeps.store(1, std::memory_order_seq_cst);
        if (control.requests.load(std::memory_order_seq_cst) < served) {
            pollfd bell{request_fd, POLLIN, 0};
            poll(&bell, 1, -1); // the bell itself never waits, for the driver's sake
            std::uint64_t ignored = 0;
            [[maybe_unused]] const ssize_t got = read(request_fd, &ignored, sizeof ignored);
        }
        control.worker_sleeps.store(0, std::memory_order_relaxed);
    }
}

void reply(Control& control) {
    std::fflush(stdout);
    control.replies.store(served, std::memory_order_seq_cst);
    if (control.driver_sleeps.load(std::memory_order_seq_cst) != 0) ring(reply_fd);
}

Control* paused_one = nullptr;

void pause_call() {
    paused_one->reply = ReplyKind::paused;
    paused_one->reply_bytes = 0;
    reply(*paused_one);
    wait_for_request(*paused_one);
}

void run_call(const Table& table, Control& control, std::byte* arena) {
    Reader message({control.request_message, message_bytes});
    std::vector<Region> regions(control.region_count);
    for (Region& region : regions)
        region = message.take<Region>();

    map_pages(arena, control.results_at);
    bool exact = checks_memory();
    for (const Region& region : regions)
        exact = exact && region.bytes <= max_copied;
    const ExactCopies copies(arena, exact ? regions : std::vector<Region>{});

    Call call{message,
              {},
              Writer({control.reply_message, message_bytes}),
              arena + control.results_at,
              control.results_bytes};
    for (std::size_t i = 0; i < regions.size(); ++i)
        call.regions.push_back({exact ? copies.at(i) : arena + regions[i].offset, regions[i].bytes});
    if (choose_order != nullptr) choose_order(control.order);
    make_before(table.entries[control.function], call, control.repeats);
    paused_one = &control;
    if (control.timed != 0) call.pause = pause_call;
    call.rehearsed = control.rehearsed != 0;
    call.ends = control.ends;
    control.kept_written = 0;
    std::optional<KeptScope> kept;
    if (control.kept.count > 0 && crash_notes != nullptr) kept.emplace(control, arena);
    table.entries[control.function](call);
    control.launches = call.launches;
    control.order_mattered = order_mattered != nullptr && order_mattered() ? 1 : 0;
    control.reply = ReplyKind::returned;
    control.reply_bytes = static_cast<std::uint32_t>(call.reply.used());
}

const Table* find_table(std::string_view name) {
    for (std::size_t i = 0; i < table_count; ++i)
        if (tables[i]->name == name) return tables[i];
    return nullptr;
}

void select(const Table& table) {
    if (table.selector != nullptr) *table.selector = table.number;
}

void turn(const Table*& table, Control& control) {
    Reader message({control.request_message, message_bytes});
    const auto length = message.take<std::uint32_t>();
    const auto* name = reinterpret_cast<const char*>(control.request_message + sizeof length);
    const Table* found = find_table({name, std::min<std::size_t>(length, message_bytes - sizeof length)});
    control.reply = found != nullptr ? ReplyKind::returned : ReplyKind::malformed;
    control.reply_bytes = 0;
    if (found == nullptr) return;
    table = found;
    select(*table);
}

void answer_with_observations(Control& control, std::byte* arena) {
    const std::size_t capacity = std::min<std::size_t>(control.results_bytes, max_observed_bytes);
    const ResultRef result{observed(arena + control.results_at, capacity)};
    std::memcpy(control.reply_message, &result, sizeof result);
    control.reply_bytes = sizeof result;
    control.reply = ReplyKind::returned;
}

void show_control(Control& control, std::byte* arena) {
    const auto wanted = Reader({control.request_message, message_bytes}).take<model::Control>();
    control.reply = ReplyKind::malformed;
    control.reply_bytes = 0;
    misbehave(wanted);
    if (run_control == nullptr) return;
    run_control(wanted);
    answer_with_observations(control, arena);
}

void answer(const Table*& table, Control& control, std::byte* arena) {
    const Modes ours, before = control.upward != 0 ? ours.upward() : ours;
    before.set();
    try {
        if (control.function == select_implementation)
            turn(table, control);
        else if (control.function == observe_function && observed != nullptr)
            answer_with_observations(control, arena);
        else if (control.function == control_function)
            show_control(control, arena);
        else if (control.function == leave_function)
            std::exit(0);
        else if (control.function < table->size)
            run_call(*table, control, arena);
        else
            control.reply = ReplyKind::malformed;
    } catch (const contract::NotImplemented&) {
        control.reply = ReplyKind::not_implemented;
        control.reply_bytes = 0;
    } catch (const DeviceFailed& failed) {
        answer_with_text(control, std::string(failed.words) + " (" + failed.name + ")");
        control.reply = ReplyKind::device_failed;
    } catch (const std::bad_alloc&) {
        control.reply = ReplyKind::out_of_memory;
        control.reply_bytes = 0;
    } catch (const std::exception& error) {
        answer_with_exception(control, current_exception_type(), error.what());
    } catch (const abi::__forced_unwind&) {
        throw; // pthread_exit: stopping it would abort with a message that helps nobody
    } catch (...) {
        answer_with_exception(control, current_exception_type(), "");
    }
    control.modes_left = before == Modes() ? 0 : 1;
    ours.set(); // so that no other call is blamed
}

[[noreturn]] void serve(const Table* table, Control& control, std::byte* arena) {
    if (watch_kernels != nullptr)
        watch_kernels(control);
    else if (!is_sanitized())
        watch_crashes(control);
    if (open_gpu != nullptr) open_gpu();
    control.ready.store(ready_mark, std::memory_order_release);
    ring(reply_fd);
    for (;;) {
        wait_for_request(control);
        answer(table, control, arena);
        reply(control);
    }
}

} // namespace
} // namespace subject::shim

int main(int count, char** values) {
    using namespace subject;
    using namespace subject::shim;

    const Table* table = find_table(count > 1 ? values[1] : "");
    struct stat status {};
    if (table == nullptr || fstat(arena_fd, &status) != 0) return 125;
    void* memory = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED,
                        arena_fd, 0);
    if (memory == MAP_FAILED) return 125;
    std::setvbuf(stdout, nullptr, _IOLBF, 4096);
    select(*table);
    auto* arena = static_cast<std::byte*>(memory);
    if (!guard_slots(arena)) return 125;
    serve(table, *reinterpret_cast<Control*>(arena), arena);
}
