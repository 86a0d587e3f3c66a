#include "store/open.h"

#include "store/folder.h"
#include "store/header.h"
#include "store/migrate.h"

#include <sqlite3.h>

#include <chrono>
#include <string>
#include <thread>

namespace store {
namespace {

constexpr std::chrono::seconds patience{5}; // a writer needs milliseconds; many at once, on a slow disk, more
constexpr std::uintmax_t small_enough_to_check = 1024 * 1024;

/// SQLite's own handler sleeps up to 100 ms between two tries, which starves one of several busy writers.
int wait_for_lock(void* /*unused*/, int tries) {
    constexpr std::chrono::milliseconds pause{2};
    static thread_local std::chrono::steady_clock::time_point first;
    if (tries == 0) first = std::chrono::steady_clock::now();
    if (std::chrono::steady_clock::now() - first >= patience) return 0;
    std::this_thread::sleep_for(pause);
    return 1;
}

void check_ours(const File& file, SQLite::Database& database) {
    const Header header = read_header(database);
    if (header.kind == Header::Kind::empty || header.kind == Header::Kind::unfinished) return;
    if (header.kind == Header::Kind::other) refuse(file, "it is not a SQLite database");
    if (header.application_id != file.kind->application_id)
        refuse(file, "it is a database of another program");
    if (header.version > file.kind->steps.size()) refuse_newer(file, header.version);
}

void check_sound(const File& file, SQLite::Database& database) {
    // A whole check takes a fraction of a millisecond at this size, and years of exercises stay below it.
    // What a larger file hides is found when the damaged page is read.
    std::error_code unknown;
    if (std::filesystem::file_size(file.path, unknown) > small_enough_to_check || unknown) return;
    const std::string found = database.execAndGet("PRAGMA quick_check(1)").getString();
    if (found != "ok") refuse(file, "it is damaged (" + found + ")");
}

} // namespace

File whole_path(const std::filesystem::path& database, const Kind& kind) {
    return {std::filesystem::absolute(database), &kind};
}

Opened open_database(const File& file) {
    if (const auto failure = create_folder(file.path.parent_path()))
        refuse_unwritable(file, failure.message());
    std::error_code unknown;
    const auto status = std::filesystem::status(file.path, unknown);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        refuse(file, "it is not a file");

    return guarded(file, [&] {
        Opened result{std::make_unique<SQLite::Database>(file.path.string(),
                                                         SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE),
                      {}};
        SQLite::Database& opened = *result.database;
        sqlite3_busy_handler(opened.getHandle(), wait_for_lock, nullptr);
        check_ours(file, opened);
        // One file with a rollback journal: unlike a write-ahead log it works on network home folders and
        // leaves nothing beside it. EXTRA also makes the end of the journal durable before a commit returns.
        opened.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA");
        check_sound(file, opened);
        const std::size_t found = migrate(opened, file.kind->steps, file.kind->application_id);
        if (found > 0 && found < file.kind->steps.size()) result.migrated_from = found;
        return result;
    });
}

} // namespace store
