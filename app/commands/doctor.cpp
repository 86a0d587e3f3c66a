#include "app/commands.h"

#include "build/workshop.h"
#include "isolation/observe.h"
#include "model/errors.h"

#include <fmt/format.h>
#include <iostream>
#include <nlohmann/json.hpp>

namespace app {
namespace {

char letter(model::IsolationLevel level) {
    return static_cast<char>('A' + static_cast<int>(level));
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
        {"cache", workshop.cache().folder().string()},
        {"isolation",
         {{"level", std::string(1, letter(isolation.level))},
          {"observed", isolation.observed},
          {"missing", isolation.missing}}},
        {"problems", context.curriculum().problems.size()},
    };
    const auto& formats = context.options().formats;
    if (!formats.empty() && formats.front() == "json")
        std::cout << facts.dump(2) << "\n";
    else
        std::cout << in_words(facts);
    const auto floor = context.options().require_isolation;
    return floor && isolation.level > *floor ? ExitCode::not_judged : ExitCode::accepted;
}

} // namespace app
