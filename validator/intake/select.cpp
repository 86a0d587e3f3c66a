#include "intake/select.h"

#include <algorithm>
#include <filesystem>

namespace intake {
namespace {

namespace fs = std::filesystem;

using Candidates = std::vector<const Entry*>;

/// Whether the path ends with `<id>/<name>`.
bool is_in_folder_of(const Entry& entry, const std::string& id, const std::string& name) {
    const std::string wanted = id + "/" + name;
    return entry.path == wanted || entry.path.ends_with("/" + wanted);
}

bool has_name(const Entry& entry, const std::string& name) {
    return entry.path == name || entry.path.ends_with("/" + name);
}

template <class Wanted>
Candidates candidates_of(const std::vector<Entry>& entries, Wanted wanted) {
    Candidates found;
    for (const Entry& entry : entries)
        if (wanted(entry)) found.push_back(&entry);
    return found;
}

Candidates find_all(const std::string& name, const std::string& id, bool alone,
                    const std::vector<Entry>& entries) {
    Candidates found =
        candidates_of(entries, [&](const Entry& entry) { return is_in_folder_of(entry, id, name); });
    if (found.empty() && alone)
        found = candidates_of(entries, [&](const Entry& entry) { return has_name(entry, name); });
    return found;
}

bool is_sole_owner(const std::string& name, const model::Problem& problem,
                   std::span<const model::Problem> assigned) {
    return std::ranges::none_of(assigned, [&](const model::Problem& other) {
        return other.id != problem.id && std::ranges::find(other.files, name) != other.files.end();
    });
}

/// A file without its proper name, if nothing else can be meant.
Candidates only_source(const std::string& name, const std::vector<Entry>& entries) {
    return candidates_of(entries, [&](const Entry& entry) {
        return fs::path(entry.path).extension() == fs::path(name).extension();
    });
}

} // namespace

Selected select_files(const model::Problem& problem, std::span<const model::Problem> assigned,
                      const std::vector<Entry>& entries) {
    std::vector<model::SourceFile> files;
    std::string missing;
    for (const std::string& name : problem.files) {
        Candidates found = find_all(name, problem.id, is_sole_owner(name, problem, assigned), entries);
        if (found.empty() && assigned.size() == 1 && problem.files.size() == 1)
            found = only_source(name, entries);
        if (found.empty()) {
            missing = name;
            continue;
        }
        if (found.size() > 1)
            return Unclear{"both " + found[0]->path + " and " + found[1]->path + " may be meant"};
        if (found[0]->link) return Unclear{found[0]->path + " is a link, and links are not followed"};
        files.push_back({name, found[0]->text});
    }
    if (files.empty()) return Missing{};
    if (!missing.empty())
        return Unclear{missing + " is missing, and the other files of the problem are there"};
    return files;
}

const Entry* find_file(const std::string& name, const std::string& id, bool alone,
                       const std::vector<Entry>& entries) {
    const Candidates found = find_all(name, id, alone, entries);
    return found.size() == 1 && !found[0]->link ? found[0] : nullptr;
}

} // namespace intake
