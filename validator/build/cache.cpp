#include "build/cache.h"

#include "build/file.h"
#include "build/lock.h"
#include "build/precompiled.h"
#include "build/scratch.h"
#include "build/worker_file.h"
#include "model/errors.h"
#include "system/temporary.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view entry_suffix = ".worker";
constexpr std::uint64_t largest_entry = 128ULL << 20;

/// Why the folder cannot be used, or empty.
std::string make_private(const fs::path& folder) {
    if (folder.empty()) return "neither XDG_CACHE_HOME nor HOME is set";
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return std::strerror(errno);
    const sys::Fd fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat status {};
    if (!fd || fstat(fd.get(), &status) != 0) return std::strerror(errno);
    if (status.st_uid != geteuid()) return "it belongs to another user";
    // What others have put there stays theirs after the next line.
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "others can write to it";
    if ((status.st_mode & 0777) != 0700 && fchmod(fd.get(), 0700) != 0) return std::strerror(errno);
    if (faccessat(fd.get(), ".", W_OK | X_OK, AT_EACCESS) != 0) return std::strerror(errno);
    if (free_bytes(folder) < min_free_bytes) return "less than 64 MiB are left on its disk";
    return "";
}

/// What engines that were killed left in `folder` under names that begin with one of these.
void sweep_away(const fs::path& folder, std::initializer_list<std::string_view> prefixes) {
    const auto temporary = [&](std::string_view name) {
        return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
    };
    sys::sweep(folder, temporary, [](const fs::path& path) {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    });
}

sys::Temporary make_temporary() {
    constexpr std::string_view prefix = "engine-cache-";
    std::error_code error;
    fs::path parent = fs::temp_directory_path(error);
    if (error) parent = "/tmp";
    sweep_away(parent, {prefix});
    auto made = sys::make_temporary_folder(parent, prefix);
    if (!made)
        throw model::EnvironmentError("cannot make a folder for compiled programs in " + parent.string() +
                                      ": " + std::strerror(errno) +
                                      "; set TMPDIR to a folder you can write to");
    return std::move(*made);
}

struct Entry {
    fs::path path;
    std::uint64_t size = 0;
    timespec used{};
};

