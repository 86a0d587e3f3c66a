#include "app/statement.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace app {
namespace {

constexpr std::array<std::string_view, 3> of_the_task{"", "Your task", "Worked example"};

bool same_letter(char one, char other) {
    return std::tolower(static_cast<unsigned char>(one)) == std::tolower(static_cast<unsigned char>(other));
}

} // namespace

std::vector<Section> split_statement(std::string_view statement) {
    std::vector<Section> sections(1);
    bool in_code = false;
    while (!statement.empty()) {
        const std::size_t end = std::min(statement.find('\n'), statement.size() - 1) + 1;
        const std::string_view line = statement.substr(0, end);
        statement.remove_prefix(end);
        if (line.starts_with("```")) in_code = !in_code;
        if (!in_code && line.starts_with("## "))
            sections.push_back({std::string(line.substr(3, line.find_last_not_of(" \n") - 2)), ""});
        else
            sections.back().text += line;
    }
    return sections;
}

std::size_t count_of_task(const std::vector<Section>& sections) {
    const auto other = [](const Section& section) {
        return std::ranges::find(of_the_task, section.title) == of_the_task.end();
    };
    return static_cast<std::size_t>(std::ranges::find_if(sections, other) - sections.begin());
}

const Section* find_section(const std::vector<Section>& sections, std::string_view words) {
    const auto begins = [&](const Section& section) {
        return section.title.size() >= words.size() && !words.empty() &&
               std::equal(words.begin(), words.end(), section.title.begin(), same_letter);
    };
    const auto found = std::ranges::find_if(sections, begins);
    return found == sections.end() ? nullptr : &*found;
}

} // namespace app
