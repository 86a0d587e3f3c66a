#pragma once

#include "model/judgement.h"

#include <optional>
#include <string_view>

namespace diagnosis {

/// What the first line of a record of compute-sanitizer's tells of, where that is a mistake of a kernel;
/// races are not among them.
std::optional<model::FindingKind> kind_of_record(std::string_view words);

/// What a failed call of the runtime, "cudaErrorAssert (error 710) due to ...", says of a kernel or its
/// memory; nothing for what a program may meet and handle.
std::optional<model::FindingKind> kind_of_call(std::string_view words);

} // namespace diagnosis
