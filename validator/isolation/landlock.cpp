#include "isolation/landlock.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace isolation {
namespace {

// Rights newer than the headers of Debian 12, with the numbers the kernel gave them.
constexpr std::uint64_t access_refer = 1ULL << 13;
constexpr std::uint64_t access_truncate = 1ULL << 14;
constexpr std::uint64_t access_ioctl_dev = 1ULL << 15;
constexpr std::uint64_t net_bind_and_connect = 3;
constexpr std::uint64_t scope_sockets_and_signals = 3;

/// struct landlock_ruleset_attr as of ABI 6.
struct RulesetAttributes {
    std::uint64_t fs;
    std::uint64_t net;
    std::uint64_t scoped;
};

constexpr std::uint64_t read_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t file_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                                      LANDLOCK_ACCESS_FS_WRITE_FILE | access_truncate | access_ioctl_dev;
constexpr std::uint64_t first_abi_access = (1ULL << 13) - 1;

std::uint64_t known_access(int abi) {
    std::uint64_t access = first_abi_access;
    if (abi >= 2) access |= access_refer;
    if (abi >= 3) access |= access_truncate;
    if (abi >= 5) access |= access_ioctl_dev;
    return access;
}

/// Older kernels take a shorter struct.
std::size_t attributes_size(int abi) {
    if (abi >= 6) return sizeof(RulesetAttributes);
    return abi >= 4 ? 2 * sizeof(std::uint64_t) : sizeof(std::uint64_t);
}

} // namespace

std::uint64_t rights::read_and_write() {
    return read | LANDLOCK_ACCESS_FS_WRITE_FILE | (known_access(landlock_abi()) & access_truncate);
}

std::uint64_t rights::use_folder() {
    return read_and_write() | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
           LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_REMOVE_FILE |
           LANDLOCK_ACCESS_FS_REMOVE_DIR;
}

int landlock_abi() {
    static const int abi = [] {
        const long version =
            syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
        return version > 0 ? static_cast<int>(version) : 0;
    }();
    return abi;
}

Landlock::Landlock() {
    const int abi = landlock_abi();
    if (abi == 0) return;
    handled_ = known_access(abi);
    const RulesetAttributes attributes{handled_, net_bind_and_connect, scope_sockets_and_signals};
    ruleset_ =
        sys::Fd(static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, attributes_size(abi), 0)));
    if (!ruleset_)
        throw model::EnvironmentError(std::string("cannot create a Landlock ruleset: ") +
                                      std::strerror(errno));
    fcntl(ruleset_.get(), F_SETFD, FD_CLOEXEC);
}

void Landlock::allow(int fd, std::uint64_t access) {
    if (!ruleset_) return;
    struct stat status {};
    if (fstat(fd, &status) == 0 && !S_ISDIR(status.st_mode)) access &= file_access;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access & handled_;
    rule.parent_fd = fd;
    if (syscall(SYS_landlock_add_rule, ruleset_.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        throw model::EnvironmentError(std::string("cannot add a Landlock rule: ") + std::strerror(errno));
}

void Landlock::allow(const std::filesystem::path& path, std::uint64_t access) {
    const sys::Fd fd(open(path.c_str(), O_PATH | O_CLOEXEC));
    if (fd) allow(fd.get(), access);
}

void Landlock::allow_read(const std::filesystem::path& path) {
    allow(path, read_access);
}

void Landlock::allow_read_and_execute(const std::filesystem::path& path) {
    allow(path, read_access | LANDLOCK_ACCESS_FS_EXECUTE);
}

void Landlock::allow_read_and_execute(int fd) {
    allow(fd, read_access | LANDLOCK_ACCESS_FS_EXECUTE);
}

void Landlock::allow_write(const std::filesystem::path& path) {
    // Everything but executing, devices and moving in from elsewhere.
    constexpr std::uint64_t refused = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
    allow(path, (first_abi_access & ~refused) | access_truncate);
}

void Landlock::allow_device(const std::filesystem::path& path) {
    allow(path, read_access | LANDLOCK_ACCESS_FS_WRITE_FILE | access_ioctl_dev);
}

} // namespace isolation
