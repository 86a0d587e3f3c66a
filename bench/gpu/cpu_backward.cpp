#include "cpu.h"

#define exercise reference
#include "cuda-backward-deterministic/contract.h"

namespace cpu {

contract::Status embed_backward(Gradient dout, Tokens ids, Table dwte, Table dwpe,
                                const contract::BackwardOptions& options) {
    return reference::embed_backward(
        {dout.data, dout.batch, dout.time, dout.channels}, {ids.data, dout.batch, dout.time, ids.stride},
        {dwte.data, dwte.rows, dout.channels, dwte.stride},
        {dwpe.data, dwpe.rows, dout.channels, dwpe.stride}, options, contract::Stream::standard);
}

} // namespace cpu
