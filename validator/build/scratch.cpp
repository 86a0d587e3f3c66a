#include "build/scratch.h"

#include "build/file.h"
#include "model/errors.h"
#include "system/beneath.h"
#include "system/temporary.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace build {
namespace {

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path) {
    throw model::EnvironmentError("cannot " + what + " " + path.string() + ": " + std::strerror(errno) +
                                  "; free some space there or point XDG_CACHE_HOME elsewhere");
}

} // namespace

std::uint64_t free_bytes(const std::filesystem::path& folder) {
    struct statvfs disk {};
    return statvfs(folder.c_str(), &disk) == 0 ? disk.f_bavail * disk.f_frsize
                                               : std::numeric_limits<std::uint64_t>::max();
}

Scratch::Scratch(const std::filesystem::path& parent) {
    // On a full disk a compiler fails in many ways, and each looks as if the program were to blame.
    if (free_bytes(parent) < min_free_bytes) {
        errno = ENOSPC;
        fail("compile in", parent);
    }
    auto made = sys::make_temporary_folder(parent, scratch_prefix);
    if (!made) fail("make a folder for the compiler in", parent);
    path_ = std::move(made->path);
    folder_ = std::move(made->fd);
}

Scratch::~Scratch() {
    // Walks by descriptors and follows no link (since GCC 12), so nothing outside can be reached through it.
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void Scratch::write(const std::string& name, std::string_view text) const {
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
        if (mkdirat(folder_.get(), name.substr(0, end).c_str(), 0700) != 0 && errno != EEXIST)
            fail("make the folders of", path_ / name);
    const sys::Fd fd(
        openat(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!fd || !write_all(fd.get(), text)) fail("write", path_ / name);
}

std::optional<std::string> Scratch::take(const std::string& name, std::uint64_t limit) const {
    const sys::Fd fd = sys::open_beneath(folder_, name, O_RDONLY);
    if (!fd) return std::nullopt;
    struct stat status {};
    if (fstat(fd.get(), &status) != 0 || status.st_nlink != 1) return std::nullopt;
    return read_all(fd.get(), limit);
}

} // namespace build
