#include "catalogue/manifest.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>

namespace catalogue {
namespace {

using Strings = std::vector<std::string>;

model::Limits limits(const Json& json) {
    model::Limits limits;
    limits.wall = std::chrono::milliseconds(json.at("wall_ms").get<std::int64_t>());
    limits.cpu = std::chrono::seconds(json.at("cpu_s").get<std::int64_t>());
    json.at("memory_mib").get_to(limits.memory_mib);
    json.at("output_kib").get_to(limits.output_kib);
    json.at("threads").get_to(limits.threads);
    return limits;
}

model::Detail detail(const std::string& word) {
    if (word == "full") return model::Detail::full;
    return word == "mismatch" ? model::Detail::mismatch : model::Detail::verdict;
}

model::TrafficLimits traffic(const Json& json) {
    model::TrafficLimits limits;
    if (json.contains("moved_at_most")) limits.moved_at_most = json.at("moved_at_most").get<double>();
    if (json.contains("coalescing_at_least"))
        limits.coalescing_at_least = json.at("coalescing_at_least").get<double>();
    if (json.contains("bank_conflicts_at_most"))
        limits.bank_conflicts_at_most = json.at("bank_conflicts_at_most").get<std::uint64_t>();
    return limits;
}

model::TestSpec test(const Json& json) {
    model::TestSpec test;
    json.at("name").get_to(test.name);
    json.at("points").get_to(test.points);
    test.visibility =
        json.at("visibility") == "visible" ? model::Visibility::visible : model::Visibility::hidden;
    json.at("concept").get_to(test.concept_name);
    json.at("hint").get_to(test.hint);
    test.detail = detail(json.at("detail").get<std::string>());
    if (json.contains("traffic")) test.traffic = traffic(json.at("traffic"));
    return test;
}

void check_tests(const Document& document, const std::vector<model::TestSpec>& tests) {
    const Pointer all("/tests");
    std::set<std::string> names;
    double points = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
        const std::string& name = tests[i].name;
        const bool has_blank_end = name.front() == ' ' || name.back() == ' ';
        if (has_blank_end || name.find_first_of(";\n\r\t") != std::string::npos)
            document.fail(all / i / "name",
                          "must be one line without ';' and without spaces at its ends (got " + cited(name) +
                              ")"); // `fails` separates names with ';'
        if (!names.insert(name).second)
            document.fail(all / i / "name", "names a second test like that (got " + cited(name) + ")");
        if (tests[i].visibility == model::Visibility::hidden && tests[i].detail == model::Detail::full)
            document.fail(all / i / "detail",
                          "must be \"mismatch\" or \"verdict\" for a hidden test (got \"full\")");
        points += tests[i].points;
    }
    if (points <= 0) document.fail(all, "must be worth more than 0 points together");
}

void check_traffic(const Document& document, const model::Problem& problem) {
    for (std::size_t i = 0; i < problem.tests.size(); ++i) {
        const auto& traffic = problem.tests[i].traffic;
        const Pointer where = Pointer("/tests") / i / "traffic";
        if (!traffic) continue;
        if (!traffic->moved_at_most && !traffic->coalescing_at_least && !traffic->bank_conflicts_at_most)
            document.fail(where, "must set a limit");
        if (problem.language != model::Language::cuda)
            document.fail(where, "must not be there unless `language` is \"cuda\"");
    }
}

void check_files(const Document& document, const model::Problem& problem) {
    const std::string extension = problem.language == model::Language::cpp ? ".cpp" : ".cu";
    for (std::size_t i = 0; i < problem.files.size(); ++i) {
        const std::filesystem::path file = problem.files[i];
        const bool plain = file == file.filename() && !problem.files[i].starts_with('.');
        if (!plain || file.extension() != extension)
            document.fail(Pointer("/files") / i, "must be a file name that ends in " + extension +
                                                     ", without a folder (got " + cited(problem.files[i]) +
                                                     ")");
    }
}

} // namespace

model::Problem read_manifest(const Document& document, const std::string& id) {
    const Json& json = document.content;
    model::Problem problem;
    json.at("id").get_to(problem.id);
    if (problem.id != id)
        document.fail(Pointer("/id"),
                      "must be the folder's name \"" + id + "\" (got " + cited(problem.id) + ")");
    json.at("title").get_to(problem.title);
    problem.about = json.value("about", problem.title);
    json.at("part").get_to(problem.part);
    json.at("difficulty").get_to(problem.difficulty);
    json.at("minutes").get_to(problem.minutes);
    problem.objectives = json.at("objectives").get<Strings>();
    problem.concepts = json.at("concepts").get<Strings>();
    problem.prerequisites = json.at("prerequisites").get<Strings>();
    problem.language = json.at("language") == "cpp" ? model::Language::cpp : model::Language::cuda;
    problem.files = json.at("files").get<Strings>();
    problem.limits = limits(json.at("limits"));
    for (const Json& entry : json.at("tests"))
        problem.tests.push_back(test(entry));
    for (const Json& entry : json.at("resources"))
        problem.resources.push_back({entry.at("title"), entry.at("url"), entry.at("why")});

    check_files(document, problem);
    check_traffic(document, problem);
    check_tests(document, problem.tests);
    for (std::size_t i = 0; i < problem.resources.size(); ++i) {
        const std::string& url = problem.resources[i].url;
        if (!url.starts_with("https://") && !url.starts_with("http://"))
            document.fail(Pointer("/resources") / i / "url",
                          "must begin with https:// (got " + cited(url) + ")");
    }
    return problem;
}

} // namespace catalogue
