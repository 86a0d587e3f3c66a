#pragma once

#include <vector>

/// __reduce_add_sync, _min_ and _max_ of lane - 16: three results a lane. Compute capability 8.0 and above.
std::vector<int> warp_reduce();
