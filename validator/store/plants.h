#pragma once

#include "store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <string_view>
#include <vector>

/// The rows of what was handed out for repair.
namespace store {

void insert_plant(SQLite::Database& database, std::string_view problem, const Plant& plant);

/// Newest first.
std::vector<Plant> read_plants(SQLite::Database& database, std::string_view problem);

/// Notes that what waited for repair is repaired. False where nothing did.
bool mark_repaired(SQLite::Database& database, std::string_view problem);

} // namespace store
