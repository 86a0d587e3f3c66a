#pragma once

#include "app/context.h"

#include <string_view>

namespace app {

/// Prints it; on a terminal that it does not fit, $PAGER shows it, else `less` where there is one.
void show_in_pager(const Context& context, std::string_view text);

} // namespace app
