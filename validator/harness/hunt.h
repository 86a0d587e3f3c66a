#pragma once

#include "events/event.h"
#include "events/finding.h"
#include "events/request.h"

#include <functional>
#include <string>
#include <vector>

namespace harness {

/// Whether a call was ended that took too long.
bool ran_out_of_time(const std::vector<events::Finding>& findings);

/// Runs the cases of these names against each mutant that the request names, the unchanged program first,
/// until one fails, and says which that was. Nothing more is said where the unchanged program fails one.
void hunt(const events::Request& request, std::vector<std::string> names,
          const std::function<void(const events::MutantEnded&)>& send);

} // namespace harness
