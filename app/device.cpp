#include "app/device.h"

#include "isolation/observe.h"
#include "model/errors.h"

#include <fmt/format.h>

namespace app {

std::string describe(const model::Gpu& gpu) {
    return fmt::format("{}, driver {}, compute capability {}, {} MHz, {} MiB", gpu.name, gpu.driver,
                       gpu.capability, gpu.clock_mhz, gpu.memory_mib);
}

bool wants_gpu(model::Device device, const model::Problem& problem, bool graded) {
    if (problem.language == model::Language::cpp) {
        if (device == model::Device::cuda || device == model::Device::emulated)
            throw model::UsageError(problem.id + " is C++ and runs on the CPU; leave out --device");
        return false;
    }
    if (device == model::Device::cpu)
        throw model::UsageError(problem.id +
                                " is CUDA; without a GPU it runs on the emulator: --device emulated");
    return device == model::Device::cuda || (device == model::Device::automatic && graded);
}

std::optional<build::Gpu> choose_gpu(model::Device device, std::variant<build::Gpu, std::string> found) {
    if (auto* gpu = std::get_if<build::Gpu>(&found)) return std::move(*gpu);
    if (device == model::Device::automatic) return std::nullopt;
    throw model::EnvironmentError("not judged: there is no GPU to run on: " + std::get<std::string>(found) +
                                  ". Say --device emulated, or leave it out");
}

judge::OnGpu gpu_for_grades(const build::Workshop& workshop, int cancel_fd) {
    auto found = build::find_gpu(workshop, cancel_fd);
    if (const auto* why = std::get_if<std::string>(&found))
        throw model::EnvironmentError("there is no GPU to run on: " + *why);
    return {std::move(std::get<build::Gpu>(found)),
            isolation::observe_with_gpu(workshop.layout().canary, build::gpu_files(workshop.layout())),
            usable_sanitizer(workshop)};
}

std::variant<build::ComputeSanitizer, std::string> usable_sanitizer(const build::Workshop& workshop) {
    auto found = build::find_compute_sanitizer(workshop.layout(), workshop.toolchain());
    if (const auto* sanitizer = std::get_if<build::ComputeSanitizer>(&found))
        if (std::string obstacle =
                isolation::obstacle_to_launcher(workshop.layout().canary, build::gpu_files(workshop.layout()),
                                                build::launcher_for(*sanitizer, "memcheck"));
            !obstacle.empty())
            return obstacle;
    return found;
}

} // namespace app
