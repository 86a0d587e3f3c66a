#include "app/device.h"

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

} // namespace app
