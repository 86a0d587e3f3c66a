#include "intake/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

namespace intake {
namespace {

constexpr std::array<std::string_view, 10> endings{".zip",  ".tar",    ".tar.gz", ".tgz",     ".tar.bz2",
                                                   ".tbz2", ".tar.xz", ".txz",    ".tar.zst", ".tzst"};

std::string_view archive_ending(std::string_view name) {
    for (const std::string_view ending : endings)
        if (name.size() > ending.size() && name.ends_with(ending)) return ending;
    return {};
}

using Archive = std::unique_ptr<archive, decltype(&archive_read_free)>;

Archive open_archive(int fd) {
    Archive opened(archive_read_new(), archive_read_free);
    archive_read_support_filter_gzip(opened.get());
    archive_read_support_filter_bzip2(opened.get());
    archive_read_support_filter_xz(opened.get());
    archive_read_support_filter_zstd(opened.get());
    archive_read_support_format_tar(opened.get());
    archive_read_support_format_zip(opened.get());
    constexpr std::size_t block = 64 << 10;
    if (archive_read_open_fd(opened.get(), fd, block) != ARCHIVE_OK) return {nullptr, archive_read_free};
    return opened;
}

/// Names of zip files may be in an encoding that nothing tells; what is no UTF-8 is refused later.
std::string name_of(archive_entry* entry) {
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    return name == nullptr ? "" : name;
}

bool leads_out(const std::string& name) {
    if (name.starts_with('/')) return true;
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("/\\", from), name.size());
        if (name.compare(from, end - from, "..") == 0) return true;
        from = end + 1;
    }
    return false;
}

/// Reads one archive; the first trouble ends it.
class Unpacking {
  public:
    explicit Unpacking(Archive opened) : archive_(std::move(opened)) {}

    Entries read() {
        for (archive_entry* entry = nullptr; entries_.trouble.empty();) {
            const int status = archive_read_next_header(archive_.get(), &entry);
            if (status == ARCHIVE_EOF) break;
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
                give_up("the archive is damaged, or of a kind that is not read");
                break;
            }
            take(entry);
        }
        if (!entries_.trouble.empty()) entries_.files.clear();
        return std::move(entries_);
    }

  private:
    void give_up(const std::string& why) { entries_.trouble = why; }

    void take(archive_entry* entry) {
        const std::string name = name_of(entry);
        if (++seen_ > max_files)
            return give_up("the archive has more than " + std::to_string(max_files) + " files");
        if (leads_out(name)) return give_up("the archive has a path that leads out of it");
        if (archive_entry_is_encrypted(entry) != 0) return give_up("the archive has a password");
        const bool link =
            archive_entry_filetype(entry) == AE_IFLNK || archive_entry_hardlink(entry) != nullptr;
        if (!link && archive_entry_filetype(entry) != AE_IFREG) return;
        const auto path = plain_path(name);
        std::string text;
        const bool keep = path && !link && is_kept(*path) && !is_hidden(*path);
        if (!link && !unpack(keep ? &text : nullptr)) return;
        if (!path || is_hidden(*path)) return;
        entries_.files.push_back({*path, std::move(text), link});
    }

    /// All bytes count, also of what nobody reads: a small archive may unpack to terabytes. False where that
    /// is trouble.
    bool unpack(std::string* text) {
        std::array<char, 64 << 10> block;
        std::uint64_t bytes = 0;
        for (;;) {
            const la_ssize_t got = archive_read_data(archive_.get(), block.data(), block.size());
            if (got == 0) return true;
            if (got < 0) return give_up("the archive is damaged, or has a password"), false;
            bytes += static_cast<std::uint64_t>(got);
            total_ += static_cast<std::uint64_t>(got);
            if (total_ > max_total_bytes)
                return give_up("the archive unpacks to more than " + std::to_string(max_total_bytes >> 20) +
                               " MiB"),
                       false;
            if (text == nullptr) continue;
            if (bytes > max_file_bytes)
                return give_up("the archive has a source file of more than 4 MiB"), false;
            text->append(block.data(), static_cast<std::size_t>(got));
        }
    }

    Archive archive_;
    Entries entries_;
    std::size_t seen_ = 0;
    std::uint64_t total_ = 0;
};

} // namespace

bool is_archive_name(const std::string& name) {
    return !archive_ending(name).empty();
}

std::string without_archive_ending(const std::string& name) {
    return name.substr(0, name.size() - archive_ending(name).size());
}

Entries read_archive(int fd) {
    Archive opened = open_archive(fd);
    if (!opened) return {{}, {}, "the archive is damaged, or of a kind that is not read"};
    return Unpacking(std::move(opened)).read();
}

} // namespace intake
