#include "collections/hash.h"

#include "build/digest.h"
#include "build/file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace collections {
namespace {

namespace fs = std::filesystem;

void add_files_below(build::Digest& digest, const fs::path& folder, const std::string& name,
                     bool headers_only) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        const fs::path& path = it->path();
        if (path.filename().string().starts_with('.')) {
            it.disable_recursion_pending();
            continue;
        }
        if (it->is_regular_file(error) && (!headers_only || path.extension() == ".h")) files.push_back(path);
    }
    std::ranges::sort(files);
    for (const fs::path& file : files)
        if (const auto text = build::read_file(file))
            digest.add(name + "/" + file.lexically_relative(folder).string()).add(*text);
}

} // namespace

std::string version_of(const catalogue::Content& content, const std::string& id) {
    build::Digest digest;
    digest.add("engine.problem/1");
    add_files_below(digest, content.exercises / "common", "common", true);
    add_files_below(digest, content.exercises / id, "exercise", true);
    add_files_below(digest, content.problems / id, "problem", false);
    add_files_below(digest, content.reference / id, "reference", false);
    return digest.hex();
}

std::string hash_of(const catalogue::Content& content) {
    build::Digest digest;
    digest.add("engine.collection/1");
    add_files_below(digest, content.exercises, "exercises", true);
    add_files_below(digest, content.problems, "problems", false);
    add_files_below(digest, content.reference, "reference", false);
    return digest.hex();
}

} // namespace collections
