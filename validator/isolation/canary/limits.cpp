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

/// The kernel does not answer this: it ends the process. One byte makes a page, and large pages make it
/// quick.
long use_too_much_memory() {
    constexpr std::size_t too_much = 16 << 20;
    constexpr std::size_t page = 4096;
    void* memory = mmap(nullptr, too_much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return -1;
    madvise(memory, too_much, MADV_HUGEPAGE);
    for (std::size_t at = 0; at < too_much; at += page)
        static_cast<volatile char*>(memory)[at] = 1;
    return munmap(memory, too_much);
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
