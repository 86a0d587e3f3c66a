#include "app/voice.h"

#include "app/log.h"

namespace app {

build::Voice voice_of(const Context& context, terminal::Progress& progress) {
    build::Voice voice{[&](std::string_view text) { progress.show(text); },
                       [&](std::string_view text) {
                           progress.clear();
                           context.warn(text);
                       },
                       {}};
    if (log::wants_debug())
        voice.note = [&](std::string_view text) {
            if (log::shows_debug()) progress.clear();
            log::debug(text);
        };
    return voice;
}

} // namespace app
