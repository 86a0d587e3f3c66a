#pragma once

#include "system/fd.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace build {

/// A worker program that the cache owns. `fd` is open for reading and stays good when the entry is evicted,
/// which does not happen while it is open.
struct CachedWorker {
    std::filesystem::path path;
    sys::Fd fd;
    std::string note; ///< what `store` was given beside the program
};

/// Programs by key. Several processes may use one folder at once: entries appear by rename and are checked
/// when used. What engines that were killed have left in it goes away when it is opened.
class Cache {
  public:
    /// Opens `folder`, making it where needed. A folder that cannot be used, belongs to somebody else or can
    /// be written by others is replaced by a private temporary one, and `warn` hears why.
    Cache(const std::filesystem::path& folder, const std::function<void(std::string_view)>& warn,
          std::uint64_t limit_bytes = 512ULL << 20);
    Cache(const Cache&) = delete;
    Cache& operator=(const Cache&) = delete;
    ~Cache();

    const std::filesystem::path& folder() const { return folder_; }

    /// The entry, if it is there and whole; a damaged one is removed.
    std::optional<CachedWorker> find(const std::string& key) const;

    /// Publishes a program. Throws model::EnvironmentError, e.g. for a full disk.
    CachedWorker store(const std::string& key, std::string program, std::string note) const;

    /// Removes the least recently used entries until at most `limit_bytes` are left, and locks and
    /// precompiled headers that were not used for long.
    void evict(std::uint64_t limit_bytes) const;

  private:
    std::filesystem::path folder_;
    std::uint64_t limit_bytes_;
    sys::Fd temporary_; ///< holds a folder that goes away with this object; empty: it stays
};

/// The program of an entry without what the cache has added. Throws model::EnvironmentError.
std::string program_bytes(const CachedWorker& worker);

/// An entry that `Cache::store` has written into some folder, if it is there, whole, and not to be changed by
/// anyone but its owner, who is this user or root.
std::optional<CachedWorker> open_entry(const std::filesystem::path& folder, const std::string& key);

/// $XDG_CACHE_HOME/engine, else ~/.cache/engine; empty where neither variable is set.
std::filesystem::path default_cache_folder();

} // namespace build
