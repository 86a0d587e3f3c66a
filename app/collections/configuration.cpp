#include "collections/configuration.h"

#include "build/file.h"
#include "catalogue/document.h"
#include "catalogue/order.h"
#include "model/errors.h"
#include "system/fd.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace collections {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_bytes = 1 << 20;

[[noreturn]] void refuse(const fs::path& path, const std::string& fault, const std::string& remedy) {
    throw model::EnvironmentError("cannot use the configuration " + path.string() + ": " + fault + "; " +
                                  remedy);
}

/// Whoever can write a file or its folder decides what the engine runs.
void require_own(const fs::path& path, const struct stat& status) {
    if (status.st_uid != geteuid() && status.st_uid != 0)
        refuse(path, "it belongs to another user", "move it away, or make it yours with chown");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        refuse(path, "others than you can write it", "take that from them with chmod go-w");
}

struct stat status_of(const fs::path& path, int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0) refuse(path, std::strerror(errno), "check it");
    return status;
}

/// The file's text; nothing where there is none.
std::optional<std::string> read_own(const fs::path& file) {
    const sys::Fd folder(open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
    if (!folder) refuse(file, std::strerror(errno), "make its folder readable for yourself");
    const sys::Fd fd(
        openat(folder.get(), file.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!fd && errno == ENOENT) return std::nullopt;
    if (!fd && errno == ELOOP) refuse(file, "it is a symbolic link", "put a file there instead");
    if (!fd) refuse(file, std::strerror(errno), "make it readable for yourself");
    const struct stat status = status_of(file, fd.get());
    if (!S_ISREG(status.st_mode)) refuse(file, "it is not a regular file", "put a file there instead");
    require_own(file, status);
    require_own(file.parent_path(), status_of(file.parent_path(), folder.get()));
    auto text = build::read_all(fd.get(), max_bytes);
    if (!text) refuse(file, "it cannot be read, or is larger than 1 MiB", "write it again");
    return text;
}

} // namespace

fs::path configuration_file(const char* config_home, const char* home) {
    const fs::path own = config_home == nullptr ? "" : config_home;
    if (own.is_absolute()) return own / "engine" / "config.json"; // others are to be ignored
    const fs::path from_home = home == nullptr ? "" : home;
    return from_home.is_absolute() ? from_home / ".config" / "engine" / "config.json" : fs::path();
}

Configuration read_configuration(const fs::path& file, const fs::path& schemas) {
    Configuration configuration;
    if (file.empty()) return configuration;
    auto text = read_own(file);
    if (!text) return configuration;
    const catalogue::Source source{file.string(), std::move(*text)};
    catalogue::require_text(source);
    const catalogue::Document document = catalogue::parse(source);
    catalogue::Content own;
    own.schemas = schemas;
    catalogue::read_schema(own, "config").check(document);
    const catalogue::Json& list = document.content.at("collections");
    for (std::size_t i = 0; i < list.size(); ++i) {
        configuration.collections.emplace_back(list[i].get<std::string>());
        if (!configuration.collections.back().is_absolute())
            document.fail(catalogue::Pointer("/collections") / i,
                          "must be a whole path, from / on (got " + catalogue::cited(list[i]) + ")");
    }
    return configuration;
}

} // namespace collections
