#include "contract.h"

// What the kernel is compared with: the same on a CPU.
namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t) {
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = tokens[i] + positions[i];
}

} // namespace exercise
