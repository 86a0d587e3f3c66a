#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace hostile {

/// What a machine looks like beside the judge, to be compared with what it looks like later: mounts, shared
/// memory, cgroups, files where the programs try to write, our own descriptors.
class Surroundings {
  public:
    /// `private_folders`, cgroups among them, belong to the judge alone: what it makes for one program may
    /// not stay there.
    static Surroundings look(const std::vector<std::filesystem::path>& private_folders);

    /// What has come since and does not go away within a few seconds, in words. Patience costs nothing where
    /// nothing is left, and there may be other judges on the machine, who tidy up after themselves.
    std::vector<std::string> left_since() const;

  private:
    std::vector<std::filesystem::path> private_folders_;
    std::multiset<std::string> things_;
};

/// From now on orphans of our children become our own children, so that `running_children` finds them.
void adopt_orphans();

/// Children that are still alive after a moment; those that have ended are reaped. No other thread may wait
/// for children meanwhile.
std::vector<std::string> running_children();

} // namespace hostile
