#pragma once

#include "model/judgement.h"

#include <string>

namespace report {

/// One page that needs nothing but itself: no script, no network, light and dark, on paper too. Failing tests
/// have pictures.
std::string render_html(const model::Judgement& judgement);

} // namespace report
