#include "build/gpu.h"

#include "system/process.h"

#include <algorithm>
#include <array>
#include <unistd.h>
#include <vector>

namespace build {
namespace {

constexpr const char* tool = "/usr/bin/nvidia-smi";

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

} // namespace

std::variant<Gpu, std::string> parse_gpu(std::string_view output) {
    std::string_view line = output.substr(0, output.find('\n'));
    std::array<std::string, 3> fields;
    for (std::string& field : fields) {
        const std::size_t comma = std::min(line.find(','), line.size());
        field = trim(line.substr(0, comma));
        line.remove_prefix(std::min(comma + 1, line.size()));
    }
    const bool has_capability = !fields[2].empty() && fields[2].front() >= '1' && fields[2].front() <= '9';
    if (!has_capability)
        return "the NVIDIA driver answers, but names no GPU: " + std::string(trim(output.substr(0, 200)));
    return Gpu{fields[0], fields[1], fields[2]};
}

std::variant<Gpu, std::string> find_gpu() {
    if (access(tool, X_OK) != 0) return std::string("no NVIDIA driver is installed (there is no nvidia-smi)");
    sys::Command command;
    command.program = tool;
    command.arguments = {"--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"};
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    const sys::RunOutcome outcome =
        sys::run(command, {.wall = std::chrono::seconds(10), .output_bytes = 1 << 14});
    if (outcome.timed_out) return std::string("the NVIDIA driver gave no answer within 10 s");
    if (!outcome.ok())
        return "the NVIDIA driver does not work: " +
               outcome.output.substr(0, std::min<std::size_t>(outcome.output.find('\n'), 200));
    return parse_gpu(outcome.output);
}

} // namespace build
