#pragma once

#include "system/fd.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What `watch` waits for.
namespace watching {

/// Notices when some files of one folder are saved, however an editor does it: in place, or as a new file
/// that takes the name. So it is the folder that is watched, and the names in it that count.
class FileWatch {
  public:
    /// Throws model::EnvironmentError where the system has no watches left.
    FileWatch(std::filesystem::path folder, const std::vector<std::string>& names);

    /// Becomes readable when something happened in the folder.
    int fd() const { return inotify_.get(); }

    /// For how long to wait for `fd` at most, before `changed` is worth asking again; nothing for as long as
    /// it takes.
    std::optional<std::chrono::milliseconds> patience() const;

    /// Whether a file was saved, or went and did not come back. Does not wait.
    bool changed();

  private:
    void watch_folder();
    void read_events();

    std::filesystem::path folder_;
    std::set<std::string> names_;
    sys::Fd inotify_;
    int watch_ = -1; ///< -1 while the folder is not there
    bool saved_ = false;
    std::optional<std::chrono::steady_clock::time_point> gone_since_;
};

} // namespace watching
