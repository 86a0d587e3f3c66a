#include "golden/fixtures.h"
#include "report/console.h"
#include "report/formats.h"
#include "report/traffic.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

/// Every format of every fixture against tests/golden/expected/<view>/<fixture>.<ext>. With ENGINE_APPROVE=1
/// the files are written instead, and those that belong to nothing are removed: read the difference, then
/// commit both together.
namespace {

namespace fs = std::filesystem;

const fs::path expected = fs::path(ENGINE_SOURCE_DIR) / "tests/golden/expected";

std::string console(const model::Judgement& judgement, bool colour, int width) {
    report::ConsoleStyle style;
    style.colour = colour;
    style.width = width;
    return report::render_console(judgement, style);
}

std::string extension(std::string_view format) {
    static const std::map<std::string_view, std::string> special{
        {"html", ".html"}, {"json", ".json"}, {"junit", ".xml"}, {"github-summary", ".md"}};
    const auto found = special.find(format);
    return found == special.end() ? ".txt" : found->second;
}

/// File below expected/ and the text that belongs into it.
std::map<std::string, std::string> renderings() {
    std::map<std::string, std::string> files;
    for (const fixtures::Fixture& fixture : fixtures::all()) {
        for (const report::Format& format : report::formats())
            files[std::string(format.name) + "/" + fixture.name + extension(format.name)] =
                format.render(fixture.judgement);
        files["console-colour/" + fixture.name + ".txt"] = console(fixture.judgement, true, 80);
        files["console-terminal/" + fixture.name + ".txt"] = report::render_console(
            fixture.judgement,
            {.verdict_last = true,
             .course =
                 report::Course{.accepted = 5, .problems = 15, .next = "A mask you can replay (dropout)"}});
        files["console-plain/" + fixture.name + ".txt"] =
            report::render_console(fixture.judgement, {.plain = true, .verdict_last = true});
        files["console-narrow/" + fixture.name + ".txt"] = console(fixture.judgement, false, 40);
    }
    const model::Judgement& wrong = fixtures::named("wrong-answer");
    files["console-verbose/wrong-answer.txt"] =
        report::render_console(wrong, {.verbose = true, .timings = true, .unicode = false});
    files["traffic/kernel-findings.txt"] = report::render_traffic(fixtures::named("kernel-findings"), {});
    files["traffic/accepted.txt"] = report::render_traffic(fixtures::named("accepted"), {});
    return files;
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::set<std::string> files_present() {
    std::set<std::string> files;
    if (!fs::exists(expected)) return files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(expected))
        if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), expected).string());
    return files;
}

void approve(const std::map<std::string, std::string>& files) {
    for (const std::string& name : files_present())
        if (!files.contains(name)) fs::remove(expected / name);
    for (const auto& [name, text] : files) {
        fs::create_directories((expected / name).parent_path());
        std::ofstream(expected / name, std::ios::binary) << text;
    }
}

bool approving() {
    const char* value = std::getenv("ENGINE_APPROVE");
    return value != nullptr && std::string_view(value) == "1";
}

} // namespace

TEST_CASE("every report of every fixture is as approved, and no golden file is missing or left over") {
    const std::map<std::string, std::string> files = renderings();
    if (approving()) approve(files);

    const std::set<std::string> present = files_present();
    for (const auto& [name, text] : files) {
        CAPTURE(name);
        INFO("if the change is meant: ENGINE_APPROVE=1 ctest --preset dev -L golden");
        REQUIRE_MESSAGE(present.contains(name), "golden file missing");
        CHECK(content(expected / name) == text);
    }
    for (const std::string& name : present)
        CHECK_MESSAGE(files.contains(name), "no fixture renders ", name);
}
