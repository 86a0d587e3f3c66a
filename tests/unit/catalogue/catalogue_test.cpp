#include "catalogue/catalogue.h"
#include "catalogue/kills.h"
#include "catalogue/mistakes.h"

#include <doctest/doctest.h>

#include "model/errors.h"
#include "package.h"

using namespace model;
namespace fs = std::filesystem;

namespace {

Problem two_rows(const TemporaryFolder& folder, const Package& package = {}) {
    return catalogue::load_problem(package.write(folder.path()), "two-rows");
}

} // namespace

TEST_CASE("the curriculum is read in order, from manifests alone") {
    const TemporaryFolder folder;
    const Curriculum curriculum = catalogue::load(Package().write(folder.path()));
    CHECK(curriculum.title == "Course");
    REQUIRE(curriculum.problems.size() == 2);
    CHECK(curriculum.problems[0].id == "first-steps"); // has no file but its manifest
    const Problem& second = curriculum.problems[1];
    CHECK(second.id == "two-rows");
    CHECK(second.folder == folder.path() / "problems/two-rows");
    CHECK(second.starters == std::vector<fs::path>{folder.path() / "starters/two-rows/rows.cpp"});
    CHECK(second.statement.empty());
    CHECK(second.questions.empty());
}

TEST_CASE("every field of a manifest arrives") {
    const TemporaryFolder folder;
    const Problem problem = two_rows(folder);
    CHECK(problem.title == "Two rows");
    CHECK(problem.part == "I");
    CHECK(problem.difficulty == 2);
    CHECK(problem.minutes == 25);
    CHECK(problem.objectives == std::vector<std::string>{"Copy rows."});
    CHECK(problem.concepts == std::vector<std::string>{"row"});
    CHECK(problem.prerequisites == std::vector<std::string>{"first-steps"});
    CHECK(problem.language == Language::cpp);
    CHECK(problem.files == std::vector<std::string>{"rows.cpp"});
    CHECK(problem.limits.wall == std::chrono::milliseconds(1500));
    CHECK(problem.limits.cpu == std::chrono::seconds(10));
    CHECK(problem.limits.memory_mib == 512);
    CHECK(problem.limits.output_kib == 64);
    CHECK(problem.limits.threads == 16);
    REQUIRE(problem.tests.size() == 2);
    CHECK(problem.tests[0].name == "two ids pick two rows");
    CHECK(problem.tests[0].points == 12);
    CHECK(problem.tests[0].visibility == Visibility::visible);
    CHECK(problem.tests[0].detail == Detail::full);
    CHECK(problem.tests[1].visibility == Visibility::hidden);
    CHECK(problem.tests[1].concept_name == "stride");
    CHECK(problem.tests[1].hint == "Print the shape.");
    CHECK(problem.tests[1].detail == Detail::mismatch);
    REQUIRE(problem.resources.size() == 1);
    CHECK(problem.resources[0].url == "https://example.org/rows");
    CHECK(problem.resources[0].why == "It shows rows.");
}

TEST_CASE("statement, files and hints of a package arrive") {
    const TemporaryFolder folder;
    const Problem problem = two_rows(folder);
    CHECK(problem.statement == "# Two rows\n\nText.\n");
    CHECK(problem.exercise == folder.path() / "exercises/two-rows");
    CHECK(problem.reference == std::vector<fs::path>{folder.path() / "reference/two-rows/rows.cpp"});
    CHECK(problem.accepted == std::vector<fs::path>{folder.path() / accepted_file});
    REQUIRE(problem.hints.size() == 4);
    CHECK(problem.hints[0].title == "Nudge");
    CHECK(problem.hints[0].text == "n");
    CHECK(problem.hints[2].text == "```\n## no heading\n```"); // a heading inside code is code
    CHECK(problem.hints[3].text == "1 2 3");                   // line ends of another system
}

