#include "subject/arena.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace subject {

Arena::Arena(std::size_t bytes) : bytes_(round_up(bytes, page)) {
    fd_ = sys::Fd(memfd_create("arena", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    void* memory = MAP_FAILED;
    if (fd_ && ftruncate(fd_.get(), static_cast<off_t>(bytes_)) == 0 &&
        fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
    if (memory == MAP_FAILED)
        throw model::EnvironmentError("cannot make " + std::to_string(bytes_ >> 20) +
                                      " MiB of shared memory: " + std::strerror(errno) +
                                      "; free some memory, or raise the limit (ulimit -v)");
    base_ = static_cast<std::byte*>(memory);
    new (base_) Control{};
}

Arena::Arena(Arena&& other) noexcept
    : fd_(std::move(other.fd_)), base_(std::exchange(other.base_, nullptr)), bytes_(other.bytes_),
      written_(other.written_) {}

void Arena::write(std::size_t offset, const std::byte* data, std::size_t bytes) {
    // Memory that nobody touched is neither faulted in page by page nor cleared before it is filled when the
    // kernel does the copying: half the price.
    constexpr std::size_t worth_a_call = 64 << 10;
    if (bytes >= worth_a_call && offset + bytes > written_) {
        written_ = offset + bytes;
        while (bytes > 0) {
            const ssize_t done = pwrite(fd_.get(), data, bytes, static_cast<off_t>(offset));
            if (done <= 0) break; // what is left goes the other way
            offset += static_cast<std::size_t>(done);
            data += done;
            bytes -= static_cast<std::size_t>(done);
        }
    }
    if (bytes > 0) std::memcpy(base_ + offset, data, bytes);
}

std::uint64_t Arena::present_kib() const {
    constexpr std::uint64_t blocks_of_a_kib = 2; // POSIX leaves it open, Linux counts 512 bytes
    struct stat status {};
    return fstat(fd_.get(), &status) == 0 ? static_cast<std::uint64_t>(status.st_blocks) / blocks_of_a_kib
                                          : 0;
}

Arena::~Arena() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

} // namespace subject
