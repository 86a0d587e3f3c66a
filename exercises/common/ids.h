#pragma once

#include "common/matrix.h"

#include <cstdint>
#include <span>

namespace contract {

/// The number of a token in its vocabulary.
using TokenId = std::int32_t;

/// A sequence of T token ids.
using Ids = std::span<const TokenId>;

/// A batch of token ids, shape (B, T): one sequence a row.
using Ids2D = Matrix<const TokenId>;

} // namespace contract
