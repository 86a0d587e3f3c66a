#include "app/scene_progress.h"

#include "report/words.h"

#include <charconv>
#include <fmt/format.h>

namespace app {
namespace {

constexpr std::string_view beginning = "\n@ progress ";
constexpr std::size_t cells = 20;

} // namespace

std::string scene_progress(std::string_view output, bool unicode) {
    output = output.substr(0, output.rfind('\n') + 1); // nothing, where no line is whole
    const std::size_t at = output.rfind(beginning);
    if (at == std::string_view::npos) return {};
    std::string_view line = output.substr(at + beginning.size());
    line = line.substr(0, line.find('\n'));
    int percent = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), percent);
    if (error != std::errc() || percent < 0 || percent > 100) return {};
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    const std::string bar = report::bar(static_cast<std::size_t>(percent), 100, cells, unicode);
    return fmt::format("{} {:3} %{}", bar, percent, line);
}

} // namespace app
