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

/// Where the kernel tells what happened at the memory limit: in files below the first folder.
struct CgroupCounts {
    std::string kills_file; ///< with a line "oom_kill COUNT"
    std::string hits_file;  ///< with a line "HITS_KEY COUNT", or only the count if the key is empty
    std::string hits_key;
    long long hits_from = 1; ///< the count from which on the limit was reached
};

/// A control group for one process and what it starts; removed with this object, when its processes have been
/// reaped. cgroup v2 has one folder for everything, v1 one for each controller.
class Cgroup {
  public:
    /// Throws model::EnvironmentError when a folder cannot be made or a setting is refused.
    Cgroup(std::vector<CgroupFolder> folders, CgroupCounts counts);
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;
    ~Cgroup();

    /// Moves a process in; false with errno set.
    bool admit(int pid) const;
    /// The kernel has ended a process of the group because the group had no memory left.
    bool killed_for_memory() const;
    /// The group wanted more memory than its limit at least once; the kernel may have found some to take
    /// back.
    bool reached_memory_limit() const;

  private:
    void remove();
    long long count(const std::string& file, const std::string& key) const;

    std::vector<std::filesystem::path> folders_;
    CgroupCounts counts_;
};

} // namespace sys
