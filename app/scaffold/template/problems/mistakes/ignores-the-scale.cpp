// mistake: ignores-the-scale
// says: FILL IN: the diagnosis, in second person, such as: You copied the values as they are
// hint: FILL IN: one sentence, where to look next
// symptom: FILL IN: what a user of the code would see; then at least nine more mistakes, a file each
// fails: three values are scaled; random lengths agree with the reference
#include "contract.h"

#include <algorithm>

namespace exercise {

Status copy_scaled(std::span<const float> in, float, std::span<float> out) {
    if (out.size() != in.size()) return {Code::shape_mismatch};
    std::ranges::copy(in, out.begin());
    return {};
}

} // namespace exercise
