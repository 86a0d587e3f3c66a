#pragma once

#include "picture/figure.h"

#include <string_view>

/// What a scene prints, as a picture. exercises/common/picture.h writes it; docs/pictures.md has the format.
namespace picture {

/// The output is untrusted: the learner's code runs in the program that printed it. What goes beyond the
/// bounds or has no meaning ends the reading with a remark that names the line; what came whole before it is
/// kept. Lines that do not begin with '@' are the learner's, and no part of the picture.
Picture read_scene(std::string_view output);

} // namespace picture
