#include "system/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

namespace sys {

Fd open_folder(const std::filesystem::path& folder) {
    return Fd(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

Fd open_beneath(const Fd& folder, const std::filesystem::path& name, int flags, mode_t mode) {
    open_how how{};
    how.flags = static_cast<__u64>(flags) | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    return Fd(static_cast<int>(syscall(SYS_openat2, folder.get(), name.c_str(), &how, sizeof how)));
}

} // namespace sys
