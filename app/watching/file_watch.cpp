#include "app/watching/file_watch.h"

#include "model/errors.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/inotify.h>
#include <unistd.h>

namespace watching {
namespace {

using namespace std::chrono_literals;

/// An editor that moves the old file away and writes a new one is done by then.
constexpr auto absence = 200ms;
/// A folder that went away tells nothing when it comes back.
constexpr auto between_looks = 300ms;

constexpr std::uint32_t saves = IN_CLOSE_WRITE | IN_MOVED_TO;
constexpr std::uint32_t losses = IN_DELETE | IN_MOVED_FROM;
constexpr std::uint32_t ends = IN_DELETE_SELF | IN_MOVE_SELF;

} // namespace

FileWatch::FileWatch(std::filesystem::path folder, const std::vector<std::string>& names)
    : folder_(std::move(folder)), names_(names.begin(), names.end()),
      inotify_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (!inotify_)
        throw model::EnvironmentError(std::string("cannot watch files: ") + std::strerror(errno) +
                                      "; other programs watch as many as this system allows");
    watch_folder();
}

void FileWatch::watch_folder() {
    watch_ = inotify_add_watch(inotify_.get(), folder_.c_str(), saves | losses | ends | IN_ONLYDIR);
    if (watch_ >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES) return;
    throw model::EnvironmentError("cannot watch " + folder_.string() + ": " + std::strerror(errno) +
                                  "; other programs watch as many files as this system allows");
}

std::optional<std::chrono::milliseconds> FileWatch::patience() const {
    if (gone_since_) return absence;
    if (watch_ < 0) return between_looks;
    return std::nullopt;
}

bool FileWatch::changed() {
    read_events();
    if (watch_ < 0) {
        watch_folder();
        if (watch_ >= 0) saved_ = true; // whatever happened meanwhile
    }
    const bool gone = gone_since_ && std::chrono::steady_clock::now() - *gone_since_ >= absence;
    if (!saved_ && !gone) return false;
    saved_ = false;
    gone_since_.reset();
    return true;
}

void FileWatch::read_events() {
    alignas(inotify_event) std::array<char, 16 * 1024> bytes{};
    for (ssize_t count = 0; (count = ::read(inotify_.get(), bytes.data(), bytes.size())) > 0;)
        for (ssize_t at = 0; at < count;) {
            inotify_event event{};
            std::memcpy(&event, bytes.data() + at, sizeof event);
            const char* const name = bytes.data() + at + sizeof event;
            at += static_cast<ssize_t>(sizeof event + event.len);
            if ((event.mask & IN_Q_OVERFLOW) != 0) saved_ = true;
            if (event.wd == watch_ && (event.mask & (ends | IN_IGNORED)) != 0) {
                if ((event.mask & IN_MOVE_SELF) != 0) inotify_rm_watch(inotify_.get(), watch_);
                watch_ = -1;
                gone_since_ = std::chrono::steady_clock::now();
            }
            if (event.len == 0 || !names_.contains(name)) continue;
            if ((event.mask & saves) != 0) {
                saved_ = true;
                gone_since_.reset();
            } else if ((event.mask & losses) != 0) {
                gone_since_ = std::chrono::steady_clock::now();
            }
        }
}

} // namespace watching
