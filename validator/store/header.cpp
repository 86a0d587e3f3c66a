#include "store/header.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace store {
namespace {

// The file format of SQLite, section 1.3: magic at 0, user version at 60, application id at 68, big-endian.
constexpr std::string_view magic{"SQLite format 3\0", 16};
constexpr std::size_t version_offset = 60;
constexpr std::size_t application_offset = 68;
using Bytes = std::array<char, 100>;

std::uint32_t big_endian(const Bytes& bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes.at(offset + i));
    return value;
}

bool has_journal(SQLite::Database& database) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(database.getFilename() + "-journal", missing);
    return !missing && size > 0;
}

} // namespace

Header read_header(SQLite::Database& database) {
    // Through SQLite's own descriptor: closing a second one of ours would drop this process's locks on the
    // file.
    sqlite3_file* file = nullptr;
    sqlite3_file_control(database.getHandle(), "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
    if (file == nullptr || file->pMethods == nullptr)
        throw SQLite::Exception("the file cannot be read", SQLITE_CANTOPEN);

    // Not xFileSize: that calls a file of one byte empty.
    std::error_code unknown;
    if (std::filesystem::file_size(database.getFilename(), unknown) == 0 && !unknown)
        return {Header::Kind::empty, 0, 0};
    Bytes bytes{};
    const int status = file->pMethods->xRead(file, bytes.data(), static_cast<int>(bytes.size()), 0);
    if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ)
        throw SQLite::Exception("the file cannot be read", status);

    if (std::string_view(bytes.data(), magic.size()) == magic)
        return {Header::Kind::database, big_endian(bytes, application_offset),
                big_endian(bytes, version_offset)};
    // A power cut in the very first transaction may keep later pages and lose the first.
    const bool blank = std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
    return {blank && has_journal(database) ? Header::Kind::unfinished : Header::Kind::other, 0, 0};
}

} // namespace store