bool older(const timespec& a, const timespec& b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

/// A worker being judged right now holds a shared lock on its file.
bool remove_unless_in_use(const fs::path& path) {
    const sys::Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!fd || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return false;
    return unlink(path.c_str()) == 0;
}

fs::path entry(const fs::path& folder, const std::string& key) {
    return folder / (key + std::string(entry_suffix));
}

/// Only this user or root could have written what the open file holds.
bool is_ours_alone(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Without a descriptor where there is none that may be used.
CachedWorker open_unchecked(const fs::path& folder, const std::string& key) {
    CachedWorker worker{entry(folder, key), {}, {}};
    worker.fd = sys::Fd(open(worker.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (worker.fd && !is_ours_alone(worker.fd.get())) worker.fd.reset();
    if (worker.fd) flock(worker.fd.get(), LOCK_SH | LOCK_NB);
    return worker;
}

/// Checks the program and reads the note.
bool is_whole(CachedWorker& worker) {
    const auto bytes = read_all(worker.fd.get(), largest_entry);
    const auto unpacked = bytes ? unpack(*bytes) : std::nullopt;
    if (unpacked) worker.note = unpacked->note;
    return unpacked.has_value();
}

/// A child that another thread forked while we wrote still holds our descriptor until its exec, and the
/// kernel would refuse to run the program (ETXTBSY). A read lease is granted only once nobody can write;
/// where the file system knows no leases there is nothing to wait for.
void wait_until_no_writer(int fd) {
    constexpr int tries = 200;
    for (int i = 0; i < tries; ++i) {
        if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
            fcntl(fd, F_SETLEASE, F_UNLCK);
            return;
        }
        if (errno != EAGAIN) return;
        usleep(500);
    }
}

} // namespace

fs::path default_cache_folder() {
    // NOLINTBEGIN(concurrency-mt-unsafe): read once at the start, nothing here ever changes the environment
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
        return fs::path(cache) / "engine";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "engine";
    // NOLINTEND(concurrency-mt-unsafe)
    return {};
}

Cache::Cache(const fs::path& folder, const std::function<void(std::string_view)>& warn,
             std::uint64_t limit_bytes)
    : folder_(folder), limit_bytes_(limit_bytes) {
    const std::string trouble = make_private(folder);
    if (trouble.empty()) {
        sweep_away(folder, {scratch_prefix, part_prefix});
        return;
    }
    sys::Temporary temporary = make_temporary();
    folder_ = std::move(temporary.path);
    temporary_ = std::move(temporary.fd);
    if (warn)
        warn("compiled programs cannot be kept in " +
             (folder.empty() ? std::string("a cache") : folder.string()) + " (" + trouble +
             "), so every run compiles again; set XDG_CACHE_HOME to your own folder, on a disk with space "
             "left");
}

Cache::~Cache() {
    std::error_code ignored;
    if (temporary_) fs::remove_all(folder_, ignored);
}

std::string program_bytes(const CachedWorker& worker) {
    const auto bytes = read_all(worker.fd.get(), largest_entry);
    const auto unpacked = bytes ? unpack(*bytes) : std::nullopt;
    if (!unpacked)
        throw model::EnvironmentError("cannot read " + worker.path.string() +
                                      ": it was damaged just now; try again");
    return std::string(unpacked->program);
}

std::optional<CachedWorker> open_entry(const fs::path& folder, const std::string& key) {
    CachedWorker worker = open_unchecked(folder, key);
    return worker.fd && is_whole(worker) ? std::optional(std::move(worker)) : std::nullopt;
}

std::optional<CachedWorker> Cache::find(const std::string& key) const {
    CachedWorker worker = open_unchecked(folder_, key);
    if (!worker.fd) return std::nullopt;
    if (!is_whole(worker)) {
        unlink(worker.path.c_str());
        return std::nullopt;
    }
    futimens(worker.fd.get(), nullptr);
    return worker;
}

CachedWorker Cache::store(const std::string& key, std::string program, std::string note) const {
    const fs::path path = entry(folder_, key);
    // Executable by all, since a worker that root starts runs as another user; the folder keeps the rest of
    // the world out.
    if (!write_atomically(path, pack(std::move(program), note), 0555))
        throw model::EnvironmentError("cannot write " + path.string() + ": " + std::strerror(errno) +
                                      "; free some space there or point XDG_CACHE_HOME elsewhere");
    CachedWorker worker{path, sys::Fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)),
                        std::move(note)};
    if (!worker.fd)
        throw model::EnvironmentError("cannot open " + path.string() + ": " + std::strerror(errno));
    flock(worker.fd.get(), LOCK_SH | LOCK_NB);
    wait_until_no_writer(worker.fd.get());
    // One store in sixteen pays for the tidying, as keys are evenly spread.
    if (key.starts_with('0')) evict(limit_bytes_);
    return worker;
}

void Cache::evict(std::uint64_t limit_bytes) const {
    using namespace std::chrono;
    const std::int64_t now = system_clock::to_time_t(system_clock::now());
    constexpr std::int64_t day = 24 * 3600;

    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        const fs::path& path = it->path();
        const std::string name = path.filename().string();
        struct stat status {};
        if (lstat(path.c_str(), &status) != 0) continue;
        const std::int64_t age = now - status.st_mtim.tv_sec;
        std::error_code ignored;
        if (name.ends_with(entry_suffix)) {
            entries.push_back({path, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
            total += entries.back().size;
        } else if ((name.ends_with(lock_suffix) && age > day) ||
                   (name.starts_with(prelude_prefix) && age > 30 * day)) {
            fs::remove_all(path, ignored);
        }
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return older(a.used, b.used); });
    for (const Entry& oldest : entries) {
        if (total <= limit_bytes) break;
        if (remove_unless_in_use(oldest.path)) total -= oldest.size;
    }
}

} // namespace build
