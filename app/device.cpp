#include "app/device.h"

#include "model/errors.h"

namespace app {

std::string describe(const build::Gpu& gpu) {
    return gpu.name + ", driver " + gpu.driver + ", compute capability " + gpu.capability;
}

void check_device(model::Device device, const model::Problem& problem) {
    // Looking for a GPU takes a while, and only one answer depends on it.
    const bool search = device == model::Device::cuda && problem.language == model::Language::cuda;
    check_device(device, problem, search ? build::find_gpu() : std::string{});
}

void check_device(model::Device device, const model::Problem& problem,
                  const std::variant<build::Gpu, std::string>& gpu) {
    if (device == model::Device::automatic) return;
    if (problem.language == model::Language::cpp) {
        if (device != model::Device::cpu)
            throw model::UsageError(problem.id + " is C++ and runs on the CPU; leave --device away");
        return;
    }
    if (device == model::Device::cpu)
        throw model::UsageError(problem.id +
                                " is CUDA; without a GPU it runs on the emulator: --device emulated");
    if (device == model::Device::emulated) return;
    if (const auto* found = std::get_if<build::Gpu>(&gpu))
        throw model::EnvironmentError(
            "not judged: there is a GPU (" + describe(*found) +
            "), but this version runs CUDA problems on the emulator only; say --device "
            "emulated, or leave it away");
    throw model::EnvironmentError("not judged: there is no GPU to run on: " + std::get<std::string>(gpu) +
                                  "; say --device emulated, or leave it away");
}

} // namespace app
