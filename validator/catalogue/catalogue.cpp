#include "catalogue/catalogue.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "catalogue/document.h"
#include "catalogue/hints.h"
#include "catalogue/kills.h"
#include "catalogue/manifest.h"
#include "catalogue/mistakes.h"
#include "catalogue/order.h"
#include "catalogue/questions.h"
#include "catalogue/witnesses.h"
#include "model/errors.h"
#include "text/nearest.h"

namespace catalogue {
namespace {

using std::filesystem::path;

/// A prerequisite is listed by a curriculum, and before the problem where that is listed too.
void check_prerequisites(const Document& manifest, const model::Problem& problem, const Order& order,
                         const std::vector<std::string>& earlier) {
    const auto own = std::find(order.ids.begin(), order.ids.end(), problem.id);
    for (std::size_t i = 0; i < problem.prerequisites.size(); ++i) {
        const std::string& id = problem.prerequisites[i];
        if (std::ranges::find(earlier, id) != earlier.end()) continue;
        const Pointer where = Pointer("/prerequisites") / i;
        const auto found = std::find(order.ids.begin(), order.ids.end(), id);
        if (found == order.ids.end()) {
            const auto meant = text::nearest(id, order.ids);
            manifest.fail(where, "must be a problem of curriculum.json (got " + cited(id) + ")" +
                                     (meant ? ", did you mean " + cited(*meant) + "?" : ""));
        }
        if (found >= own && own != order.ids.end())
            manifest.fail(where, "must come earlier in curriculum.json (got " + cited(id) + ")");
    }
}

/// What problem.json says, and where the package's files are; of those, only the manifest is looked at.
model::Problem read_light(const Content& content, const Schema& schema, const Order& order,
                          const std::vector<std::string>& earlier, const std::string& id) {
    const Document manifest = read_document(content, content.problems / id / "problem.json");
    schema.check(manifest);
    model::Problem problem = read_manifest(manifest, id);
    check_prerequisites(manifest, problem, order, earlier);
    problem.collection = order.title;
    problem.folder = content.problems / id;
    problem.exercise = content.exercises / id;
    for (const std::string& file : problem.files) {
        problem.starters.push_back(content.starters / id / file);
        problem.reference.push_back(content.reference / id / file);
        problem.host_reference.push_back((content.reference / id / file).replace_extension(".cpp"));
    }
    return problem;
}

std::string joined(const std::vector<std::string>& words, const std::string& by) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : by) + word;
    return text;
}

/// The files of these kinds in a folder of the package, by name; none where there is no such folder. Hidden
/// files do not count.
std::vector<path> sources_in(const path& folder, const std::vector<std::string>& extensions,
                             const path& root) {
    std::vector<path> files;
    std::error_code error;
    const std::filesystem::directory_iterator entries(folder, error);
    if (error == std::errc::no_such_file_or_directory) return files;
    if (error) throw model::ContentError(shown(folder, root), "", "it cannot be listed: " + error.message());
    for (const auto& entry : entries) {
        const path& file = entry.path();
        if (file.filename().string().starts_with('.')) continue;
        if (std::ranges::find(extensions, file.extension().string()) == extensions.end() ||
            !is_slug(file.stem().string()))
            throw model::ContentError(shown(file, root), "",
                                      "its name must be lower-case words joined by '-', and " +
                                          joined(extensions, " or "));
        files.push_back(file);
    }
    std::sort(files.begin(), files.end());
    return files;
}

bool is_there(const path& file) {
    std::error_code ignored; // reading says what is wrong with it
    return std::filesystem::symlink_status(file, ignored).type() != std::filesystem::file_type::not_found;
}

/// The test cases: one file, or a folder of them with what they share.
void check_suite(const path& folder, const path& root) {
    const path one = folder / "suite.cpp", several = folder / "suite";
    if (!is_there(several)) return require_file(one, root);
    if (is_there(one))
        throw model::ContentError(shown(several, root), "", "stands beside suite.cpp: keep one of the two");
    const std::vector<path> files = sources_in(several, {".cpp", ".h"}, root);
    if (std::ranges::none_of(files, [](const path& file) { return file.extension() == ".cpp"; }))
        throw model::ContentError(shown(several, root), "", "holds no .cpp file");
    for (const path& file : files)
        require_file(file, root);
}

void check_files(const model::Problem& problem, const path& root) {
    check_suite(problem.folder, root);
    require_file(problem.exercise / "contract.h", root);
    for (const path& file : problem.starters)
        require_file(file, root);
    for (const auto* files : {&problem.reference, &problem.host_reference})
        for (const path& file : *files)
            require_file(file, root);
}

std::string read_statement(const path& file, const path& root) {
    Source source = read_source(file, root);
    if (!source.text.starts_with("# "))
        throw model::ContentError(source.name, "line 1:", "must be \"# Title\"");
    return std::move(source.text);
}

} // namespace

model::Curriculum load(const Content& content, const std::vector<std::string>& earlier) {
    const Order order = read_order(content);
    const Schema schema = read_schema(content, "problem");
    model::Curriculum curriculum{order.title, {}};
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < order.ids.size(); ++i) {
        const std::string& id = order.ids[i];
        const Pointer where = Pointer("/problems") / i;
        if (!is_slug(id))
            order.document.fail(where, "must be lower-case words joined by '-' (got " + cited(id) + ")");
        curriculum.problems.push_back(read_light(content, schema, order, earlier, id));
        const std::string& part = curriculum.problems.back().part;
        if (!parts.empty() && parts.back() == part) continue;
        if (std::find(parts.begin(), parts.end(), part) != parts.end())
            order.document.fail(where, "is of the part " + cited(part) + ", which ended before it");
        parts.push_back(part);
    }
    return curriculum;
}

model::Problem load_problem(const Content& content, const std::string& id,
                            const std::vector<std::string>& earlier, const Loading& loading) {
    const path root = shown_root(content);
    const path folder = content.problems / id;
    std::error_code ignored;
    if (!is_slug(id) || !std::filesystem::is_directory(folder, ignored))
        throw model::ContentError(shown(folder, root), "", "there is no such problem");
    model::Problem problem =
        read_light(content, read_schema(content, "problem"), read_order(content), earlier, id);
    check_files(problem, root);
    const std::string source = problem.language == model::Language::cpp ? ".cpp" : ".cu";
    problem.accepted = sources_in(folder / "accepted", {source}, root);
    problem.mistakes = read_mistakes(sources_in(folder / "mistakes", {".diff", source}, root), problem,
                                     loading.whole ? nullptr : loading.faults);
    if (!loading.whole) return problem;
    if (loading.witnesses)
        problem.witnesses = read_witnesses(sources_in(folder / "witnesses", {".diff", source}, root), problem,
                                           loading.faults);

    problem.statement = read_statement(folder / "statement.md", root);
    problem.hints = read_hints(read_source(folder / "hints.md", root));
    if (const path kills = folder / "kills.json"; is_there(kills))
        succeeds(loading.faults, [&] {
            const Document document = read_document(content, kills);
            read_schema(content, "kills").check(document);
            read_kills(document, problem, loading.faults);
            if (loading.witnesses) read_witness_kills(document, problem, loading.faults);
        });
    const Document questions = read_document(content, folder / "questions.json");
    read_schema(content, "questions").check(questions);
    std::vector<std::string> mistakes;
    for (const model::Mistake& mistake : problem.mistakes)
        mistakes.push_back(mistake.name);
    problem.questions = read_questions(questions, mistakes, loading.faults);
    return problem;
}

} // namespace catalogue
