#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// A statement by its sections.
namespace app {

struct Section {
    std::string title; ///< empty for the statement's own title and what follows it
    std::string text;  ///< Markdown
};

/// At the lines that begin with "## ", but for those in code. The first section is the title.
std::vector<Section> split_statement(std::string_view statement);

/// How many sections at the beginning are the title, the task and its example.
std::size_t count_of_task(const std::vector<Section>& sections);

/// The section whose title begins with these words, in any case; null where there is none.
const Section* find_section(const std::vector<Section>& sections, std::string_view words);

} // namespace app
