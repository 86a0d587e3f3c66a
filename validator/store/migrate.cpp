#include "store/migrate.h"

#include <string>

namespace store {
namespace {

std::size_t version(SQLite::Database& database) {
    return static_cast<std::uint32_t>(database.execAndGet("PRAGMA user_version").getInt());
}

} // namespace

std::size_t migrate(SQLite::Database& database, std::span<const std::string_view> steps,
                    std::uint32_t application_id) {
    if (const std::size_t found = version(database); found >= steps.size()) return found;
    // The write lock first, then look again: another process may have migrated while we waited for it.
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    const std::size_t found = version(database);
    for (std::size_t step = found; step < steps.size(); ++step)
        database.exec(std::string(steps[step]));
    database.exec("PRAGMA application_id = " + std::to_string(application_id));
    database.exec("PRAGMA user_version = " + std::to_string(steps.size()));
    transaction.commit();
    return found;
}

} // namespace store
