#pragma once

#include "model/judgement.h"
#include "report/page.h"

#include <string>

namespace report {

/// What was measured, call by call, with a bar for each; nothing where nothing was.
void speed(Page& page, const model::Measurement& measurement, int width);

/// The same as one SVG: a roofline, on which a call that moves nothing in vain could be as fast as a copy.
std::string render_speed_svg(const model::Judgement& judgement);

} // namespace report
