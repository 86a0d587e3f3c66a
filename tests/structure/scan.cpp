#include "structure/scan.h"

#include "structure/architecture.h"
#include "structure/rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace structure {
namespace {

namespace fs = std::filesystem;

struct Source {
    std::string name; ///< relative to the root
    std::string text;
};

std::string read(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_source(const fs::path& path) {
    return path.extension() == ".h" || path.extension() == ".cpp" || path.extension() == ".cu";
}

std::vector<Source> sources(const fs::path& root, const std::vector<std::string>& folders) {
    std::vector<Source> list;
    for (const std::string& folder : folders) {
        if (!fs::exists(root / folder)) continue;
        for (auto at = fs::recursive_directory_iterator(root / folder);
             at != fs::recursive_directory_iterator(); ++at) {
            if (at->path().filename() == "template")
                at.disable_recursion_pending(); // becomes a source elsewhere
            if (at->path().filename() == "witnesses")
                at.disable_recursion_pending(); // submissions, kept as they were handed in
            if (!at->is_regular_file() || !is_source(at->path())) continue;
            list.push_back({fs::relative(at->path(), root).string(), read(at->path())});
        }
    }
    return list;
}

const std::vector<std::string> engine_folders{"validator", "app", "exercises", "reference", "problems"};

/// What `#include` names, with its quotes or brackets.
std::vector<std::string> includes(const std::string& text) {
    static const std::regex line("(?:^|\n)[ \t]*#[ \t]*include[ \t]*([<\"][^>\"\n]*[>\"])");
    std::vector<std::string> list;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), line); match != std::sregex_iterator();
         ++match)
        list.push_back((*match)[1]);
    return list;
}

bool lies_below(const std::string& file, const std::string& folder) {
    return file.starts_with(folder + "/");
}

/// The longest matching folder decides.
const IncludeRule* rule_for(const std::vector<IncludeRule>& rules, const std::string& file) {
    const IncludeRule* best = nullptr;
    for (const IncludeRule& rule : rules) {
        const bool applies =
            rule.alone ? fs::path(file).parent_path() == rule.folder : lies_below(file, rule.folder);
        if (applies && (best == nullptr || rule.folder.size() > best->folder.size())) best = &rule;
    }
    return best;
}

bool names(const IncludeRule& rule, const std::string& included) {
    return std::ranges::find(rule.may_include, included) != rule.may_include.end();
}

/// Whether the exercise of a problem's file, or of its reference's, has this header beside its contract.
bool beside_the_contract(const Source& source, const std::string& name, const fs::path& root) {
    const fs::path file = source.name;
    const std::string part = file.begin()->string();
    return (part == "problems" || part == "reference") &&
           fs::exists(root / "exercises" / *std::next(file.begin()) / name);
}

bool excepted(const std::vector<Exception>& list, const std::string& file) {
    return std::ranges::find(list, file, &Exception::file) != list.end();
}

/// Whether a file may say `#include "name"`.
bool may_include(const Source& source, const IncludeRule& rule, const std::string& name,
                 const fs::path& root) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) { // a neighbour, the judge for app, or the problem's contract
        if (name == "contract.h") return !rule.folder.starts_with("app") && rule.folder != "validator";
        if (names(rule, name) || beside_the_contract(source, name, root)) return true;
        return fs::exists(root / fs::path(source.name).parent_path() / name) ||
               lies_below(source.name, "validator/emulator");
    }
    const std::string folder = name.substr(0, slash);
    const bool own =
        ("/" + rule.folder + "/").find("/" + folder + "/") != std::string::npos && folder != "validator";
    const bool below = !rule.alone && (fs::is_directory(root / rule.folder / folder) ||
                                       fs::is_directory(root / rule.folder / "include" / folder));
    return own || below || names(rule, folder);
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

bool is_of_suite(const std::string& file) {
    return lies_below(file, "problems") &&
           (file.ends_with("/suite.cpp") || fs::path(file).parent_path().filename() == "suite");
}

bool makes_processes(const std::string& text) {
    static const std::regex call(
        R"((^|[^\w.>"])(v?fork|_Fork|clone3?|posix_spawnp?|popen|system|daemon)\s*\()"
        R"(|SYS_(v?fork|clone3?)\b)");
    static const std::regex comment(R"(//[^\n]*)");
    return std::regex_search(std::regex_replace(text, comment, ""), call);
}

} // namespace

