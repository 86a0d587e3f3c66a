#include "act.h"

#include <array>
#include <cerrno>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace canary {
namespace {

void* wait_for_the_end(void*) {
    pause();
    return nullptr;
}

/// More threads than the one beside the main thread that the small limits leave.
long start_too_many_threads() {
    constexpr int too_many = 4;
    for (int i = 0; i < too_many; ++i) {
        pthread_t thread{};
        const int error = pthread_create(&thread, nullptr, wait_for_the_end, nullptr);
        if (error == 0) continue;
        errno = error;
        return -1;
    }
    return 0;
}

/// Half as much again as the small limits leave, in pages that the kernel may take back: so it need not end
/// the process, which it would report as an incident each time. Pages that were taken back read as zero.
long use_too_much_memory() {
    constexpr std::size_t chunk = 256 << 10;
    constexpr std::size_t chunks = 24;
    constexpr std::size_t page = 4096;
    void* memory = mmap(nullptr, chunk * chunks, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -1;
    auto* bytes = static_cast<volatile char*>(memory);
    for (std::size_t at = 0; at < chunk * chunks; at += page) {
        bytes[at] = 1;
        if ((at + page) % chunk == 0)
            madvise(static_cast<char*>(memory) + at + page - chunk, chunk, MADV_FREE);
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < chunk * chunks; at += page)
        kept += bytes[at] == 1;
    munmap(memory, chunk * chunks);
    errno = ENOMEM;
    return kept * page <= chunk * chunks / 4 * 3 ? -1 : 0;
}

constexpr std::array acts{
    Act{"too_many_threads", start_too_many_threads},
    Act{"too_much_memory", use_too_much_memory},
};

} // namespace

std::span<const Act> limit_acts() {
    return acts;
}

} // namespace canary
