#include "build/workshop.h"

#include <fmt/format.h>

namespace build {

Workshop::Workshop(Layout layout, Voice voice, const std::filesystem::path& cache_folder)
    : layout_(std::move(layout)), voice_{one_at_a_time(std::move(voice.progress)),
                                         one_at_a_time(std::move(voice.warn)),
                                         one_at_a_time(std::move(voice.note))},
      cache_(cache_folder, voice_.warn),
      toolchain_(find_toolchain(layout_, cache_.folder(), voice_.progress)),
      preludes_(layout_, toolchain_, cache_.folder(), voice_.progress) {
    const auto yes = [](bool works) { return works ? "yes" : "no"; };
    note(fmt::format(
        "toolchain: {} ({}), linker {}, sanitizers {}, races {}, nvcc {}; cache {}", toolchain_.name(),
        toolchain_.compiler.string(), toolchain_.linker.empty() ? "default" : toolchain_.linker,
        yes(toolchain_.sanitizers), yes(toolchain_.races),
        toolchain_.nvcc_version.empty() ? "none" : toolchain_.nvcc_version, cache_.folder().string()));
}

std::vector<std::filesystem::path> hidden_from_compilers(const Workshop& workshop) {
    const Layout& layout = workshop.layout();
    std::vector<std::filesystem::path> hidden{layout.problems,          layout.reference, layout.exercises,
                                              layout.starters,          layout.kits,      layout.objects,
                                              workshop.cache().folder()};
    hidden.insert(hidden.end(), layout.content.begin(), layout.content.end());
    return hidden;
}

std::function<void(std::string_view)> Workshop::one_at_a_time(std::function<void(std::string_view)> say) {
    if (!say) return say;
    return [this, say = std::move(say)](std::string_view text) {
        const std::scoped_lock lock(speaking_);
        say(text);
    };
}

} // namespace build
