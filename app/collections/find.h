#pragma once

#include "build/layout.h"
#include "catalogue/content.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace collections {

/// Whether a folder says that it is a collection.
bool is_collection(const std::filesystem::path& folder);

/// Where collections are named. A collection is trusted code, so nothing else counts, and in particular not
/// what lies in a submission.
struct Sources {
    std::string option;                  ///< --content, or empty
    std::string variable;                ///< ENGINE_CONTENT, or empty
    std::filesystem::path configuration; ///< the user's file, or empty
    std::filesystem::path here;          ///< the current folder
    bool author = false; ///< a command of authors: the collection that `here` is counts as well
};

struct Collections {
    std::vector<catalogue::Content> all; ///< the engine's own first
    /// The one that an author works on: what --content names, else the one that the current folder is. Its
    /// index; nothing where there is neither.
    std::optional<std::size_t> authors;

    /// Whether this folder is one of them.
    bool have(const std::filesystem::path& folder) const;
};

/// All collections that are used, each once. Throws model::UsageError for a folder that was named and is no
/// collection, model::ContentError for collections inside each other, and as `read_configuration` does.
Collections find(const build::Layout& layout, const Sources& sources);

/// The collection above `folder` or in it that `folder` would be nested in; nothing where there is none.
std::optional<std::filesystem::path> collection_above(const std::filesystem::path& folder);

/// Whether a path is `folder` or lies in it. Both are whole paths without links.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

} // namespace collections