TEST_CASE("a mistake arrives with its program, and its header's values go on in the next line") {
    const TemporaryFolder folder;
    const Problem problem = two_rows(folder);
    REQUIRE(problem.mistakes.size() == 1);
    const Mistake& mistake = problem.mistakes[0];
    CHECK(mistake.name == "reads-column");
    CHECK(mistake.file == folder.path() / mistake_file);
    CHECK(mistake.says == "You read column t instead of row t: turn it round.");
    CHECK(mistake.hint == "Print the offset.");
    CHECK(mistake.symptom == "Vectors share numbers.");
    CHECK(mistake.base == folder.path() / reference_file);
    CHECK(mistake.base_text == Package().files.at(reference_file));
    CHECK(mistake.program == "#include \"contract.h\"\n\nfloat at() { return column(t); }\nint end;\n");
    CHECK(mistake.always == std::vector<std::string>{"two ids pick two rows"});
    CHECK(mistake.sometimes == std::vector<std::string>{"random shapes agree"});
    CHECK(mistake.finds.empty());
}

TEST_CASE("a mistake made from an accepted variant has no part in what that says of itself") {
    const TemporaryFolder folder;
    Package package;
    package.files[accepted_file] = "// accepted: rows from last to first\nfloat at();\nint end;\n";
    package.files[mistake_file] = "Says: a\nHint: b\nSymptom: c\n--- " + accepted_file +
                                  "\n+++ mistakes/reads-column\n@@ -3 +3 @@\n-int end;\n+int start;\n";
    const Mistake mistake = two_rows(folder, package).mistakes.at(0);
    CHECK(mistake.base == folder.path() / accepted_file);
    CHECK(mistake.base_text == "float at();\nint end;\n");
    CHECK(mistake.program == "float at();\nint start;\n");
}

TEST_CASE("a change of the base above a mistake reaches the mistake") {
    const TemporaryFolder folder;
    Package package;
    package.files[reference_file] = "// new\n" + Package().files.at(reference_file);
    CHECK(two_rows(folder, package).mistakes.at(0).program ==
          "// new\n#include \"contract.h\"\n\nfloat at() { return column(t); }\nint end;\n");
}

TEST_CASE("a mistake may be a whole file, with its header in comments") {
    const TemporaryFolder folder;
    Package package;
    package.files["problems/two-rows/mistakes/does-nothing.cpp"] =
        "// Says: You do\n//  nothing.\n// Hint: Do.\n// Symptom: None.\n\nint nothing; // at all\n";
    const std::vector<Mistake> mistakes = two_rows(folder, package).mistakes;
    REQUIRE(mistakes.size() == 2);
    CHECK(mistakes[0].name == "does-nothing");
    CHECK(mistakes[0].says == "You do nothing.");
    CHECK(mistakes[0].base.empty());
    CHECK(mistakes[0].program == "\nint nothing; // at all\n");
    CHECK(mistakes[0].always.empty()); // kills.json does not have it yet
    CHECK(mistakes[1].name == "reads-column");
}

TEST_CASE("a program is stored as its difference where it shares half of its lines, else whole") {
    const TemporaryFolder folder;
    const Problem problem = two_rows(folder);
    const catalogue::MistakeHeader header{.says = "a", .hint = "b", .symptom = "c"};
    const std::string right = Package().files.at(reference_file);
    const auto half =
        catalogue::write_mistake(problem, "x", header, "#include \"contract.h\"\n\nint a;\nint end;\n");
    REQUIRE(half);
    CHECK(half->name == "x.diff");
    CHECK(half->base == reference_file);
    CHECK(half->text == "Says: a\nHint: b\nSymptom: c\n--- reference/two-rows/rows.cpp\n+++ mistakes/x\n"
                        "@@ -1,4 +1,4 @@\n #include \"contract.h\"\n\n-float at() { return row(t); }\n"
                        "+int a;\n int end;\n");
    const auto whole = catalogue::write_mistake(problem, "x", header, "int a;\nint b;\nint end;\n");
    REQUIRE(whole);
    CHECK(whole->name == "x.cpp");
    CHECK(whole->base.empty());
    CHECK(whole->text == "// Says: a\n// Hint: b\n// Symptom: c\nint a;\nint b;\nint end;\n");
    CHECK_FALSE(catalogue::write_mistake(problem, "x", header, right));
}

