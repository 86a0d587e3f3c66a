#pragma once

#include "app/context.h"
#include "model/judgement.h"

namespace app {

/// Below this nothing is graded: a submission could read what it is compared with.
inline constexpr model::IsolationLevel weakest_for_grading = model::IsolationLevel::C;
/// The same for a class, where it could also read what others handed in.
inline constexpr model::IsolationLevel weakest_for_a_class = model::IsolationLevel::B;

/// Throws model::EnvironmentError where isolation is weaker than --require-isolation says, or, without that
/// option, than `floor`.
void require_isolation(const Context& context, model::IsolationLevel floor, const model::Isolation& observed);

} // namespace app
