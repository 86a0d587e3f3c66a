#include "app/device.h"

#include "model/errors.h"

#include <doctest/doctest.h>

using model::Device;

namespace {

const std::variant<build::Gpu, std::string> no_gpu = std::string("no NVIDIA driver is installed");
const std::variant<build::Gpu, std::string> gpu = build::Gpu{
    {"NVIDIA H200", "550.54.15, CUDA 12.4", "9.0", 1980, 143771}, "-gencode=arch=compute_90,code=sm_90"};

model::Problem problem(model::Language language) {
    model::Problem result;
    result.id = "some-problem";
    result.language = language;
    return result;
}

std::string refusal(Device device, model::Language language) {
    try {
        app::wants_gpu(device, problem(language), true);
    } catch (const model::UsageError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("a GPU is looked for where it is asked for, and in graded runs of CUDA problems") {
    for (const bool graded : {false, true}) {
        CHECK(app::wants_gpu(Device::cuda, problem(model::Language::cuda), graded));
        CHECK(app::wants_gpu(Device::automatic, problem(model::Language::cuda), graded) == graded);
        CHECK_FALSE(app::wants_gpu(Device::emulated, problem(model::Language::cuda), graded));
        CHECK_FALSE(app::wants_gpu(Device::automatic, problem(model::Language::cpp), graded));
        CHECK_FALSE(app::wants_gpu(Device::cpu, problem(model::Language::cpp), graded));
    }
}

TEST_CASE("a device that does not fit the problem is wrong usage") {
    CHECK(refusal(Device::cuda, model::Language::cpp).starts_with("some-problem is C++"));
    CHECK(refusal(Device::emulated, model::Language::cpp).starts_with("some-problem is C++"));
    CHECK(refusal(Device::cpu, model::Language::cuda).starts_with("some-problem is CUDA"));
}

TEST_CASE("a GPU that was asked for is never replaced in silence; automatic takes the emulator") {
    CHECK(app::choose_gpu(Device::cuda, gpu)->facts.name == "NVIDIA H200");
    CHECK(app::choose_gpu(Device::automatic, gpu).has_value());
    CHECK_FALSE(app::choose_gpu(Device::automatic, no_gpu).has_value());
    try {
        app::choose_gpu(Device::cuda, no_gpu);
        FAIL("it was replaced");
    } catch (const model::EnvironmentError& error) {
        const std::string words = error.what();
        CHECK(words.starts_with("not judged: there is no GPU"));
        CHECK(words.find("no NVIDIA driver is installed") != std::string::npos);
        CHECK(words.find("--device emulated") != std::string::npos);
    }
}

TEST_CASE("a GPU is described with what the issue of a measurement hangs on") {
    CHECK(app::describe(std::get<build::Gpu>(gpu).facts) ==
          "NVIDIA H200, driver 550.54.15, CUDA 12.4, compute capability 9.0, 1980 MHz, 143771 MiB");
}
