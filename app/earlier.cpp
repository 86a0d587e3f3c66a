#include "app/earlier.h"

#include "catalogue/document.h"
#include "model/errors.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {
namespace {

using catalogue::Json;

/// Above 2^53 a report has it as a string.
std::uint64_t seed_of(const catalogue::Document& document) {
    const Json& seed = document.content.at("seed");
    if (seed.is_number()) return seed.get<std::uint64_t>();
    try {
        return std::stoull(seed.get<std::string>());
    } catch (const std::out_of_range&) {
        document.fail(catalogue::Pointer("/seed"), "must have 64 bits (got " + catalogue::cited(seed) + ")");
    }
}

/// Reports of older engines do not say it. Practice runs have neither hidden tests nor, in C++, a checked
/// build.
bool was_graded(const Json& report) {
    if (const auto graded = report.find("graded"); graded != report.end()) return graded->get<bool>();
    const Json& tests = report.at("tests");
    const auto is_hidden = [](const Json& test) { return test.at("visibility") == "hidden"; };
    return std::any_of(tests.begin(), tests.end(), is_hidden) ||
           (report.at("device") == "cpu" && report.at("sanitizer").at("ran") == true);
}

Earlier earlier_of(const catalogue::Document& document) {
    const Json& report = document.content;
    Earlier earlier;
    report.at("problem").at("id").get_to(earlier.problem);
    earlier.seed = seed_of(document);
    earlier.graded = was_graded(report);
    earlier.thorough = report.value("depth", "") == "thorough";
    if (const auto stage = report.find("stage"); stage != report.end())
        earlier.stage = *model::value_of(model::stages, stage->get<std::string>()); // checked by the schema
    report.at("verdict").get_to(earlier.verdict);
    for (const Json& test : report.at("tests"))
        earlier.tests.emplace_back(test.at("name"), test.at("verdict"));
    report.at("engine").get_to(earlier.engine);
    report.at("collection").at("hash").get_to(earlier.collection);
    report.at("toolchain").at("compiler").get_to(earlier.compiler);
    report.at("toolchain").at("flags").get_to(earlier.flags);
    report.at("device").get_to(earlier.device);
    report.at("isolation").at("level").get_to(earlier.isolation);
    return earlier;
}

void compare(std::vector<std::string>& lines, const char* what, const std::string& then,
             const std::string& now) {
    if (then != now) lines.push_back(fmt::format("{} was {} and is {}", what, then, now));
}

} // namespace

Earlier read_earlier(const catalogue::Source& report, const catalogue::Schema& schema) {
    const catalogue::Document document = catalogue::parse(report);
    schema.check(document);
    return earlier_of(document);
}

Earlier read_earlier(const std::filesystem::path& file, const std::filesystem::path& schemas) {
    try {
        const catalogue::Source report = catalogue::read_source(file, {});
        return read_earlier(report, catalogue::Schema(catalogue::parse(
                                        catalogue::read_source(schemas / "report.schema.json", schemas))));
    } catch (const model::ContentError& error) {
        throw model::UsageError(fmt::format("{}; replay takes a report that was written with --format json",
                                            error.what())); // the file is the learner's, not a package's
    }
}

std::vector<std::string> changes(const Earlier& earlier, const model::Judgement& now) {
    std::vector<std::string> lines;
    compare(lines, "the engine", earlier.engine, now.engine_version);
    if (earlier.collection != now.collection.hash)
        lines.emplace_back("the collection has changed: tests and limits may differ");
    compare(lines, "the compiler", earlier.compiler, now.toolchain.compiler);
    compare(lines, "what is compiled with", earlier.flags, now.toolchain.flags);
    compare(lines, "the device", earlier.device, now.device);
    compare(lines, "the isolation", earlier.isolation, std::string(name(now.isolation.level)));
    return lines;
}

std::string comparison(const Earlier& earlier, const model::Judgement& now) {
    std::string others;
    for (const auto& [test, verdict] : earlier.tests) {
        const auto found = std::ranges::find(now.tests, test, &model::TestResult::name);
        const std::string_view is = found == now.tests.end() ? "not run" : name(found->verdict);
        if (is != verdict)
            others += fmt::format("{}'{}' was {} and is {}", others.empty() ? "" : "; ", test, verdict, is);
    }
    const std::string_view verdict = name(now.verdict);
    if (others.empty() && earlier.verdict != verdict)
        others = fmt::format("the verdict was {} and is {}", earlier.verdict, verdict);
    if (others.empty()) return "All ended as in the report.";
    return "Different from the report: " + others + ".";
}

} // namespace app
