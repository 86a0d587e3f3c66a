#pragma once

#include "common/device.h"
#include "harness/adversity/ids.h"

/// The roles of what calls that launch kernels take.
namespace harness {

/// The stream that all work goes to: the default one, or one of the caller's.
Parameter<contract::Stream> stream(std::string name);

/// Token ids that only a kernel sees. The contract says what becomes of bad ones, so no call is refused for
/// them.
Parameter<contract::Ids> device_ids(std::string name, Dim count, Dim vocabulary);
Parameter<contract::Ids2D> device_id_matrix(std::string name, Dim batch, Dim time, Dim vocabulary);

} // namespace harness
