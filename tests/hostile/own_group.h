#pragma once

#include <filesystem>
#include <vector>

namespace hostile {

/// Moves this process, before it has started another, into cgroups of its own, so that what the judge makes
/// below them can be told from what other tests make. Where none can be made, the judge makes none either.
/// Removed with this object, if nothing is left in them.
class OwnGroup {
  public:
    OwnGroup();
    OwnGroup(const OwnGroup&) = delete;
    OwnGroup& operator=(const OwnGroup&) = delete;
    ~OwnGroup();

    /// Where the judge makes its groups: one folder with cgroup v2, two with v1, none where it makes none.
    const std::vector<std::filesystem::path>& folders() const { return folders_; }

  private:
    bool enter(const std::filesystem::path& below, bool v2);

    std::vector<std::filesystem::path> folders_;
    std::vector<std::filesystem::path> left_; ///< the groups that we came from
};

} // namespace hostile
