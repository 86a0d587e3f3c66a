#include "contract.h"

namespace exercise {

void add(DeviceSpan<const float> tokens, DeviceSpan<const float> positions, DeviceSpan<float> out,
         cudaStream_t stream) {
    (void)tokens, (void)positions, (void)out, (void)stream; // take this line away when you begin
    not_implemented("add");
}

} // namespace exercise
