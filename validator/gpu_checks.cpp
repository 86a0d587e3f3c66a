#include "gpu_checks.h"

#include "build/compute_sanitizer.h"
#include "grading/gpu_checks.h"

#include <array>

namespace judge {
namespace {

constexpr std::array tools{"memcheck", "racecheck", "initcheck", "synccheck"};

grading::GpuCheck run_tool(const build::Workshop& workshop, const Request& request, const Program& on_gpu,
                           const std::string& tool, const std::vector<std::string>& tests) {
    const model::Launcher launcher =
        build::launcher_for(std::get<build::ComputeSanitizer>(request.gpu->sanitizer), tool);
    grading::GpuCheck check{tool, run_launched(workshop, request, on_gpu, tests, launcher, true), {}};
    if (auto again = grading::tests_to_repeat(check, request.problem.files); !again.empty())
        check.alone = run_launched(workshop, request, on_gpu, std::move(again), launcher, false);
    return check;
}

} // namespace

void run_compute_sanitizer(const build::Workshop& workshop, const Request& request, const Program& on_gpu,
                           grading::Evidence& evidence) {
    if (!on_gpu.seen.build.ok || !on_gpu.worker().fd) return;
    if (const auto* why = std::get_if<std::string>(&request.gpu->sanitizer)) {
        evidence.no_compute_sanitizer = *why;
        return;
    }
    evidence.compute_sanitizer = std::get<build::ComputeSanitizer>(request.gpu->sanitizer).version;
    const std::vector<std::string> tests = grading::tests_to_check(evidence);
    if (tests.empty()) return;
    for (const char* tool : tools) {
        evidence.gpu_checks.push_back(run_tool(workshop, request, on_gpu, tool, tests));
        // Where one cannot start the program, no other can, and each takes its time to show it.
        if (!grading::is_started(evidence.gpu_checks.back())) return;
    }
}

} // namespace judge
