#pragma once

#include "model/judgement.h"

#include <string>
#include <vector>

namespace diagnosis {

/// One plain sentence on what a compiler's or linker's message means and what to do, or empty for a message
/// that we have no words for. A message that already has an explanation keeps it. `defined` lists the
/// functions that the submission does define, as `nm -C` prints them; with it a missing function can be told
/// from one with other parameters.
std::string explain(const model::Diagnostic& diagnostic, const std::vector<std::string>& defined = {});

} // namespace diagnosis
