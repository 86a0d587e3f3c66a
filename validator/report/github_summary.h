#pragma once

#include "model/judgement.h"

#include <cstddef>
#include <string>

namespace report {

/// GitHub silently drops what exceeds 1 MiB a step, and near it (actions/runner, issue 4337).
inline constexpr std::size_t summary_limit = 900 * 1024;

/// GitHub Flavored Markdown for $GITHUB_STEP_SUMMARY, at most `summary_limit` bytes: whole sections are left
/// out from the end, never the middle of one, and a sentence says so.
std::string render_github_summary(const model::Judgement& judgement);

} // namespace report
