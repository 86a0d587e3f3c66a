#include "collections/find.h"

#include "collections/configuration.h"
#include "model/errors.h"
#include "workspace/find.h"

#include <algorithm>

namespace collections {
namespace {

namespace fs = std::filesystem;

constexpr const char* parts[] = {"problems/curriculum.json", "problems", "exercises", "reference"};

/// The folder without links, so that one collection under two names is one.
fs::path real(const fs::path& path) {
    std::error_code error;
    fs::path found = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : found;
}

/// What was named by `source`, a whole path.
fs::path named(const fs::path& folder, const std::string& source) {
    std::error_code ignored;
    for (const char* part : parts)
        if (!fs::exists(folder / part, ignored))
            throw model::UsageError(
                "cannot use the collection " + folder.string() + ", which " + source +
                " names: there is no " + (folder / part).string() +
                "; a collection is a folder with problems/curriculum.json, exercises/ and "
                "reference/");
    return real(folder);
}

catalogue::Content content_of(const fs::path& root, const build::Layout& layout, const fs::path& here) {
    return {root / "problems",  root / "exercises", root / "reference",
            root / "exercises", layout.schemas,     here};
}

[[noreturn]] void refuse_nested(const fs::path& inner, const fs::path& outer) {
    throw model::ContentError("the collection " + inner.string() + " lies inside the collection " +
                              outer.string() + "; move one of them elsewhere");
}

} // namespace

bool is_collection(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / parts[0], ignored);
}

bool is_within(const fs::path& path, const fs::path& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

std::optional<fs::path> collection_above(const fs::path& folder) {
    for (fs::path above = folder; above.has_relative_path();) {
        above = above.parent_path();
        if (is_collection(above)) return above;
    }
    return std::nullopt;
}

bool Collections::have(const fs::path& folder) const {
    const fs::path wanted = real(folder);
    return std::ranges::any_of(
        all, [&](const catalogue::Content& content) { return real(catalogue::root_of(content)) == wanted; });
}

Collections find(const build::Layout& layout, const Sources& sources) {
    Collections found;
    found.all.push_back(
        {layout.problems, layout.exercises, layout.reference, layout.starters, layout.schemas});
    std::vector<fs::path> roots{real(layout.problems.parent_path())};
    const auto use = [&](const fs::path& root) {
        const auto known = std::ranges::find(roots, root);
        if (known != roots.end()) return static_cast<std::size_t>(known - roots.begin());
        for (const fs::path& other : roots) {
            if (is_within(root, other)) refuse_nested(root, other);
            if (is_within(other, root)) refuse_nested(other, root);
        }
        if (const auto above = collection_above(root)) refuse_nested(root, *above);
        roots.push_back(root);
        found.all.push_back(content_of(root, layout, sources.here));
        return roots.size() - 1;
    };
    for (const fs::path& folder : read_configuration(sources.configuration, layout.schemas).collections)
        use(named(folder, sources.configuration.string()));
    if (!sources.variable.empty()) use(named(sources.here / sources.variable, "ENGINE_CONTENT"));
    if (!sources.option.empty()) found.authors = use(named(sources.here / sources.option, "--content"));
    if (sources.author && is_collection(sources.here)) {
        const bool known = std::ranges::find(roots, real(sources.here)) != roots.end();
        if (!known && !workspace::belongs_to_user(sources.here))
            throw model::UsageError("cannot use the collection " + sources.here.string() +
                                    ": the folder is not yours, and its suites run as you; name it with "
                                    "--content to use it anyway");
        const std::size_t index = use(named(sources.here, "the current folder"));
        if (!found.authors) found.authors = index;
    }
    return found;
}

} // namespace collections
