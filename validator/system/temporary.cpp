#include "system/temporary.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

namespace sys {
namespace {

namespace fs = std::filesystem;

constexpr int max_tries = 100; // each was swept between its making and its locking

bool is_the_same(const struct stat& one, const struct stat& other) {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

template <class Make>
std::optional<Temporary> make_and_hold(const fs::path& folder, std::string_view prefix, Make make) {
    int trouble = 0;
    for (int attempt = 0; attempt < max_tries; ++attempt) {
        std::string name = (folder / (std::string(prefix) + "XXXXXX")).string();
        Fd fd = make(name);
        if (fd && hold(fd.get(), name)) return Temporary{name, std::move(fd)};
        trouble = fd ? EBUSY : errno;
        if (!fd && trouble != ENOENT)
            break; // a folder that is swept before it is opened is not there any more
    }
    errno = trouble;
    return std::nullopt;
}

} // namespace

bool hold(int fd, const fs::path& path) {
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    struct stat held {};
    struct stat there {};
    return fstat(fd, &held) == 0 && lstat(path.c_str(), &there) == 0 && is_the_same(held, there);
}

std::optional<Temporary> make_temporary_file(const fs::path& folder, std::string_view prefix) {
    return make_and_hold(folder, prefix,
                         [](std::string& name) { return Fd(mkostemp(name.data(), O_CLOEXEC)); });
}

std::optional<Temporary> make_temporary_folder(const fs::path& folder, std::string_view prefix) {
    return make_and_hold(folder, prefix, [](std::string& name) {
        if (mkdtemp(name.data()) == nullptr) return Fd();
        return Fd(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    });
}

std::string random_name(std::string_view prefix) {
    unsigned long long number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        std::abort(); // cannot be: Linux has had it since 3.17
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", number);
    return std::string(prefix) + digits.data();
}

void sweep(const fs::path& folder, const std::function<bool(std::string_view name)>& temporary,
           const std::function<void(const fs::path&)>& remove) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const fs::path& path = it->path();
        if (!temporary(path.filename().string())) continue;
        const Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        struct stat status {};
        if (fd && fstat(fd.get(), &status) == 0 && status.st_uid == geteuid() &&
            flock(fd.get(), LOCK_EX | LOCK_NB) == 0)
            remove(path);
    }
}

} // namespace sys
