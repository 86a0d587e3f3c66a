#pragma once

#include <cstddef>
#include <functional>

namespace app {

/// Calls `work` with each number below `count`, in order, on `threads` threads. The first exception keeps the
/// rest from being begun, and is thrown here once all calls have returned.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

} // namespace app
