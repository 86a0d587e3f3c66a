#pragma once

#include "system/room.h"

#include <string>

namespace isolation {

/// The root folder of a worker. A sanitized one reads its own memory map, for which it needs a /proc.
sys::Room worker_room(bool sanitized);

/// Why no process with namespaces and such a root can be started here, with what to do about it; empty where
/// one can. Found out once a process, by starting one.
const std::string& room_obstacle(bool sanitized);

} // namespace isolation
