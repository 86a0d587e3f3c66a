#pragma once

#include "store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>
#include <vector>

namespace store {

/// Where the learner stands with each problem that was touched, or with one: what attempts and hints say.
std::vector<Progress> read_progress(SQLite::Database& database, const std::optional<std::string>& problem);

} // namespace store
