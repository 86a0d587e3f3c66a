#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sys {

/// Where the program lies that a sandbox has a copy of.
inline constexpr const char* program_in_sandbox = "/worker";

/// A /proc in which only the sandbox's own processes are to be seen: `whole` has the kernel's files as well,
/// and may be written to, so that a ruleset has to say what of it.
enum class Proc { none, processes, whole };

/// What of the host is to be seen in a sandbox, under the same paths. All are absolute and exist.
struct SandboxContents {
    std::vector<std::filesystem::path> readable; ///< files and whole folders
    std::vector<std::filesystem::path> writable; ///< folders
    std::vector<std::filesystem::path> links;    ///< symbolic links, made anew
    Proc proc = Proc::none;
    bool temporary = false; ///< a /tmp of its own, small and in memory, in which it may write
    int program_fd = -1;    ///< a program to copy, for what starts it by a path; -1: none
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
    Proc proc_;
    bool temporary_;
    int program_fd_;
    std::string size_; ///< of the file system that it is made of, as a mount option
};

} // namespace sys
