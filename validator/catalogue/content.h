#pragma once

#include <filesystem>

namespace catalogue {

/// Where a collection lies. `schemas` holds our JSON Schemas; `starters` the pristine copies,
/// starters/<id>/<file>.
struct Content {
    std::filesystem::path problems, exercises, reference, starters, schemas;
    /// Messages name files relative to this folder, and by their whole path where they lie elsewhere. Empty:
    /// the folder above problems/.
    std::filesystem::path shown_from = {};
};

/// The folder that the collection is.
inline std::filesystem::path root_of(const Content& content) {
    return content.problems.lexically_normal().parent_path();
}

/// The folder that messages name files from.
inline std::filesystem::path shown_root(const Content& content) {
    return content.shown_from.empty() ? root_of(content) : content.shown_from;
}

} // namespace catalogue
