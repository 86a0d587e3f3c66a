#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sys {

/// What of the host is to be seen in a sandbox, under the same paths. All are absolute and exist.
struct SandboxContents {
    std::vector<std::filesystem::path> readable; ///< files and whole folders
    std::vector<std::filesystem::path> writable; ///< folders
    std::vector<std::filesystem::path> links;    ///< symbolic links, made anew
    bool proc = false; ///< a /proc in which only the sandbox's own processes are to be seen
};

/// A root folder made for one process, with nothing in it but what was named.
class SandboxRoot {
  public:
    explicit SandboxRoot(const SandboxContents& contents);

    /// Becomes the root of the calling process, which is alone in its mount namespace and may mount
    /// there. Only system calls, so that it may follow a fork. Returns false with errno set.
    bool enter() const;

  private:
    struct Place {
        std::string path; ///< absolute; without the leading slash it is the place in the sandbox
        bool is_folder = false;
    };
    struct Link {
        std::string path;
        std::string target;
    };
    void add_folders_above(const std::filesystem::path& path);
    void add(const std::filesystem::path& path);

    std::vector<std::string> folders_; ///< relative, parents first
    std::vector<Place> places_;
    std::vector<std::string> writable_;
    std::vector<Link> links_;
    std::string site_; ///< where it is built
    bool proc_;
};

} // namespace sys
