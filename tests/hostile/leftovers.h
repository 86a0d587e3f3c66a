#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace hostile {

/// What a machine looks like beside the judge, so that two looks can be compared: mounts, shared memory,
/// control groups, files where the programs try to write, our own descriptors.
class Surroundings {
  public:
    /// `private_folders` belong to the judge alone; nothing but what is named `kept` may stay there.
    static Surroundings look(const std::vector<std::filesystem::path>& private_folders);

    /// What is there now and was not there before, in words.
    std::vector<std::string> more_than(const Surroundings& before) const;

  private:
    std::multiset<std::string> things_;
};

/// From now on orphans of our children become our own children, so that `running_children` finds them.
void adopt_orphans();

/// Children that are still alive after a moment; those that have ended are reaped. No other thread may wait
/// for children meanwhile.
std::vector<std::string> running_children();

} // namespace hostile
