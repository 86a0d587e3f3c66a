#pragma once

#include <string>
#include <string_view>

namespace app {

/// How far a scene is, as the latest line `@ progress PERCENT TEXT` of what it has printed so far says: a bar
/// and its text. Empty where there is no such line that is whole. The text is a stranger's.
std::string scene_progress(std::string_view output, bool unicode);

} // namespace app
