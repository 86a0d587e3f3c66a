#pragma once

#include "model/names.h"

#include <string_view>

namespace model {

/// The three stages of a problem, in order.
enum class Stage { build, justify, harden };

/// The names by which database and reports know them.
inline constexpr Names<Stage, 3> stages{{
    {Stage::build, "build"},
    {Stage::justify, "justify"},
    {Stage::harden, "harden"},
}};

constexpr std::string_view name(Stage stage) {
    return name_of(stages, stage);
}

} // namespace model