TEST_CASE("a package that was never measured has mistakes that no test is known to fail for") {
    const TemporaryFolder folder;
    const catalogue::Content content = Package().write(folder.path());
    fs::remove(folder.path() / kills_file);
    CHECK(catalogue::load_problem(content, "two-rows").mistakes.at(0).always.empty());
}

TEST_CASE("what was measured is written as it is read, a line a mistake") {
    const TemporaryFolder folder;
    Package package;
    package.kills["seeds"] = {{"first", 1}, {"count", 200}, {"checked", 3}};
    package.kills["mistakes"]["reads-column"] = {{"always", Package::Json::array()},
                                                 {"checked", {"two ids pick two rows"}},
                                                 {"finds", {"race_in_block"}}};
    const Problem problem = two_rows(folder, package);
    const Mistake& mistake = problem.mistakes.at(0);
    CHECK(mistake.always == std::vector<std::string>{"two ids pick two rows"});
    CHECK(mistake.checked == mistake.always);
    CHECK(problem.kill_seeds.contain(1));
    CHECK(problem.kill_seeds.contain(200));
    CHECK_FALSE(problem.kill_seeds.contain(201));
    CHECK_FALSE(problem.kill_seeds.contain(0));
    const std::string text = catalogue::write_kills(problem);
    CHECK(text == "{\n  \"format\": \"engine.kills/1\",\n"
                  "  \"seeds\": {\"first\": 1, \"count\": 200, \"checked\": 3},\n  \"mistakes\": {\n"
                  "    \"reads-column\": {\"always\": [], \"checked\": [\"two ids pick two rows\"], "
                  "\"finds\": [\"race_in_block\"]}\n  }\n}\n");
    CHECK(Package::Json::parse(text) == package.kills);
}

TEST_CASE("tests are written in the order of the manifest, and a package without mistakes is whole JSON") {
    Problem problem;
    problem.tests = {{.name = "b"}, {.name = "a"}};
    CHECK(Package::Json::parse(catalogue::write_kills(problem)).at("mistakes").empty());
    problem.mistakes = {{.name = "m", .always = {"a", "b"}}, {.name = "n", .sometimes = {"a", "b"}}};
    CHECK(catalogue::write_kills(problem).find("\"m\": {\"always\": [\"b\", \"a\"]},\n") !=
          std::string::npos);
    CHECK(catalogue::write_kills(problem).find("{\"always\": [], \"sometimes\": [\"b\", \"a\"]}\n") !=
          std::string::npos);
}

