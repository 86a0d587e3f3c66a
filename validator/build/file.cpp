#include "build/file.h"

#include "model/errors.h"
#include "system/temporary.h"
#include "system/write_beneath.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace build {

std::optional<std::string> read_all(int fd, std::uint64_t limit) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > limit) return std::nullopt;
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = pread(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return std::nullopt;
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
    const sys::Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    constexpr std::uint64_t largest = 256ULL << 20;
    return fd ? read_all(fd.get(), largest) : std::nullopt;
}

std::string read_if_there(const std::filesystem::path& path) {
    errno = 0;
    if (auto text = read_file(path)) return std::move(*text);
    if (errno == ENOENT) return {};
    throw model::EnvironmentError("cannot read " + path.string() + ": " + std::strerror(errno));
}

bool write_all(int fd, std::string_view bytes) {
    return sys::write_all(fd, bytes);
}

bool write_atomically(const std::filesystem::path& path, std::string_view bytes, unsigned mode) {
    const auto part = sys::make_temporary_file(path.parent_path(), part_prefix);
    if (!part) return false;
    if (write_all(part->fd.get(), bytes) && fchmod(part->fd.get(), mode) == 0 &&
        std::rename(part->path.c_str(), path.c_str()) == 0)
        return true;
    const int error = errno;
    unlink(part->path.c_str());
    errno = error;
    return false;
}

std::string stamp(const std::filesystem::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return path.string() + ": none";
    const auto time = [](const timespec& value) {
        return std::to_string(value.tv_sec) + "." + std::to_string(value.tv_nsec);
    };
    return path.string() + ": " + std::to_string(status.st_size) + " " + time(status.st_mtim) + " " +
           time(status.st_ctim) + " " + std::to_string(status.st_ino);
}

} // namespace build
