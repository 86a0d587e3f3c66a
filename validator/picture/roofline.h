#pragma once

#include "picture/figure.h"
#include "picture/sheet.h"

#include <string>

namespace picture {

std::string described(const Roofline& roofline);

/// A bar for each call, as long as it is fast, with a mark at what its traffic allows.
void put(Sheet& sheet, const Roofline& roofline);

} // namespace picture
