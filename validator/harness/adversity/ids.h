#pragma once

#include "common/ids.h"
#include "common/strided_ids.h"
#include "harness/adversity/parameters.h"

/// The roles of token ids.
namespace harness {

/// Token ids in a row, or a batch of them, each below `vocabulary`.
Parameter<contract::Ids> ids(std::string name, Dim count, Dim vocabulary);
Parameter<contract::Ids2D> id_matrix(std::string name, Dim batch, Dim time, Dim vocabulary);

/// Ids of four axes, or of fewer where the extents of the last ones are 1: dense, with axes stored in another
/// order, with gaps, or shown again and again by a stride of 0. Memory between the ids holds bad ones, and
/// what the view says of axes that are not in use means nothing.
template <class I>
Parameter<contract::StridedIds<I>> strided_ids(std::string name, std::vector<Dim> axes, Dim vocabulary);

} // namespace harness
