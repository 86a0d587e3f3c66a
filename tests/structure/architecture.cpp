#include "structure/architecture.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace structure {
namespace {

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The parts of a line between `separator`, without blanks around them.
std::vector<std::string> parts(const std::string& line, char separator) {
    std::vector<std::string> list;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, separator);)
        list.push_back(trimmed(part));
    return list;
}

/// "| `exercises/<id>/` | … | common |" is a rule for exercises; nothing where a row begins otherwise.
IncludeRule rule_of(const std::string& line) {
    const std::vector<std::string> cells = parts(line, '|'); // the first is empty
    if (cells.size() < 4 || !cells[1].starts_with('`')) return {};
    std::string name = cells[1].substr(1, cells[1].find('`', 1) - 1);
    IncludeRule rule;
    rule.alone = !name.ends_with('/');
    name.resize(name.rfind('/'));
    rule.folder = name.substr(0, name.find("/<"));
    for (const std::string& folder : parts(cells[3], ','))
        if (!folder.empty()) rule.may_include.push_back(folder);
    return rule;
}

} // namespace

std::vector<IncludeRule> read_include_rules(const std::filesystem::path& root) {
    std::ifstream file(root / "ARCHITECTURE.md");
    std::vector<IncludeRule> rules;
    bool in_table = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("| folder |")) in_table = true;
        if (in_table && !line.starts_with('|')) break;
        if (!in_table) continue;
        if (IncludeRule rule = rule_of(line); !rule.folder.empty()) rules.push_back(std::move(rule));
    }
    if (rules.empty())
        throw std::runtime_error("ARCHITECTURE.md has no table that begins with \"| folder |\"");
    return rules;
}

} // namespace structure
