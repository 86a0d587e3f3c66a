#include "app/voice.h"

namespace app {

build::Voice voice_of(const Context& context, terminal::Progress& progress) {
    return {[&](std::string_view text) { progress.show(text); },
            [&](std::string_view text) {
                progress.clear();
                context.warn(text);
            }};
}

} // namespace app
