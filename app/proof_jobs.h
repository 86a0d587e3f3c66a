#pragma once

#include "app/jobs.h"
#include "app/proving.h"

#include <vector>

/// The judgements that `verify` makes, in the order in which it runs them: each list may need what came of
/// the ones before.
namespace app {

/// The references, whose times say which tests are long.
std::vector<Job> plan_references(Work& work);

/// All known mistakes, in the program that names them.
std::vector<Job> plan_mistakes(Work& work);

/// All witnesses, each judged as a submission.
std::vector<Job> plan_witnesses(Work& work);

/// Everything that is compiled. Parts of a hunt are the longest jobs, so they come first.
std::vector<Job> plan_builds(Work& work);

/// Mistakes whose claims the first look did not show, and the boundary coverage of each suite.
std::vector<Job> plan_checks(Work& work);

} // namespace app
