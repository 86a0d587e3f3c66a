#include "golden/facts.h"
#include "golden/fixtures.h"
#include "report/console.h"
#include "report/formats.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

using golden::Fact;
using golden::Json;
using golden::Words;

using Leaf = std::pair<std::string, Json>;

void collect(const Json& json, const std::string& path, std::vector<Leaf>& leaves) {
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            collect(value, path.empty() ? key : path + "." + key, leaves);
    else if (json.is_array())
        for (const Json& value : json)
            collect(value, path + "[]", leaves);
    else if (!json.is_null())
        leaves.emplace_back(path, json);
}

/// Without what the formats add: white space, escapes, marks of quoting and of tables.
std::string bare(std::string text) {
    const auto replace = [&text](std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    };
    for (char code = 0x21; code < 0x7f; ++code) // as Markdown escapes, and then the rest
        replace(fmt::format("&#{};", static_cast<int>(code)), std::string(1, code));
    for (const auto& [from, to] : std::map<std::string_view, std::string_view>{{"&lt;", "<"},
                                                                               {"&gt;", ">"},
                                                                               {"&quot;", "\""},
                                                                               {"&amp;", "&"},
                                                                               {"%0A", ""},
                                                                               {"%25", "%"},
                                                                               {"%3A", ":"},
                                                                               {"%2C", ","},
                                                                               {"│", ""}})
        replace(from, to);
    std::string kept;
    for (const char letter : text)
        if (std::string_view(" \t\n\r|\\").find(letter) == std::string_view::npos) kept += letter;
    return kept;
}

std::string rendered(const model::Judgement& judgement, std::string_view format) {
    if (format == "console")
        return report::render_console(judgement, {.width = 100, .verbose = true, .timings = true});
    return std::ranges::find(report::formats(), format, &report::Format::name)->render(judgement);
}

/// Their texts are cleaned and cut, each format in its way; the golden files show how.
bool is_compared(const std::string& fixture) {
    return fixture != "hostile" && fixture != "output-limit";
}

} // namespace

TEST_CASE("what one format of a report knows, all know") {
    std::map<std::string, const Fact*> known;
    for (const Fact& fact : golden::facts())
        known[fact.path] = &fact;
    std::set<std::string> seen;
    std::set<std::pair<std::string, std::string>> needed; // fact and format, of exceptions
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        std::vector<Leaf> leaves;
        collect(Json::parse(rendered(fixture.judgement, "json")), "", leaves);
        for (const auto& [path, value] : leaves) {
            REQUIRE_MESSAGE(known.contains(path), path, ": a field without a row in the list of facts");
            seen.insert(path);
        }
        if (!is_compared(fixture.name)) continue;
        for (const std::string format : {"console", "html", "junit", "github", "github-summary"}) {
            const std::string text = bare(rendered(fixture.judgement, format));
            for (const auto& [path, value] : leaves) {
                const Words words = known[path]->words(value);
                const bool there = words.empty() || std::ranges::any_of(words, [&](const std::string& each) {
                                       return text.find(bare(each)) != std::string::npos;
                                   });
                if (there) continue;
                needed.emplace(path, format);
                CHECK_MESSAGE(known[path]->exceptions.contains(format), fixture.name, ": ", format, " lacks ",
                              path, ": ", words.front());
            }
        }
    }
    for (const Fact& fact : golden::facts()) {
        CHECK_MESSAGE(seen.contains(fact.path), fact.path, ": no fixture has it");
        for (const auto& [format, why] : fact.exceptions)
            CHECK_MESSAGE(needed.contains({fact.path, format}), fact.path, ": ", format,
                          " has it; no exception is needed");
    }
}
