// The main of a program to be looked at in a debugger: makes recorded calls again, with neither judge nor
// suite.
#include "subject/recording.h"
#include "subject/shim/emulated.h"
#include "subject/shim/repeat.h"
#include "subject/shim/table.h"
#include "subject/slots.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <span>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// A debugger stops here: the next call is the one that failed.
extern "C" [[gnu::noinline]] void engine_failing_call() {
    asm volatile("");
}

namespace subject::shim {
namespace {

/// A recorded call, and what followed it in the file.
struct Recorded {
    RecordedCall head;
    const std::byte* rest = nullptr;
};

/// The calls of a recording up to this one. Those of earlier workers than its own do not matter.
std::vector<Recorded> read_calls(const char* file, std::uint64_t last) {
    const int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (fd < 0 || fstat(fd, &status) != 0) return {};
    const auto size = static_cast<std::size_t>(status.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (memory == MAP_FAILED) return {};
    std::vector<Recorded> calls;
    const auto* at = static_cast<const std::byte*>(memory);
    for (std::uint64_t number = 1; number <= last; ++number) {
        Recorded call{Reader({at, sizeof(RecordedCall)}).take<RecordedCall>()};
        call.rest = at + sizeof call.head;
        at = call.rest + call.head.bytes;
        if (call.head.fresh != 0) calls.clear();
        calls.push_back(call);
    }
    return calls;
}

/// Memory for a region, as misaligned as it was in the arena. After one that was in a slot is a page that
/// cannot be used, so that the call ends in the debugger as it did then.
std::byte* memory_for(const Region& region) {
    if (in_slot(region.offset)) {
        const std::size_t bytes = round_up(region.bytes, page);
        void* memory =
            mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) std::abort();
        auto* guard = static_cast<std::byte*>(memory) + bytes;
        mprotect(guard, page, PROT_NONE);
        return guard - region.bytes;
    }
    constexpr std::size_t line = 64;
    const std::size_t misalignment = region.offset % line;
    return static_cast<std::byte*>(
               std::aligned_alloc(line, round_up(region.bytes + misalignment + 1, line))) +
           misalignment;
}

/// Makes the call on copies of its buffers. They are never freed, so that they can still be looked at.
void make(const Recorded& recorded) {
    const std::span message(recorded.rest, recorded.head.message_bytes);
    const std::byte* contents = recorded.rest + recorded.head.message_bytes;
    Reader arguments(message);
    std::byte reply[message_bytes];
    Call call{arguments, {}, Writer(reply)};
    for (std::uint32_t i = 0; i < recorded.head.region_count; ++i) {
        const auto region = call.arguments.take<Region>();
        std::byte* const memory = memory_for(region);
        std::memcpy(memory, contents, region.bytes);
        contents += region.bytes;
        call.regions.push_back({memory, region.bytes});
    }
    call.ends = recorded.head.ends;
    call.results_bytes = recorded.head.results_bytes;
    call.results = static_cast<std::byte*>(std::malloc(call.results_bytes));
    if (choose_order != nullptr) choose_order(recorded.head.order);
    make_before(tables[0]->entries[recorded.head.function], call, recorded.head.repeats);
    tables[0]->entries[recorded.head.function](call);
    std::free(call.results);
}

} // namespace
} // namespace subject::shim

int main(int count, char** values) {
    using namespace subject::shim;
    const std::vector<Recorded> calls =
        count == 3 ? read_calls(values[1], std::strtoull(values[2], nullptr, 10)) : std::vector<Recorded>{};
    if (calls.empty()) return 125;
    std::setvbuf(stdout, nullptr, _IOLBF, 4096); // a debugger may end the program at any time
    for (std::size_t i = 0; i + 1 < calls.size(); ++i)
        try {
            make(calls[i]);
        } catch (...) { // which the test expected
        }
    engine_failing_call();
    make(calls.back()); // an exception ends the program where it was thrown
}
