#include "system/shared_time.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>

namespace sys {
namespace {

constexpr std::size_t bytes = sizeof(std::atomic<std::int64_t>);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

} // namespace

SharedTime::SharedTime() : fd_(memfd_create("time", MFD_CLOEXEC)) {
    if (fd_ && ftruncate(fd_.get(), bytes) != 0) fd_.reset();
    map();
}

SharedTime::SharedTime(int fd) : fd_(fcntl(fd, F_DUPFD_CLOEXEC, 0)) {
    map();
}

void SharedTime::map() {
    void* memory = fd_ ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0) : MAP_FAILED;
    if (memory == MAP_FAILED)
        throw model::EnvironmentError(std::string("cannot share a count of time: ") + std::strerror(errno) +
                                      "; free some memory, or raise the limit on open files (ulimit -n)");
    count_ = static_cast<std::atomic<std::int64_t>*>(memory); // of zeros, which is a count of nothing
}

SharedTime::~SharedTime() {
    munmap(count_, bytes);
}

} // namespace sys
