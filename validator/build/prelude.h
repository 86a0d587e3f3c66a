#pragma once

#include "model/problem.h"
#include "model/submission.h"

#include <string>
#include <vector>

namespace build {

/// Which set of headers is read before a submission, precompiled. A submission may only choose among
/// ours, and any choice compiles it: what a prelude lacks is read from the headers, only slower.
enum class Prelude { none, light, full, cuda };

/// The file's name in `Layout::preludes`; empty for none.
std::string file_name(Prelude prelude);

/// The smallest prelude that has every standard header the submission includes; for CUDA there is one.
Prelude choose_prelude(const model::Submission& submission, model::Language language = model::Language::cpp);

} // namespace build
