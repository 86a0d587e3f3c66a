#pragma once

#include "model/names.h"

namespace model {

/// How memory was used that is not the program's own.
enum class Access { unknown, read, write };

inline constexpr Names<Access, 3> accesses{{
    {Access::unknown, "unknown"},
    {Access::read, "read"},
    {Access::write, "write"},
}};

} // namespace model
