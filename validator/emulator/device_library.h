#pragma once

#include <string>
#include <string_view>

namespace emulator {

/// Why device code cannot use `std::name`, and what to use instead; empty where it can. `called` says that
/// the name is called, or that something of the class is.
std::string host_only(std::string_view name, bool called);

} // namespace emulator