std::vector<std::string> forbidden_includes(const fs::path& root) {
    const std::vector<IncludeRule> rules = read_include_rules(root);
    std::vector<std::string> found;
    for (const Source& source : sources(root, engine_folders)) {
        const IncludeRule* rule = rule_for(rules, source.name);
        if (rule == nullptr) {
            found.push_back(source.name + " lies in a folder without a rule");
            continue;
        }
        for (const std::string& name : includes(source.text))
            if (name.front() == '"' && !may_include(source, *rule, name.substr(1, name.size() - 2), root))
                found.push_back(source.name + " must not include " + name);
    }
    return found;
}

std::vector<std::string> forbidden_libraries(const fs::path& root) {
    std::vector<std::string> found;
    for (const Source& source : sources(root, engine_folders))
        for (const std::string& name : includes(source.text))
            for (const LibraryRule& rule : library_rules)
                if (name.substr(1).starts_with(rule.library) &&
                    std::ranges::none_of(rule.folders, [&](const std::string& folder) {
                        return lies_below(source.name, folder);
                    }))
                    found.push_back(source.name + " must not include " + name);
    return found;
}

std::vector<std::string> forbidden_processes(const fs::path& root) {
    std::vector<std::string> found;
    for (const Source& source : sources(root, engine_folders))
        if (!lies_below(source.name, "validator/system") && !excepted(fork_exceptions, source.name) &&
            makes_processes(source.text))
            found.push_back(source.name + " makes a process");
    return found;
}

std::vector<std::string> overlong_files(const fs::path& root) {
    std::vector<std::string> folders = engine_folders;
    folders.emplace_back("tests");
    std::vector<std::string> found;
    for (const Source& source : sources(root, folders)) {
        const std::size_t most = is_of_suite(source.name) ? max_suite_lines : max_lines;
        if (lines(source.text) > most && !excepted(long_files, source.name))
            found.push_back(source.name + " has " + std::to_string(lines(source.text)) + " lines");
    }
    return found;
}

std::vector<std::string> stale_exceptions(const fs::path& root) {
    std::vector<std::string> found;
    for (const auto* list : {&fork_exceptions, &long_files})
        for (const Exception& one : *list)
            if (!fs::exists(root / one.file)) found.push_back(one.file + " is excepted, but not there");
    for (const Exception& one : long_files)
        if (fs::exists(root / one.file) && lines(read(root / one.file)) <= max_lines)
            found.push_back(one.file + " is excepted, but no longer long");
    return found;
}

std::vector<std::string> unlisted_header_folders(const fs::path& root) {
    const std::string list = read(root / "validator/kit/header_folders.inc");
    std::vector<std::string> waiting;
    for (const Source& source : sources(root, {"problems"}))
        std::ranges::copy(includes(source.text), std::back_inserter(waiting));
    std::set<std::string> seen;
    std::set<std::string> unlisted;
    while (!waiting.empty()) {
        const std::string name = waiting.back().substr(1, waiting.back().size() - 2);
        waiting.pop_back();
        const fs::path header = root / "validator" / name;
        if (!fs::is_regular_file(header) || !seen.insert(name).second) continue;
        const std::string folder = name.substr(0, name.find('/'));
        if (list.find("\n\"" + folder + "\",") == std::string::npos) unlisted.insert(folder);
        std::ranges::copy(includes(read(header)), std::back_inserter(waiting));
    }
    return {unlisted.begin(), unlisted.end()};
}

std::vector<fs::path> unproved_headers(const fs::path& root) {
    std::set<std::string> proved;
    std::vector<fs::path> headers;
    const std::vector<Source> all = sources(root, {"validator", "app", "exercises/common"});
    for (const Source& source : all) {
        const std::vector<std::string> named = includes(source.text);
        if (source.name.ends_with(".cpp") && !named.empty()) proved.insert(named.front());
    }
    for (const Source& source : all) {
        const fs::path path(source.name);
        // The emulator's stand-ins are included by a rewritten .cu file alone, and the call table's entries
        // and precompiled headers have a place of their own in a build.
        if (path.extension() != ".h" || lies_below(source.name, "validator/emulator") ||
            lies_below(source.name, "validator/build/preludes") || path.filename() == "entries.h")
            continue;
        std::string rooted = source.name;
        for (const char* base : {"validator/", "exercises/", "app/"})
            if (rooted.starts_with(base) && !(base == std::string("app/") && path.parent_path() == "app"))
                rooted.erase(0, std::string(base).size());
        if (!proved.contains("\"" + rooted + "\"") && !proved.contains("\"" + source.name + "\""))
            headers.push_back(path);
    }
    return headers;
}

} // namespace structure
