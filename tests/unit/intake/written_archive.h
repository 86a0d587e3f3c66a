#pragma once

#include "unit/folder.h"

#include <archive.h>
#include <archive_entry.h>

#include <fcntl.h>
#include <string>
#include <vector>

/// Archives for tests, as any program might have written them.
namespace test {

struct Item {
    std::string path;
    std::string text;
    std::string symlink;  ///< makes it one
    std::string hardlink; ///< makes it one
};

inline void write_archive(const std::filesystem::path& file, const std::vector<Item>& items,
                          bool zip = false) {
    archive* out = archive_write_new();
    if (zip) {
        archive_write_set_format_zip(out);
    } else {
        archive_write_set_format_pax_restricted(out);
        archive_write_add_filter_gzip(out);
    }
    archive_write_open_filename(out, file.c_str());
    for (const Item& item : items) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, item.path.c_str());
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_filetype(entry, item.symlink.empty() ? AE_IFREG : AE_IFLNK);
        if (!item.symlink.empty()) archive_entry_set_symlink(entry, item.symlink.c_str());
        if (!item.hardlink.empty()) archive_entry_set_hardlink(entry, item.hardlink.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(item.text.size()));
        archive_write_header(out, entry);
        archive_write_data(out, item.text.data(), item.text.size());
        archive_entry_free(entry);
    }
    archive_write_close(out);
    archive_write_free(out);
}

} // namespace test
