#include "build/launch_message.h"

#include <string_view>

namespace build {

std::string launch_in_words(std::string message) {
    constexpr std::string_view begins = "no match for call to ‘(cuda_emulator::KernelTaking<";
    constexpr std::string_view between = ">::Launcher<";
    constexpr std::string_view passed = "> >) (";
    constexpr std::string_view ends = ")’";
    const std::string_view text = message;
    if (!text.starts_with(begins) || !text.ends_with(ends)) return message;
    const std::size_t parameters = begins.size();
    const std::size_t call = text.find(between, parameters);
    const std::size_t arguments = text.rfind(passed);
    if (call == std::string_view::npos || arguments == std::string_view::npos || arguments < call)
        return message;
    const std::size_t first = arguments + passed.size();
    return "the kernel has the parameters (" + std::string(text.substr(parameters, call - parameters)) +
           "), and is launched with (" + std::string(text.substr(first, text.size() - ends.size() - first)) +
           ")";
}

} // namespace build
