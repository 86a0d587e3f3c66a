// A worker that answers each call with what its message says: reply, results and notes of a crash, all at the
// fuzzer's choice.
#include "fuzz/arena_script.h"
#include "subject/protocol.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using subject::Control;

void ring() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(subject::reply_fd, &one, sizeof one);
}

void wait_for(Control& control, std::uint64_t request) {
    control.worker_sleeps.store(1, std::memory_order_seq_cst);
    while (control.requests.load(std::memory_order_seq_cst) < request) {
        pollfd bell{subject::request_fd, POLLIN, 0};
        poll(&bell, 1, -1);
        std::uint64_t ignored = 0;
        [[maybe_unused]] const ssize_t got = read(subject::request_fd, &ignored, sizeof ignored);
    }
}

void answer(Control& control, std::byte* arena, std::uint64_t request) {
    const std::size_t regions = std::min<std::size_t>(control.region_count, 16);
    const std::byte* message = control.request_message + regions * sizeof(subject::Region);
    fuzz::Script script;
    std::memcpy(&script, message, sizeof script);
    const std::byte* bytes = message + sizeof script;
    const std::size_t size = std::min<std::size_t>(script.bytes, fuzz::max_script);

    std::memcpy(control.reply_message, bytes, size);
    std::memcpy(arena + control.results_at, bytes, size);
    for (std::size_t i = 0; i < regions; ++i) {
        subject::Region region;
        std::memcpy(&region, control.request_message + i * sizeof region, sizeof region);
        if (script.damage & 1U << i) // canaries included
            std::memcpy(arena + region.offset - subject::canary_bytes, bytes,
                        std::min<std::size_t>(size, 256));
    }
    const std::size_t notes = sizeof(Control) - offsetof(Control, crash);
    std::memcpy(control.crash, bytes, std::min(size, notes));
    control.reply = static_cast<subject::ReplyKind>(script.reply);
    control.reply_bytes = script.reply_bytes;
    control.launches = script.launches;
    control.order_mattered = control.modes_left = control.kept_written = script.launches;

    if (script.ending == fuzz::Ending::crash) std::raise(SIGKILL);
    if (script.ending == fuzz::Ending::exit) _exit(static_cast<int>(script.reply));
    control.replies.store(request + (script.ending == fuzz::Ending::miscount ? script.launches : 0),
                          std::memory_order_seq_cst);
    ring();
}

} // namespace

int main() {
    struct stat status {};
    if (fstat(subject::arena_fd, &status) != 0) return 125;
    void* memory = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED,
                        subject::arena_fd, 0);
    if (memory == MAP_FAILED) return 125;
    auto& control = *static_cast<Control*>(memory);
    control.ready.store(subject::ready_mark, std::memory_order_release);
    ring();
    for (std::uint64_t request = 1;; ++request) {
        wait_for(control, request);
        answer(control, static_cast<std::byte*>(memory), request);
    }
}
