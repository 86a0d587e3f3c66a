#include "store/folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace store {
namespace {

std::error_code make_durable(const std::filesystem::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return {errno, std::generic_category()};
    // Some file systems know no fsync of a folder and say EINVAL: nothing more can be done there.
    const int failure = ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
    ::close(fd);
    return {failure, std::generic_category()};
}

} // namespace

std::error_code create_folder(const std::filesystem::path& folder) {
    std::error_code failure;
    if (std::filesystem::is_directory(folder, failure)) return {};
    const auto parent = folder.parent_path();
    if (parent != folder && !parent.empty())
        if (failure = create_folder(parent); failure) return failure;
    const bool created = std::filesystem::create_directory(folder, failure);
    if (failure) return failure;
    // Lost the race against another process: then it is a folder by now. Else something else has the name.
    if (!created)
        return std::filesystem::is_directory(folder) ? std::error_code{}
                                                     : std::make_error_code(std::errc::not_a_directory);
    return make_durable(parent);
}

} // namespace store
