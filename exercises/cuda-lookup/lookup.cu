#include "contract.h"

namespace exercise {

Status lookup(DeviceMatrix<const float> table, DeviceSpan<const TokenId> ids, DeviceMatrix<float> out,
              cudaStream_t stream) {
    (void)table, (void)ids, (void)out, (void)stream; // take this line away when you begin
    not_implemented("lookup");
}

} // namespace exercise
