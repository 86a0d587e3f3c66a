#include "system/cgroup.h"

#include "model/errors.h"
#include "system/fd.h"
#include "system/temporary.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

namespace sys {
namespace {

bool write_file(const std::filesystem::path& file, const std::string& text) {
    const Fd fd(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    return fd && write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

} // namespace

Cgroup::Cgroup(const std::vector<CgroupFolder>& folders, CgroupCounts counts, const char* door)
    : counts_(std::move(counts)) {
    const auto fail = [&](const std::filesystem::path& what) {
        const int error = errno;
        remove();
        throw model::EnvironmentError("cannot use cgroups: " + what.string() + ": " + std::strerror(error));
    };
    for (const CgroupFolder& folder : folders) {
        if (!take(folder.path)) fail(folder.path);
        const std::filesystem::path& made = folders_.back();
        for (const CgroupFolder::Setting& setting : folder.settings)
            if (!write_file(made / setting.file, setting.value) && !setting.optional)
                fail(made / setting.file);
        if (*door == '\0') continue;
        doors_.emplace_back(open((made / door).c_str(), O_WRONLY | O_CLOEXEC));
        if (!doors_.back()) fail(made / door);
    }
}

Cgroup::~Cgroup() {
    remove();
}

/// Made and held; anew where a sweep came in between, as it may do to what nobody holds yet. Each time under
/// a name of its own, since whoever sweeps takes the name away a moment after it has looked.
bool Cgroup::take(const std::filesystem::path& wanted) {
    constexpr int max_tries = 8;
    for (int attempt = 0; attempt < max_tries; ++attempt) {
        std::filesystem::path folder = wanted;
        if (attempt > 0) folder += "-" + std::to_string(attempt);
        if (mkdir(folder.c_str(), 0700) != 0) return false;
        Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (fd && hold(fd.get(), folder)) {
            folders_.push_back(folder);
            held_.push_back(std::move(fd));
            return true;
        }
        rmdir(folder.c_str());
    }
    errno = EBUSY;
    return false;
}

bool Cgroup::enter() const {
    return std::ranges::all_of(doors_, [](const Fd& door) { return write(door.get(), "0", 1) == 1; });
}

bool Cgroup::admit(int pid) const {
    return !doors_.empty() || std::ranges::all_of(folders_, [&](const std::filesystem::path& folder) {
        return write_file(folder / "cgroup.procs", std::to_string(pid));
    });
}

bool Cgroup::killed_for_memory() const {
    return count(counts_.kills_file, "oom_kill") > 0;
}

bool Cgroup::reached_memory_limit() const {
    return count(counts_.hits_file, counts_.hits_key) >= counts_.hits_from;
}

bool Cgroup::as_good_as_new() const {
    const bool empty = std::ranges::all_of(folders_, [](const std::filesystem::path& folder) {
        const Fd fd(open((folder / "cgroup.procs").c_str(), O_RDONLY | O_CLOEXEC));
        char byte = 0;
        return fd && read(fd.get(), &byte, 1) == 0;
    });
    return empty && !killed_for_memory() && !reached_memory_limit();
}

long long Cgroup::count(const std::string& file, const std::string& key) const {
    const Fd fd(open((folders_.front() / file).c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 1024> text{};
    if (!fd || read(fd.get(), text.data(), text.size() - 1) <= 0) return 0;
    if (key.empty()) return std::atoll(text.data());
    // A whole word at a line's start: "oom_kill" is also part of "oom_kill_disable".
    const std::string lines = std::string("\n") + text.data();
    const std::string word = "\n" + key + " ";
    const std::size_t at = lines.find(word);
    return at == std::string::npos ? 0 : std::atoll(lines.c_str() + at + word.size());
}

void Cgroup::remove() {
    doors_.clear();
    for (const std::filesystem::path& folder : folders_)
        // A process that was killed leaves its group a moment after it was reaped: on a busy machine a long
        // one.
        for (int attempt = 0; rmdir(folder.c_str()) != 0 && errno == EBUSY && attempt < 2000; ++attempt) {
            const timespec moment{0, 1'000'000};
            nanosleep(&moment, nullptr);
        }
    folders_.clear();
    held_.clear();
}

} // namespace sys
