#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sys {

/// One folder of a control group, with what is written into its files.
struct CgroupFolder {
    struct Setting {
        std::string file;
        std::string value;
        bool optional = false; ///< not every kernel has it, and the group is of use without it
    };
    std::filesystem::path path; ///< made by us; must not exist
    std::vector<Setting> settings;
};

/// A control group for one process and what it starts; removed with this object, when its processes have been
/// reaped. cgroup v2 has one folder for everything, v1 one for each controller.
class Cgroup {
  public:
    /// `events` is the file below the first folder with the line "oom_kill COUNT". Throws
    /// model::EnvironmentError when a folder cannot be made or a setting is refused.
    Cgroup(std::vector<CgroupFolder> folders, std::string events);
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;
    ~Cgroup();

    /// Moves a process in; false with errno set.
    bool admit(int pid) const;
    /// The kernel has ended a process of the group because the group had no memory left.
    bool killed_for_memory() const;

  private:
    void remove();

    std::vector<std::filesystem::path> folders_;
    std::filesystem::path events_;
};

} // namespace sys
