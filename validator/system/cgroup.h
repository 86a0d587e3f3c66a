#pragma once

#include "system/fd.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sys {

/// One folder of a cgroup, with what is written into its files.
struct CgroupFolder {
    struct Setting {
        std::string file;
        std::string value;
        bool optional = false; ///< not every kernel has it, and the group is of use without it
    };
    std::filesystem::path path; ///< made by us; a name that nothing else has
    std::vector<Setting> settings;
};

/// Where the kernel tells what happened at the memory limit: in files below the first folder.
struct CgroupCounts {
    std::string kills_file; ///< with a line "oom_kill COUNT"
    std::string hits_file;  ///< with a line "HITS_KEY COUNT", or only the count if the key is empty
    std::string hits_key;
    long long hits_from = 1; ///< the count from which on the limit was reached
};

/// A cgroup for one process and what it starts; removed with this object, when its processes have been
/// reaped, and held meanwhile (system/temporary.h), so that a sweep can tell it from what a killed process
/// left. cgroup v2 has one folder for everything, v1 one for each controller.
class Cgroup {
  public:
    /// `door`: the file that takes single threads, which v2 does not have. Moving the own thread is free,
    /// moving another makes the kernel wait until no process of the machine is forking: milliseconds.
    /// Throws model::EnvironmentError when a folder cannot be made or a setting is refused.
    Cgroup(const std::vector<CgroupFolder>& folders, CgroupCounts counts, const char* door = "");
    Cgroup(const Cgroup&) = delete;
    Cgroup& operator=(const Cgroup&) = delete;
    ~Cgroup();

    /// Lets the calling process, which must have one thread only, move itself in: only system calls, so that
    /// it may follow a fork. Without effect where `admit` is needed. False with errno set.
    bool enter() const;
    /// Moves a process in where it cannot do so itself; false with errno set.
    bool admit(int pid) const;
    /// The kernel has ended a process of the group because the group had no memory left.
    bool killed_for_memory() const;
    /// The group wanted more memory than its limit at least once; the kernel may have found some to take
    /// back.
    bool reached_memory_limit() const;
    /// Its folders, the one with the counts first.
    const std::vector<std::filesystem::path>& folders() const { return folders_; }
    /// Nothing is in it, and nothing that was in it came up against the memory limit: the next process will
    /// find it like new.
    bool as_good_as_new() const;

  private:
    void remove();
    bool take(const std::filesystem::path& wanted);
    long long count(const std::string& file, const std::string& key) const;

    std::vector<std::filesystem::path> folders_;
    std::vector<Fd> held_;
    std::vector<Fd> doors_; ///< a process that writes 0 here is in; empty: it cannot let itself in
    CgroupCounts counts_;
};

} // namespace sys
