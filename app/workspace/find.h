#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace workspace {

/// The ids of the exercises that a folder of content holds.
std::vector<std::string> exercise_ids(const std::filesystem::path& exercises);

enum class Shape {
    none,  ///< no workspace
    whole, ///< exercises/common is there
    half,  ///< only other parts of one are: the exercise of a problem, or the engine's own state
};

/// What a folder is, for an engine whose problems have these ids.
Shape shape_of(const std::filesystem::path& folder, const std::vector<std::string>& ids);

/// Whether a folder is the user's own, so that no other user decides what is in it: the owner of the folder
/// itself and of a symbolic link to it, and for root the user who became root by sudo as well.
bool belongs_to_user(const std::filesystem::path& folder);

/// What looking upward found.
struct Search {
    std::optional<std::filesystem::path> folder;      ///< nearest folder with a workspace or a part of one
    Shape shape = Shape::none;                        ///< of `folder`
    std::optional<std::filesystem::path> passed_over; ///< nearest one that belongs to somebody else
};

/// Looks in `start`, whatever user owns it, and in the folders above it that `own` accepts together with the
/// exercises/ and exercises/common in them: in a shared folder such as /tmp, anybody can make those.
Search find(const std::filesystem::path& start, const std::vector<std::string>& ids,
            const std::function<bool(const std::filesystem::path&)>& own);

} // namespace workspace
