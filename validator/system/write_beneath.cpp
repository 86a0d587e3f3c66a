#include "system/write_beneath.h"

#include "system/beneath.h"
#include "system/temporary.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sys {
namespace {

namespace fs = std::filesystem;

bool is_link(const Fd& folder, const std::string& name) {
    struct stat status {};
    return fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

/// A new file with all bytes in it, or none.
bool write_new(const Fd& folder, const std::string& name, std::string_view bytes) {
    const Fd file(
        openat(folder.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file) return false;
    if (write_all(file.get(), bytes)) return true;
    const int error = errno;
    unlinkat(folder.get(), name.c_str(), 0);
    errno = error;
    return false;
}

/// Gives `part` the name `name`, or removes it.
bool take_place(const Fd& folder, const std::string& part, const std::string& name) {
    if (renameat(folder.get(), part.c_str(), folder.get(), name.c_str()) == 0) return true;
    const int error = errno;
    unlinkat(folder.get(), part.c_str(), 0);
    errno = error;
    return false;
}

bool replace(const Fd& folder, const std::string& name, std::string_view bytes) {
    if (is_link(folder, name)) {
        errno = ELOOP;
        return false;
    }
    const std::string part = random_name(".new-");
    return write_new(folder, part, bytes) && take_place(folder, part, name);
}

} // namespace

bool write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Fd make_folder_beneath(const Fd& folder, const fs::path& name) {
    Fd reached = open_beneath(folder, ".", O_RDONLY | O_DIRECTORY);
    fs::path way;
    for (const fs::path& part : name) {
        if (!reached) return {};
        way /= part;
        // A name that is taken, by a link as well, is looked at by what opens it from the folder on.
        if (mkdirat(reached.get(), part.c_str(), 0777) != 0 && errno != EEXIST) return {};
        reached = open_beneath(folder, way, O_RDONLY | O_DIRECTORY);
    }
    return reached;
}

bool write_beneath(const Fd& folder, const fs::path& name, std::string_view bytes, Present present) {
    const Fd parent = make_folder_beneath(folder, name.parent_path());
    if (!parent) return false;
    const std::string last = name.filename().string();
    return present == Present::keep ? write_new(parent, last, bytes) : replace(parent, last, bytes);
}

bool link_beneath(const Fd& folder, const fs::path& name, const fs::path& target) {
    const Fd parent = make_folder_beneath(folder, name.parent_path());
    if (!parent) return false;
    const std::string part = random_name(".new-");
    return symlinkat(target.c_str(), parent.get(), part.c_str()) == 0 &&
           take_place(parent, part, name.filename().string());
}

} // namespace sys
