#include "harness/sweep.h"

namespace harness {

bool needs_another_seed(const events::Sweep& sweep, const events::Tally& tally) {
    const std::uint32_t seen = tally.passed + tally.failed;
    if (seen == 0) return sweep.count > 0;
    if (!tally.drew || (tally.passed > 0 && tally.failed > 0)) return false;
    return seen < (tally.failed > 0 ? sweep.count : sweep.look);
}

} // namespace harness
