#pragma once

#include "model/judgement.h"

#include <string>

namespace report {

/// JUnit XML as CI systems read it: one suite, a case for the build, one for each registered test, one for
/// the memory checks where they ran. What was judged wrong is a <failure>, what broke off or could not run is
/// an <error>; a judgement that is not accepted always holds at least one of the two.
std::string render_junit(const model::Judgement& judgement);

} // namespace report
