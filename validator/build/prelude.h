#pragma once

#include "model/submission.h"

#include <string>
#include <vector>

namespace build {

/// Which set of standard headers is read before a submission, precompiled. A submission may only choose among
/// ours, and any choice compiles it: what a prelude lacks is read from the headers, only slower.
enum class Prelude { none, light, full };

/// The file's name in `Layout::preludes`; empty for none.
std::string file_name(Prelude prelude);

/// The smallest prelude that has every standard header the submission includes.
Prelude choose_prelude(const model::Submission& submission);

} // namespace build
