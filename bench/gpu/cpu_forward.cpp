#include "cpu.h"

#define exercise reference
#include "cuda-input-embedding/contract.h"

namespace cpu {
namespace {

constexpr std::int32_t only_token = 0;
const contract::Ids2D only_id(&only_token, 1, 1);

} // namespace

void embed(const float* token, const float* position, std::size_t channels, const contract::Dropout& dropout,
           float* out) {
    reference::embed({token, 1, channels}, {position, 1, channels}, only_id, 0, dropout,
                     {out, 1, 1, channels}, contract::Stream::standard);
}

void embed(const float* token, const float* position, std::size_t channels, const contract::Dropout& dropout,
           std::uint16_t* out) {
    reference::embed_bf16({token, 1, channels}, {position, 1, channels}, only_id, 0, dropout,
                          {out, 1, 1, channels}, contract::Stream::standard);
}

} // namespace cpu
