#include "app/commands.h"
#include "app/device.h"

#include "build/workshop.h"
#include "isolation/observe.h"
#include "model/errors.h"
#include "report/words.h"

#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace app {
namespace {

/// What CUDA problems have on this machine.
nlohmann::json cuda_facts(const build::Workshop& workshop) {
    const auto gpu = build::find_gpu(workshop);
    const auto* found = std::get_if<build::Gpu>(&gpu);
    const build::Toolchain& toolchain = workshop.toolchain();
    const auto sanitizer = usable_sanitizer(workshop);
    const auto* usable = std::get_if<build::ComputeSanitizer>(&sanitizer);
    nlohmann::json facts{{"gpu", found != nullptr ? describe(found->facts) : ""},
                         {"no_gpu", found != nullptr ? "" : std::get<std::string>(gpu)},
                         {"nvcc", toolchain.nvcc.empty() ? "" : toolchain.nvcc_version},
                         {"device", found != nullptr ? "cuda" : "emulated"},
                         {"isolation", nullptr},
                         {"compute_sanitizer", usable != nullptr ? usable->version : ""},
                         {"no_compute_sanitizer", usable != nullptr ? "" : std::get<std::string>(sanitizer)}};
    if (found == nullptr) return facts;
    try {
        facts["isolation"] = {{"level", "G"},
                              {"observed", isolation::observe_with_gpu(workshop.layout().canary,
                                                                       build::gpu_files(workshop.layout()))}};
    } catch (const model::EnvironmentError& error) {
        facts["no_gpu"] = error.what();
        facts["device"] = "emulated";
    }
    return facts;
}

std::string cuda_words(const nlohmann::json& facts) {
    const auto gpu = facts["gpu"].get<std::string>();
    const auto nvcc = facts["nvcc"].get<std::string>();
    const auto sanitizer = facts["compute_sanitizer"].get<std::string>();
    const bool used = facts["device"] == "cuda";
    std::string text = fmt::format("\nCUDA: problems run on the emulator{}\n  GPU: {}\n",
                                   used ? ", graded ones on the GPU as well" : "",
                                   gpu.empty() ? "none: " + facts["no_gpu"].get<std::string>() : gpu);
    if (used)
        text +=
            "  isolation there: level G: all that a worker without a GPU is refused, but for the driver\n";
    else if (!gpu.empty())
        text += "  not used: " + facts["no_gpu"].get<std::string>() + "\n";
    return text + fmt::format("  nvcc: {}\n  compute-sanitizer: {}\n",
                              nvcc.empty() ? "none: submissions are compiled for the emulator only" : nvcc,
                              sanitizer.empty() ? "none: " + facts["no_compute_sanitizer"].get<std::string>()
                                                : sanitizer);
}

std::string in_words(const nlohmann::json& facts) {
    std::string text = fmt::format(
        "engine {}\n\nToolchain\n  compiler: {}\n  linker: {}\n  sanitizers: {}\n  cache: {}\n",
        facts["engine"].get<std::string>(), facts["toolchain"]["compiler"].get<std::string>(),
        facts["toolchain"]["linker"].get<std::string>(),
        facts["toolchain"]["sanitizers"].get<bool>() ? "yes" : "no", facts["cache"].get<std::string>());
    text += fmt::format("\nIsolation: level {}\n", facts["isolation"]["level"].get<std::string>());
    for (const auto& fact : facts["isolation"]["observed"])
        text += "  " + fact.get<std::string>() + "\n";
    text += "What keeps it from the next level\n";
    for (const auto& fact : facts["isolation"]["missing"])
        text += "  " + fact.get<std::string>() + "\n";
    text += cuda_words(facts["cuda"]);
    text += fmt::format("\nContent: {} problems\n", facts["problems"].get<std::size_t>());
    return text;
}

} // namespace

ExitCode run_doctor(Context& context) {
    const build::Workshop workshop(context.layout(),
                                   {{}, [&](std::string_view text) { context.warn(text); }});
    const model::Toolchain toolchain = build::describe(workshop.toolchain());
    const model::Isolation isolation = isolation::observe(context.layout().canary);
    const nlohmann::json facts{
        {"schema", "engine.doctor/1"},
        {"engine", context.layout().version},
        {"toolchain",
         {{"compiler", toolchain.compiler},
          {"flags", toolchain.flags},
          {"linker", toolchain.linker},
          {"sanitizers", toolchain.sanitizers}}},
        {"cuda", cuda_facts(workshop)},
        {"cache", workshop.cache().folder().string()},
        {"isolation",
         {{"level", name(isolation.level)},
          {"observed", isolation.observed},
          {"missing", isolation.missing}}},
        {"problems", context.curriculum().problems.size()},
    };
    const auto& reports = context.options().reports;
    if (!reports.empty() && reports.front().format == "json")
        std::cout << facts.dump(2) << "\n";
    else
        std::cout << in_words(facts);
    const auto floor = context.options().require_isolation;
    return floor && isolation.level > *floor ? ExitCode::not_judged : ExitCode::accepted;
}

} // namespace app
