#include "isolation/ceiling.h"

#include "model/errors.h"

#include <cstdlib>

namespace isolation {
namespace {

using model::IsolationLevel;

constexpr const char* ceiling_name = "ENGINE_ISOLATION_CEILING";
constexpr const char* floor_name = "ENGINE_ISOLATION_FLOOR";

IsolationLevel level_from(const char* variable, IsolationLevel otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return otherwise;
    const auto level = model::value_of(model::isolation_levels, text);
    if (!level)
        throw model::EnvironmentError(
            std::string(variable) + " is \"" + text +
            "\", which is not an isolation level; set it to A, B, C, D or E, or unset it");
    return *level;
}

std::string assignment(const char* variable, IsolationLevel level) {
    return std::string(variable) + "=" + std::string(name(level));
}

} // namespace

IsolationLevel ceiling() {
    return level_from(ceiling_name, IsolationLevel::A);
}

IsolationLevel floor() {
    return level_from(floor_name, IsolationLevel::E);
}

std::vector<std::string> driver_environment(IsolationLevel observed) {
    return {assignment(ceiling_name, ceiling()), assignment(floor_name, observed)};
}

} // namespace isolation