TEST_CASE("questions of every kind arrive") {
    const TemporaryFolder folder;
    const auto questions = two_rows(folder).questions;
    REQUIRE(questions.size() == 7);
    CHECK(questions[0].kind == QuestionKind::multiple_choice);
    REQUIRE(questions[0].options.size() == 3);
    CHECK(questions[0].options[0].id == "one");
    CHECK(questions[0].options[0].correct);
    CHECK(!questions[0].options[1].correct);
    CHECK(questions[0].options[2].mistake == "reads-column");
    CHECK(questions[1].kind == QuestionKind::numeric);
    CHECK(questions[1].formula == "row*d + col");
    CHECK(questions[1].variables ==
          std::map<std::string, std::vector<double>>{{"row", {4}}, {"col", {2}}, {"d", {3, 5}}});
    CHECK(questions[1].relative_tolerance == 0.005);
    CHECK(questions[1].unit == "elements");
    REQUIRE(questions[1].misconceptions.size() == 1);
    CHECK(questions[1].misconceptions[0].answer == "col*6 + row");
    CHECK(questions[2].kind == QuestionKind::predict_output);
    CHECK(questions[2].output == "7 8 9\n7 8 9");
    CHECK(questions[2].misconceptions.at(0).mistake.empty());
    CHECK(questions[3].kind == QuestionKind::short_text);
    CHECK(questions[3].key_points == std::vector<std::string>{"It may change.", "It may go."});
    CHECK(questions[3].model_answer == "It may change later.");
    CHECK(questions[3].explanation == "So.");
    CHECK(questions[4].kind == QuestionKind::several);
    CHECK(questions[4].options.at(1).correct);
    CHECK(questions[5].kind == QuestionKind::order);
    CHECK(questions[5].key == std::vector<std::string>{"check", "find", "copy"});
    CHECK(questions[5].options.at(2).text == "Copy");
    CHECK(questions[5].misconceptions.at(0).mistake == "reads-column");
    CHECK(questions[6].kind == QuestionKind::pairs);
    CHECK(questions[6].key == std::vector<std::string>{"v=rows", "c=columns", "t=tokens"});
    CHECK(questions[6].matches.at(1).text == "columns");
    CHECK(questions[6].options.at(1).concept_name == "column");
}

TEST_CASE("a problem that the curriculum does not list yet loads on its own") {
    const TemporaryFolder folder;
    Package package;
    package.curriculum["problems"] = {"first-steps"};
    CHECK(two_rows(folder, package).id == "two-rows");
}

TEST_CASE("a package reached through symbolic links is read") {
    const TemporaryFolder folder, links;
    catalogue::Content content = Package().write(folder.path());
    fs::create_symlink(content.problems, links.path() / "problems");
    fs::rename(folder.path() / statement_file, folder.path() / "elsewhere.md");
    fs::create_symlink(folder.path() / "elsewhere.md", folder.path() / statement_file);
    content.problems = links.path() / "problems";
    CHECK(catalogue::load_problem(content, "two-rows").statement == "# Two rows\n\nText.\n");
}

TEST_CASE("the learner's own missing file is no content error") {
    const TemporaryFolder folder; // exercises/two-rows/ has the contract alone
    CHECK_NOTHROW(two_rows(folder));
}

TEST_CASE("hidden files beside the sources of a package are not looked at") {
    const TemporaryFolder folder;
    Package package;
    package.files["problems/two-rows/mistakes/.reads-column.diff.swp"] = "\x01";
    CHECK(two_rows(folder, package).mistakes.size() == 1);
}

TEST_CASE("a package without mistakes and accepted files loads: only verify demands them") {
    const TemporaryFolder folder;
    Package package;
    package.files.erase(mistake_file);
    package.files.erase(accepted_file);
    package.kills["mistakes"] = Package::Json::object();
    package.questions["questions"] = {package.questions["questions"][3]};
    CHECK(two_rows(folder, package).mistakes.empty());
}

TEST_CASE("an id that leads out of problems/ is no problem") {
    const TemporaryFolder folder;
    const catalogue::Content content = Package().write(folder.path());
    for (const char* id : {"", "..", "../problems/two-rows", "two-rows/", "/", "Two-Rows"})
        CHECK_THROWS_AS(catalogue::load_problem(content, id), ContentError);
}

TEST_CASE("the content of this repository is in order") {
    const fs::path root = ENGINE_SOURCE_DIR;
    // What was shipped as starter is what the repository keeps in exercises/.
    const catalogue::Content content{root / "problems", root / "exercises", root / "reference",
                                     root / "exercises", root / "schemas"};
    const Curriculum curriculum = catalogue::load(content);
    for (const Problem& problem : curriculum.problems) {
        INFO(problem.id);
        CHECK_NOTHROW(catalogue::load_problem(content, problem.id));
    }
}
