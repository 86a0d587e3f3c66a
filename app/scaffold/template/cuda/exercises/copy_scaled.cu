#include "contract.h"

namespace exercise {

Status copy_scaled(DeviceSpan<const float> in, float scale, DeviceSpan<float> out, cudaStream_t stream) {
    (void)in, (void)scale, (void)out, (void)stream; // take this line away when you begin
    not_implemented("copy_scaled");
}

} // namespace exercise
