#include "exports/zip.h"

#include "model/errors.h"

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <memory>

namespace exports {
namespace {

using Writer = std::unique_ptr<archive, decltype(&archive_write_free)>;
using Header = std::unique_ptr<archive_entry, decltype(&archive_entry_free)>;

void require(archive* writer, la_ssize_t result) {
    if (result < ARCHIVE_OK)
        throw model::EnvironmentError(std::string("cannot make a zip archive: ") +
                                      archive_error_string(writer));
}

la_ssize_t append(archive*, void* bytes, const void* data, std::size_t size) {
    static_cast<std::string*>(bytes)->append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
}

void add(archive* writer, const ZipEntry& entry) {
    const Header header(archive_entry_new(), archive_entry_free);
    archive_entry_set_pathname(header.get(), entry.path.c_str());
    archive_entry_set_filetype(header.get(), AE_IFREG);
    archive_entry_set_perm(header.get(), entry.executable ? 0755 : 0644);
    archive_entry_set_size(header.get(), static_cast<la_int64_t>(entry.text.size()));
    // Without a time: any other is written in the local time zone.
    require(writer, archive_write_header(writer, header.get()));
    require(writer, archive_write_data(writer, entry.text.data(), entry.text.size()));
}

} // namespace

std::string zip(std::vector<ZipEntry> entries) {
    std::ranges::sort(entries, {}, &ZipEntry::path);
    std::string bytes;
    const Writer writer(archive_write_new(), archive_write_free);
    require(writer.get(), archive_write_set_format_zip(writer.get()));
    require(writer.get(), archive_write_set_bytes_in_last_block(writer.get(), 1));
    require(writer.get(), archive_write_open(writer.get(), &bytes, nullptr, append, nullptr));
    for (const ZipEntry& entry : entries)
        add(writer.get(), entry);
    require(writer.get(), archive_write_close(writer.get()));
    return bytes;
}

} // namespace exports
