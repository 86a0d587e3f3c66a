#pragma once

#include "common/status.h"

#include <cstddef>
#include <cstdint>

namespace contract {
struct BackwardOptions;
struct Dropout;
} // namespace contract

/// What the kernels are compared with: the references in plain C++. Compiled as CUDA the contracts speak of
/// device memory, so sources of both kinds meet here, with host pointers.
namespace cpu {

struct Gradient { ///< (batch, time, channels), dense
    const float* data;
    std::size_t batch, time, channels;
};
struct Tokens { ///< (batch, time)
    const std::int32_t* data;
    std::size_t stride;
};
struct Table { ///< (rows, channels)
    float* data;
    std::size_t rows, stride;
};

contract::Status embed_backward(Gradient dout, Tokens ids, Table dwte, Table dwpe,
                                const contract::BackwardOptions& options);

/// One row of the forward pass, in float or rounded to bfloat16; dropout.offset says where the row begins.
void embed(const float* token, const float* position, std::size_t channels, const contract::Dropout& dropout,
           float* out);
void embed(const float* token, const float* position, std::size_t channels, const contract::Dropout& dropout,
           std::uint16_t* out);

} // namespace cpu
