#include "app/statement.h"

#include <doctest/doctest.h>

using namespace app;

namespace {

std::vector<std::string> titles(const std::vector<Section>& sections) {
    std::vector<std::string> names;
    for (const Section& section : sections)
        names.push_back(section.title);
    return names;
}

using Titles = std::vector<std::string>;

} // namespace

TEST_CASE("sections begin at headings of the second level, but not in code, and nothing is lost") {
    const auto sections =
        split_statement("# T\n\nwords\n\n## One \na\n### deeper\n```\n## no\n```\n## Two\nb");
    CHECK(titles(sections) == Titles{"", "One", "Two"});
    CHECK(sections[0].text == "# T\n\nwords\n\n");
    CHECK(sections[1].text == "a\n### deeper\n```\n## no\n```\n");
    CHECK(sections[2].text == "b");
    CHECK(titles(split_statement("")) == Titles{""});
}

TEST_CASE("the task ends with the section after title, task and example") {
    CHECK(count_of_task(split_statement("# T\n## Your task\n## Worked example\n## Why\n## Tips\n")) == 3);
    CHECK(count_of_task(split_statement("# T\n## Why\n## Your task\n")) == 1);
    CHECK(count_of_task(split_statement("# T\n")) == 1);
}

TEST_CASE("a section is found by the beginning of its title, in any case") {
    const auto sections = split_statement("# T\n## Pitfalls\n## Testing tips\n");
    REQUIRE(find_section(sections, "test") != nullptr);
    CHECK(find_section(sections, "test")->title == "Testing tips");
    CHECK(find_section(sections, "PITFALLS")->title == "Pitfalls");
    CHECK(find_section(sections, "tips") == nullptr);
    CHECK(find_section(sections, "pitfalls and more") == nullptr);
    CHECK(find_section(sections, "") == nullptr);
}
