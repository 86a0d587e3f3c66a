#include "app/device.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using model::Device;

namespace {

const std::variant<build::Gpu, std::string> no_gpu = std::string("no NVIDIA driver is installed");
const std::variant<build::Gpu, std::string> gpu = build::Gpu{"NVIDIA H200", "550.54.15", "9.0"};

model::Problem problem(model::Language language) {
    model::Problem result;
    result.id = "some-problem";
    result.language = language;
    return result;
}

std::string refusal(Device device, model::Language language, const std::variant<build::Gpu, std::string>& found) {
    try {
        app::check_device(device, problem(language), found);
    } catch (const model::UsageError& error) {
        return std::string("usage: ") + error.what();
    } catch (const model::EnvironmentError& error) {
        return std::string("environment: ") + error.what();
    }
    return "";
}

} // namespace

TEST_CASE("automatic fits every problem, with a GPU and without") {
    for (const auto& found : {no_gpu, gpu}) {
        CHECK(refusal(Device::automatic, model::Language::cpp, found).empty());
        CHECK(refusal(Device::automatic, model::Language::cuda, found).empty());
        CHECK(refusal(Device::emulated, model::Language::cuda, found).empty());
        CHECK(refusal(Device::cpu, model::Language::cpp, found).empty());
    }
}

TEST_CASE("a device that does not fit the problem is wrong usage") {
    CHECK(refusal(Device::cuda, model::Language::cpp, gpu).starts_with("usage: some-problem is C++"));
    CHECK(refusal(Device::emulated, model::Language::cpp, gpu).starts_with("usage: some-problem is C++"));
    CHECK(refusal(Device::cpu, model::Language::cuda, gpu).starts_with("usage: some-problem is CUDA"));
}

TEST_CASE("a GPU that cannot be had is never replaced in silence") {
    const std::string missing = refusal(Device::cuda, model::Language::cuda, no_gpu);
    CHECK(missing.starts_with("environment: not judged: there is no GPU"));
    CHECK(missing.find("no NVIDIA driver is installed") != std::string::npos);
    CHECK(missing.find("--device emulated") != std::string::npos);
    const std::string unused = refusal(Device::cuda, model::Language::cuda, gpu);
    CHECK(unused.find("NVIDIA H200, driver 550.54.15, compute capability 9.0") != std::string::npos);
}
