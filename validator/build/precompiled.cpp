#include "build/precompiled.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/scratch.h"
#include "system/process.h"

#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr const char* stamps_name = "stamps";
constexpr const char* digest_name = "digest";

/// Every line of the stamps is one file with its size and times: the precompiled header and all that went
/// into it.
bool stamps_hold(const fs::path& folder) {
    const auto text = read_file(folder / stamps_name);
    if (!text || text->empty()) return false;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
        if (stamp(line.substr(0, line.rfind(": "))) != line) return false;
    return true;
}

/// The files named in a make rule `target: file file \`.
std::vector<fs::path> dependencies(const std::string& rule) {
    std::vector<fs::path> files;
    std::istringstream words(rule.substr(std::min(rule.find(": ") + 1, rule.size())));
    for (std::string word; words >> word;)
        if (word != "\\") files.emplace_back(word);
    return files;
}

/// Keeps the eviction away from what is in use.
void touch(const fs::path& folder) {
    struct stat status {};
    constexpr time_t day = 24 * 3600;
    if (stat(folder.c_str(), &status) == 0 && status.st_mtime + day < std::time(nullptr))
        utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
}

/// An exclusive lock, or nothing where we were cancelled while another process held it.
sys::Fd lock(const fs::path& file, int cancel_fd) {
    sys::Fd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    while (fd && flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        pollfd cancelled{cancel_fd, POLLIN, 0};
        constexpr int retry_ms = 20;
        if (poll(&cancelled, 1, retry_ms) > 0) return {};
    }
    return fd;
}

std::string digest_of(const fs::path& precompiled) {
    const auto bytes = read_file(precompiled);
    return bytes ? Digest().add(*bytes).hex() : "";
}

} // namespace

fs::path Preludes::ready(Prelude prelude, Variant variant, int cancel_fd) const {
    const std::string name = file_name(prelude);
    if (name.empty()) return {};

    Digest key;
    key.add("engine.prelude/1").add(toolchain_.identity).add(name);
    for (const auto& flags : {code_flags(toolchain_, variant), include_flags(layout_, variant)})
        for (const std::string& flag : flags)
            key.add(flag);
    for (const Prelude each : {Prelude::light, Prelude::full, Prelude::cuda})
        key.add(read_if_there(layout_.preludes / file_name(each)));
    const fs::path folder = cache_folder_ / (std::string(prelude_prefix) + key.hex().substr(0, 32));

    if (!stamps_hold(folder)) {
        const sys::Fd mine = lock(folder.string() + ".lock", cancel_fd);
        if (!mine) return {};
        if (!stamps_hold(folder) && !make(folder, name, variant, cancel_fd)) return {};
    }
    touch(folder);
    return folder / name;
}

bool Preludes::make(const fs::path& folder, const std::string& name, Variant variant, int cancel_fd) const {
    if (progress_) progress_("preparing the standard headers (once)");
    std::error_code error;
    fs::remove_all(folder, error);
    if (!fs::create_directory(folder, error)) return false;
    for (const Prelude each : {Prelude::light, Prelude::full, Prelude::cuda})
        fs::copy_file(layout_.preludes / file_name(each), folder / file_name(each), error);

    const fs::path header = folder / name;
    const fs::path precompiled = precompiled_name(toolchain_, header);
    const Scratch scratch(cache_folder_);
    sys::Command command; // not confined: it reads our own header and nothing else
    command.program = toolchain_.compiler;
    command.arguments =
        prelude_arguments(toolchain_, layout_, variant, header, precompiled, folder / "dependencies");
    command.environment = compiler_environment(scratch.path());
    command.directory = scratch.path();
    const auto rule = sys::run(command, {.wall = std::chrono::seconds(120)}, cancel_fd).ok()
                          ? read_file(folder / "dependencies")
                          : std::nullopt;
    if (!rule) {
        fs::remove_all(folder, error);
        return false;
    }
    std::string stamps = stamp(precompiled);
    for (const fs::path& file : dependencies(*rule))
        stamps += "\n" + stamp(file);
    return write_atomically(folder / digest_name, digest_of(precompiled), 0600) &&
           write_atomically(folder / stamps_name, stamps, 0600); // last: it says that all is there
}

bool Preludes::discard_if_damaged(const fs::path& header) const {
    if (header.empty()) return false;
    const fs::path folder = header.parent_path();
    if (read_file(folder / digest_name) == digest_of(precompiled_name(toolchain_, header))) return false;
    std::error_code error;
    fs::remove(folder / stamps_name, error);
    return true;
}

} // namespace build
