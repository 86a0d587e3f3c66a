#include "leftovers.h"

#include "build/scratch.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hostile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view made_by_the_judge[] = {build::scratch_prefix, "new-", "hostile-", "engine-group-"};

void add_lines(const char* file, std::multiset<std::string>& things) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        things.insert(std::string(file) + ": " + line);
}

void add_entries(const fs::path& folder, std::string_view prefix, std::multiset<std::string>& things) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->path().filename().string().starts_with(prefix)) things.insert(it->path().string());
}

} // namespace

Surroundings Surroundings::look(const std::vector<fs::path>& private_folders) {
    Surroundings now;
    now.private_folders_ = private_folders;
    add_lines("/proc/self/mounts", now.things_);
    for (const char* file : {"/proc/sysvipc/shm", "/proc/sysvipc/sem", "/proc/sysvipc/msg"}) {
        std::ifstream stream(file);
        const auto lines =
            std::count(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>(), '\n');
        for (long line = 0; line < lines; ++line)
            now.things_.insert(file);
    }
    for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run", ".", "/dev/mqueue"})
        add_entries(folder, "hostile-", now.things_);
    for (const fs::path& folder : private_folders)
        for (const std::string_view prefix : made_by_the_judge)
            add_entries(folder, prefix, now.things_);
    add_entries("/proc/self/fd", "", now.things_);
    return now;
}

std::vector<std::string> Surroundings::left_since() const {
    constexpr int looks = 30;
    std::vector<std::string> left;
    for (int look = 0; look < looks; ++look) {
        const Surroundings now = Surroundings::look(private_folders_);
        std::vector<std::string> more;
        std::ranges::set_difference(now.things_, things_, std::back_inserter(more));
        if (look == 0) left = more;
        std::erase_if(left, [&](const std::string& one) { return !std::ranges::binary_search(more, one); });
        if (left.empty()) break;
        usleep(100'000);
    }
    return left;
}

void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::vector<std::string> running_children() {
    // A worker whose driver was killed dies by a signal that the kernel sends: soon, not at once.
    constexpr int looks = 200;
    for (int look = 0; look < looks; ++look) {
        const pid_t ended = waitpid(-1, nullptr, WNOHANG);
        if (ended < 0) return {};
        if (ended == 0) usleep(5'000);
    }
    std::vector<std::string> alive;
    const std::string own = std::to_string(getpid());
    std::ifstream children("/proc/self/task/" + own + "/children");
    for (std::string pid; children >> pid;) {
        std::string program;
        std::getline(std::ifstream("/proc/" + pid + "/comm"), program);
        alive.push_back("process " + pid + " " + program);
    }
    if (alive.empty()) alive.emplace_back("a process that has no name");
    return alive;
}

} // namespace hostile
