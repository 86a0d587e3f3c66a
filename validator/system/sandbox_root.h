#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sys {

/// A root folder made for one process: the named files of the host, read-only, in an otherwise empty tree.
class SandboxRoot {
  public:
    /// `files` are absolute and exist. `proc`: a /proc in which only the sandbox's own processes are to be
    /// seen.
    SandboxRoot(const std::vector<std::filesystem::path>& files, bool proc);

    /// Becomes the root of the calling process, which is alone in its mount namespace and may mount
    /// there. Only system calls, so that it may follow a fork. Returns false with errno set.
    bool enter() const;

  private:
    std::vector<std::string> folders_; ///< relative, parents first
    std::vector<std::string> files_;   ///< absolute; without the leading slash it is the place in the sandbox
    bool proc_;
};

} // namespace sys
