#pragma once

#include "system/fd.h"

#include <cstdint>
#include <filesystem>
#include <linux/landlock.h>

namespace isolation {

/// The kernel's Landlock ABI version, 0 where there is none. ABI 1: files; 4: TCP; 6: signals and abstract
/// sockets.
int landlock_abi();

/// Rights to what a process names itself, late: sys::OwnPlace.
namespace rights {
inline constexpr std::uint64_t read_file = LANDLOCK_ACCESS_FS_READ_FILE;
inline constexpr std::uint64_t read = read_file | LANDLOCK_ACCESS_FS_READ_DIR;
inline constexpr std::uint64_t execute = read_file | LANDLOCK_ACCESS_FS_EXECUTE;
std::uint64_t read_and_write(); ///< and to empty files, where the kernel has that as a right of its own
std::uint64_t use_folder();     ///< for files that come and go
} // namespace rights

/// Builds a ruleset that denies all it can name, and then allows what it is told.
class Landlock {
  public:
    Landlock();

    void
    allow_read(const std::filesystem::path& path); ///< files and folders below; missing paths are no error
    void allow_read_and_execute(const std::filesystem::path& path);
    void allow_read_and_execute(int fd);
    void allow_write(const std::filesystem::path& path);  ///< create, change and remove below
    void allow_device(const std::filesystem::path& path); ///< read, write, and commands to it (ioctl)

    /// The finished ruleset; an empty descriptor where the kernel has no Landlock.
    sys::Fd take() { return std::move(ruleset_); }

  private:
    void allow(int fd, std::uint64_t access);
    void allow(const std::filesystem::path& path, std::uint64_t access);

    sys::Fd ruleset_;
    std::uint64_t handled_ = 0;
};

} // namespace isolation
