// One spoiled package for every rule of docs/package-format.md, and what the author reads then.
#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <string_view>

#include "model/errors.h"
#include "package.h"

namespace {

struct Malformed {
    std::string rule; ///< as in the last table of docs/package-format.md
    std::function<void(Package&)> spoil;
    std::string message; ///< the whole of it, or its beginning where it goes on with words that are not ours
};

using Json = nlohmann::json;

/// Spoils a file by replacing a part that it must have.
std::function<void(Package&)> replace(const std::string& file, const std::string& part,
                                      const std::string& by) {
    return [=](Package& package) {
        std::string& text = package.files.at(file);
        const std::size_t at = text.find(part);
        REQUIRE(at != std::string::npos);
        text.replace(at, part.size(), by);
    };
}

/// Spoils problem.json or questions.json at a pointer.
std::function<void(Package&)> problem(const std::string& where, const Json& value) {
    return [=](Package& package) { package.problem[Json::json_pointer(where)] = value; };
}
std::function<void(Package&)> question(const std::string& where, const Json& value) {
    return [=](Package& package) { package.questions["questions"][Json::json_pointer(where)] = value; };
}
std::function<void(Package&)> kills(const std::string& where, const Json& value) {
    return [=](Package& package) { package.kills[Json::json_pointer(where)] = value; };
}
std::function<void(Package&)> file(const std::string& path, const std::string& text) {
    return [=](Package& package) { package.files[path] = text; };
}
std::function<void(Package&)> without(const std::string& path) {
    return [=](Package& package) { package.files.erase(path); };
}

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
        text += part;
    return text;
}

const std::string in_manifest = "cannot read problems/two-rows/problem.json: ";
const std::string in_questions = "cannot read problems/two-rows/questions.json: ";
const std::string in_hints = "cannot read problems/two-rows/hints.md: ";
const std::string in_mistake = "cannot read problems/two-rows/mistakes/reads-column.diff: ";
const std::string witness_file = "problems/two-rows/witnesses/reads-ahead.cpp";
const std::string in_witness = "cannot read " + witness_file + ": ";
const std::string whole_witness = "// Fault: a\n// Origin: b\nint code;\n";

/// A witness that has no end, made from `base`.
std::string witness_diff(const std::string& base, const std::string& name) {
    return "Fault: a\nOrigin: b\n--- " + base + "\n+++ witnesses/" + name + "\n@@ -4 +3,0 @@\n-int end;\n";
}

const std::string in_kills = "cannot read problems/two-rows/kills.json: ";
const std::string in_curriculum = "cannot read problems/curriculum.json: ";

const std::vector<Malformed> rows{
    // Any file
    {"file-exists", without(statement_file),
     "cannot read problems/two-rows/statement.md: there is no such file"},
    {"file-exists", without(hints_file), in_hints + "there is no such file"},
    {"file-exists", without("problems/two-rows/suite.cpp"),
     "cannot read problems/two-rows/suite.cpp: there is no such file"},
    {"file-exists", without("exercises/two-rows/contract.h"),
     "cannot read exercises/two-rows/contract.h: there is no such file"},
    {"file-exists", without("starters/two-rows/rows.cpp"),
     "cannot read starters/two-rows/rows.cpp: there is no such file"},
    {"file-exists", without("reference/two-rows/rows.cpp"),
     "cannot read reference/two-rows/rows.cpp: there is no such file"},
    {"file-exists", [](Package& package) { package.curriculum["problems"].push_back("third"); },
     "cannot read problems/third/problem.json: there is no such file"},
    {"file-is-file", [](Package& package) { package.folders.insert(manifest_file); },
     in_manifest + "it is a folder where a file should be"},
    {"file-is-file", [](Package& package) { package.folders.insert("problems/two-rows/suite.cpp"); },
     "cannot read problems/two-rows/suite.cpp: it is a folder where a file should be"},
    {"file-size", file(statement_file, "# " + std::string(1 << 20, 'x')),
     "cannot read problems/two-rows/statement.md: it is larger than 1 MiB"},
    {"suite", file("problems/two-rows/suite/gradients.cpp", "int code;\n"),
     "cannot read problems/two-rows/suite: stands beside suite.cpp: keep one of the two"},
    {"suite",
     [](Package& package) {
         without("problems/two-rows/suite.cpp")(package);
         file("problems/two-rows/suite/fixtures.h", "")(package);
     },
     "cannot read problems/two-rows/suite: holds no .cpp file"},
    {"suite",
     [](Package& package) {
         without("problems/two-rows/suite.cpp")(package);
         file("problems/two-rows/suite/Gradients.cpp", "int code;\n")(package);
     },
     "cannot read problems/two-rows/suite/Gradients.cpp: its name must be lower-case words joined by '-', "
     "and .cpp or .h"},
    {"utf-8", file(statement_file, "# Two \xff"),
     "cannot read problems/two-rows/statement.md: is not UTF-8 at byte offset 6"},
    {"utf-8", file(manifest_file, "{\"title\": \"\xc0\xaf\"}"),
     in_manifest + "is not UTF-8 at byte offset 11"},
    {"no-control-characters", file(statement_file, "# Two \x1b[2J"),
     "cannot read problems/two-rows/statement.md: it has a control character"},
    {"no-control-characters", problem("/tests/1/hint", "a\x1b[2J"),
     in_manifest + "/tests/1/hint has a control character"},

    // JSON
    {"json-syntax", file(manifest_file, "{\n  \"id\": 5,\n}"),
     in_manifest + "line 3, column 1: syntax error"},
    {"json-syntax", file(questions_file, ""), in_questions + "line 1, column 1: syntax error"},
    {"json-syntax", file(manifest_file, "{\"minutes\": 1e999}"), in_manifest + "number overflow"},
    {"json-no-key-twice", file(manifest_file, R"({"a": [1, {"b": 1, "c": [], "b": 2}]})"),
     in_manifest + "/a/1/b is given twice"},
    {"json-no-key-twice", file(questions_file, R"({"a~/b": 1, "a~/b": 1})"),
     in_questions + "/a~0~1b is given twice"},
    {"json-depth", file(manifest_file, R"({"a": )" + std::string(64, '[') + std::string(64, ']') + "}"),
     in_manifest + "/a" + repeated("/0", 63) + " is nested too deep: at most 64 levels"},
    {"json-depth", file(questions_file, std::string(100'000, '[') + std::string(100'000, ']')),
     in_questions + repeated("/0", 64) + " is nested too deep: at most 64 levels"},

    // The schemas
    {"schema-known-keys", problem("/limits/memory_mb", 5),
     in_manifest + "/limits has the unknown key \"memory_mb\", did you mean \"memory_mib\"?"},
    {"schema-known-keys", problem("/colour", 5), in_manifest + "has the unknown key \"colour\""},
    {"schema-known-keys", question("/1/options", Json::array()),
     in_questions + "/questions/1 has the unknown key \"options\""},
    {"schema-all-keys", [](Package& package) { package.problem["tests"][0].erase("hint"); },
     in_manifest + "/tests/0 has no \"hint\""},
    {"schema-all-keys", [](Package& package) { package.problem.erase("limits"); },
     in_manifest + "has no \"limits\""},
    {"schema-all-keys", [](Package& package) { package.questions["questions"][0].erase("kind"); },
     in_questions + "/questions/0 has no \"kind\""},
    {"schema-all-keys", [](Package& package) { package.curriculum.erase("title"); },
     in_curriculum + "has no \"title\""},
    {"schema-types", problem("/minutes", "30"), in_manifest + "/minutes must be a whole number (got \"30\")"},
    {"schema-types", problem("/minutes", 2.5), in_manifest + "/minutes must be a whole number (got 2.5)"},
    {"schema-types", problem("/tests", 5), in_manifest + "/tests must be an array (got 5)"},
    {"schema-types", problem("/title", Json::array({std::string(500, 'x')})),
     in_manifest + "/title must be a string (got [\"" + std::string(58, 'x') + "…)"},
    {"schema-types", question("/1/answer/variables/row", "five"),
     in_questions + "/questions/1/answer/variables/row must be a number (got \"five\")"},
    {"schema-types", file(manifest_file, "[]"), in_manifest + "must be an object (got [])"},
    {"schema-ranges", problem("/limits/memory_mib", -5),
     in_manifest + "/limits/memory_mib must be positive (got -5)"},
    {"schema-ranges", problem("/limits/wall_ms", 0),
     in_manifest + "/limits/wall_ms must be positive (got 0)"},
    {"schema-ranges", problem("/limits/cpu_s", 4000),
     in_manifest + "/limits/cpu_s must be at most 3600 (got 4000)"},
    {"schema-ranges", problem("/limits/output_kib", 0),
     in_manifest + "/limits/output_kib must be positive (got 0)"},
    {"schema-ranges", problem("/limits/threads", 18446744073709551615u),
     in_manifest + "/limits/threads must be at most 1024 (got 18446744073709551615)"},
    {"schema-ranges", problem("/difficulty", 6), in_manifest + "/difficulty must be from 1 to 5 (got 6)"},
    {"schema-ranges", problem("/tests/0/points", -1),
     in_manifest + "/tests/0/points must be from 0 to 1000 (got -1)"},
    {"schema-choices", problem("/language", "c"),
     in_manifest + "/language must be one of \"cpp\", \"cuda\" (got \"c\")"},
    {"schema-choices", problem("/format", "engine.problem/2"),
     in_manifest + "/format must be \"engine.problem/1\" (got \"engine.problem/2\")"},
    {"schema-choices", question("/2/kind", "essay"),
     in_questions +
         "/questions/2/kind must be one of \"multiple_choice\", \"several\", \"order\", \"pairs\", "
         "\"numeric\", \"predict_output\", \"short_text\" (got \"essay\")"},
    {"schema-not-empty", problem("/tests/0/concept", ""), in_manifest + "/tests/0/concept must not be empty"},
    {"schema-not-empty", question("/0/prompt", ""), in_questions + "/questions/0/prompt must not be empty"},
    {"schema-counts", problem("/objectives", Json::array()),
     in_manifest + "/objectives must have at least 1 element (got 0)"},
    {"schema-counts", [](Package& package) { package.questions["questions"][0]["options"].erase(2); },
     in_questions + "/questions/0/options must have 3 to 5 elements (got 2)"},
    {"schema-no-repeats", problem("/concepts", {"row", "row"}),
     in_manifest + "/concepts must not say the same twice (got [\"row\",\"row\"])"},
    {"schema-no-repeats", [](Package& package) { package.curriculum["problems"].push_back("two-rows"); },
     in_curriculum + "/problems must not say the same twice"},

    // curriculum.json
    {"curriculum-ids", [](Package& package) { package.curriculum["problems"][0] = "../etc"; },
     in_curriculum + "/problems/0 must be lower-case words joined by '-' (got \"../etc\")"},
    {"parts-together",
     [](Package& package) {
         package.curriculum["problems"] = {"first-steps", "two-rows", "third"};
         package.problem["part"] = "II";
         Json third = package.first_steps;
         third["id"] = "third";
         package.files["problems/third/problem.json"] = third.dump();
     },
     in_curriculum + "/problems/2 is of the part \"I\", which ended before it"},

    // problem.json
    {"id-is-folder", problem("/id", "three-rows"),
     in_manifest + "/id must be the folder's name \"two-rows\" (got \"three-rows\")"},
    {"prerequisites-listed", problem("/prerequisites/0", "first-step"),
     in_manifest + "/prerequisites/0 must be a problem of curriculum.json (got \"first-step\"), did you mean "
                   "\"first-steps\"?"},
    {"prerequisites-earlier",
     [](Package& package) {
         package.curriculum["problems"] = {"two-rows", "first-steps"};
     },
     in_manifest + "/prerequisites/0 must come earlier in curriculum.json (got \"first-steps\")"},
    {"prerequisites-earlier", problem("/prerequisites/0", "two-rows"),
     in_manifest + "/prerequisites/0 must come earlier in curriculum.json (got \"two-rows\")"},
    {"file-names", problem("/files/0", "../rows.cpp"),
     in_manifest + "/files/0 must be a file name that ends in .cpp, without a folder (got \"../rows.cpp\")"},
    {"file-names", problem("/files/0", "rows.cu"),
     in_manifest + "/files/0 must be a file name that ends in .cpp"},
    {"file-names", problem("/language", "cuda"),
     in_manifest + "/files/0 must be a file name that ends in .cu"},
    {"test-names", problem("/tests/0/name", "a; b"),
     in_manifest +
         "/tests/0/name must be one line without ';' and without spaces at its ends (got \"a; b\")"},
    {"test-names", problem("/tests/0/name", " a"),
     in_manifest + "/tests/0/name must be one line without ';'"},
    {"test-names", problem("/tests/0/name", "a\nb"),
     in_manifest + "/tests/0/name must be one line without ';'"},
    {"test-names-unique", problem("/tests/1/name", "two ids pick two rows"),
     in_manifest + "/tests/1/name names a second test like that (got \"two ids pick two rows\")"},
    {"hidden-stays-hidden", problem("/tests/1/detail", "full"),
     in_manifest + "/tests/1/detail must be \"mismatch\" or \"verdict\" for a hidden test (got \"full\")"},
    {"traffic", problem("/tests/0/traffic", Json{{"moved_at_most", 2}}),
     in_manifest + "/tests/0/traffic must not be there unless `language` is \"cuda\""},
    {"traffic", problem("/tests/0/traffic", Json::object()),
     in_manifest + "/tests/0/traffic must set a limit"},
    {"points",
     [](Package& package) {
         for (Json& test : package.problem["tests"])
             test["points"] = 0;
     },
     in_manifest + "/tests must be worth more than 0 points together"},
    {"resource-urls", problem("/resources/0/url", "file:///etc/passwd"),
     in_manifest + "/resources/0/url must begin with https:// (got \"file:///etc/passwd\")"},

    // statement.md and hints.md
    {"statement-title", file(statement_file, "Two rows\n"),
     "cannot read problems/two-rows/statement.md: line 1: must be \"# Title\""},
    {"hint-sections", replace(hints_file, "## Idea", "## Thought"),
     in_hints + "line 7: the section must be \"Idea\" (got \"Thought\")"},
    {"hint-sections", replace(hints_file, "## Worked numbers", "More."),
     in_hints + "line 16: the file ends without the section \"Worked numbers\""},
    {"hint-sections", replace(hints_file, "1 2 3", "1\n## Extra\n2"),
     in_hints + "line 16: there are exactly four sections, \"Extra\" is a fifth"},
    {"hint-sections", replace(hints_file, "# Hints", "Hints"),
     in_hints + "line 1: there is text before the section \"Nudge\""},
    {"hint-not-empty", replace(hints_file, "\ni\n", "\n\n"),
     in_hints + "line 10: the section \"Idea\" before it is empty"},
    {"hint-not-empty", replace(hints_file, "1 2 3", ""),
     in_hints + "line 16: the section \"Worked numbers\" before it is empty"},

    // questions.json
    {"question-ids", question("/0/id", "Which Row"),
     in_questions + "/questions/0/id must be lower-case words joined by '-' (got \"Which Row\")"},
    {"question-ids-unique", question("/2/id", "offset"),
     in_questions + "/questions/2/id names a second question like that (got \"offset\")"},
    {"one-correct-option", question("/0/options/1/correct", true),
     in_questions + "/questions/0/options must have exactly one correct option (got 2)"},
    {"one-correct-option", question("/0/options/0/correct", false),
     in_questions + "/questions/0/options must have exactly one correct option (got 0)"},
    {"several-correct-options", question("/4/options/1/correct", false),
     in_questions +
         "/questions/4/options must have two correct options or more, and a wrong one (got 1 of 3)"},
    {"several-correct-options", question("/4/options/2/correct", true),
     in_questions +
         "/questions/4/options must have two correct options or more, and a wrong one (got 3 of 3)"},
    {"orders-complete", question("/5/misconceptions/0/answer", "find copy"),
     in_questions + "/questions/5/misconceptions/0/answer must name each step once (got \"find copy\")"},
    {"orders-complete", question("/5/misconceptions/0/answer", "check  find copy"),
     in_questions + "/questions/5/misconceptions/0/answer must differ from the right order and the "
                    "misconceptions before it"},
    {"option-ids-unique", question("/6/pairs/2/right/id", "rows"),
     in_questions + "/questions/6/pairs must have different ids (\"rows\" comes twice)"},
    {"mistakes-exist", question("/0/options/2/mistake", "reads-colum"),
     in_questions +
         "/questions/0/options/2/mistake must name a file of mistakes/ (got \"reads-colum\"), did you "
         "mean \"reads-column\"?"},
    {"mistakes-exist",
     [](Package& package) {
         package.files.erase(mistake_file);
         package.kills["mistakes"] = Json::object();
     },
     in_questions + "/questions/0/options/2/mistake must name a file of mistakes/ (got \"reads-column\")"},
    {"mistakes-exist", question("/2/misconceptions/0/mistake", "else"),
     in_questions + "/questions/2/misconceptions/0/mistake must name a file of mistakes/ (got \"else\")"},
    {"formulas-evaluate", question("/1/answer/formula", "row*d +"),
     in_questions + "/questions/1/answer/formula cannot be evaluated (got \"row*d +\"): "},
    {"formulas-evaluate", question("/1/answer/formula", "1/(d-3)"),
     in_questions +
         "/questions/1/answer/formula cannot be evaluated (got \"1/(d-3)\"): Its value is not finite."},
    {"formulas-evaluate", question("/1/misconceptions/0/answer", "rows*d"),
     in_questions + "/questions/1/misconceptions/0/answer cannot be evaluated (got \"rows*d\"): "},
    {"misconceptions-differ", question("/1/misconceptions/0/answer", "col + d*row + 0.05"),
     in_questions +
         "/questions/1/misconceptions/0/answer must differ from the answer by more than the tolerance "
         "(got 14.05)"},
    {"misconceptions-differ",
     question("/1/misconceptions/1", {{"answer", "col*6 + row + 0.05"}, {"says", "Columns, too."}}),
     in_questions + "/questions/1/misconceptions/1/answer must differ from the misconceptions before it by "
                    "more than the "
                    "tolerance (got 16.05)"},
    {"misconceptions-differ", question("/2/misconceptions/0/answer", " 7 8  9 7 8 9\n"),
     in_questions +
         "/questions/2/misconceptions/0/answer must differ in more than spaces from the answer and the "
         "misconceptions before it"},
    {"option-ids", question("/0/options/1/id", "Two"),
     in_questions + "/questions/0/options/1/id must be lower-case words joined by '-' (got \"Two\")"},
    {"option-ids-unique", question("/0/options/1/id", "one"),
     in_questions + "/questions/0/options must have different ids (\"one\" comes twice)"},
    {"texts-fill-in", question("/1/prompt", "What is ${rows}?"),
     in_questions + "/questions/1 has a text that cannot be filled in: "},

    // mistakes/, witnesses/ and accepted/
    {"source-names", file("problems/two-rows/mistakes/notes.txt", ""),
     "cannot read problems/two-rows/mistakes/notes.txt: its name must be lower-case words joined by '-', and "
     ".diff or .cpp"},
    {"source-names", file("problems/two-rows/accepted/Fast_one.cpp", ""),
     "cannot read problems/two-rows/accepted/Fast_one.cpp: its name must be lower-case words joined by '-'"},
    {"source-folders",
     [](Package& package) {
         package.files.erase(accepted_file);
         package.files["problems/two-rows/accepted"] = "";
     },
     "cannot read problems/two-rows/accepted: it cannot be listed: Not a directory"},
    {"header-complete", replace(mistake_file, "Symptom: Vectors share numbers.\n", ""),
     in_mistake + "line 4: the header ends without \"Symptom: …\""},
    {"header-complete", replace(mistake_file, "Hint: Print the offset.", "Hint:"),
     in_mistake + "line 3: \"Hint\" is empty"},
    {"header-complete", file(mistake_file, ""), in_mistake + "line 1: the header ends without \"Says: …\""},
    {"header-complete", file("problems/two-rows/mistakes/whole.cpp", "// Says: a\nint code;\n"),
     "cannot read problems/two-rows/mistakes/whole.cpp: line 2: the header ends without \"Hint: …\""},
    {"header-keys", replace(mistake_file, "Hint:", "Hnit:"),
     in_mistake +
         "line 3: the header has neither one of Says, Hint, Symptom here, nor a space that continues"},
    {"header-keys", replace(mistake_file, " instead", "instead"),
     in_mistake + "line 2: the header has neither"},
    {"header-keys", replace(mistake_file, "Says", "\nSays"), in_mistake + "line 1: the header has neither"},
    {"header-keys", replace(mistake_file, "Symptom:", "Hint:"),
     in_mistake + "line 4: \"Hint\" is given twice"},
    {"header-keys", file("problems/two-rows/mistakes/whole.cpp", "// Says: a\n// mistake: whole\n"),
     "cannot read problems/two-rows/mistakes/whole.cpp: line 2: the header has neither"},
    {"diff-line-ends", replace(mistake_file, "offset.\n", "offset.\r\n"),
     in_mistake + "line 3: the line ends with CR LF; it must end with LF"},
    {"diff-line-ends", replace(mistake_file, "column(t); }\n", "column(t); }\r\n"),
     in_mistake + "line 11: the line ends with CR LF; a diff has LF alone"},
    {"diff-syntax", replace(mistake_file, "--- ", "=== "), in_mistake + "line 5: the header has neither"},
    {"diff-syntax", replace(mistake_file, "-1,4 +1,4", "-1,5 +1,4"),
     in_mistake + "line 7: the hunk has fewer lines than it counts"},
    {"diff-syntax", replace(mistake_file, " int end;\n", " int end;\n int more;\n"),
     in_mistake + "line 13: belongs to no hunk"},
    {"diff-names", replace(mistake_file, "--- reference", "--- /reference"),
     in_mistake + "line 5: the name must not be absolute (got \"/reference/two-rows/rows.cpp\")"},
    {"diff-names", replace(mistake_file, "--- reference", "--- reference/.."),
     in_mistake + "line 5: the name must not lead upwards (got \"reference/../two-rows/rows.cpp\")"},
    {"diff-names", replace(mistake_file, "+++ mistakes/reads-column", "+++ mistakes/reads-row"),
     in_mistake + "line 6: must be \"+++ mistakes/reads-column\", the file's name"},
    {"diff-base", replace(mistake_file, "--- reference/two-rows/rows.cpp", "--- reference/two-rows/row.cpp"),
     in_mistake + "line 5: the base must be the reference or an accepted variant (got "
                  "\"reference/two-rows/row.cpp\"), did you mean \"reference/two-rows/rows.cpp\"?"},
    {"diff-base", replace(mistake_file, "--- reference/two-rows/rows.cpp", "--- problems/two-rows/suite.cpp"),
     in_mistake + "line 5: the base must be the reference or an accepted variant (got "
                  "\"problems/two-rows/suite.cpp\"), such as \"reference/two-rows/rows.cpp\""},
    {"diff-applies", replace(reference_file, "row(t)", "row(u)"),
     in_mistake +
         "line 10: the diff does not apply: line 3 of reference/two-rows/rows.cpp must be \"float at() { "
         "return row(t); }\" (got \"float at() { return row(u); }\")"},
    {"diff-applies",
     file(reference_file,
          "\n" + Package().files.at(reference_file) + "\n" + Package().files.at(reference_file)),
     in_mistake + "line 8: the diff does not apply: the hunk's lines do not stand in line 1 of "
                  "reference/two-rows/rows.cpp, but in lines 2 and 7; correct its line number"},
    {"diff-changes-code", replace(mistake_file, "column(t)", "row(t)"),
     in_mistake + "line 5: the diff changes no code"},
    {"one-file-a-mistake",
     file("problems/two-rows/mistakes/reads-column.cpp",
          "// Says: a\n// Hint: b\n// Symptom: c\nint code;\n"),
     in_mistake + "another file has the same name and another ending"},
    {"one-file-a-mistake",
     [](Package& package) {
         package.files[witness_file] = whole_witness;
         package.files["problems/two-rows/witnesses/reads-ahead.diff"] =
             witness_diff(reference_file, "reads-ahead");
     },
     "cannot read problems/two-rows/witnesses/reads-ahead.diff: another file has the same name and another "
     "ending"},
    {"header-complete", file(witness_file, "// Fault: a\nint code;\n"),
     in_witness + "line 2: the header ends without \"Origin: …\""},
    {"header-keys", file(witness_file, "// Says: a\nint code;\n"),
     in_witness + "line 1: the header has neither one of Fault, Origin, Depth here"},
    {"witness-depth", file(witness_file, "// Fault: a\n// Origin: b\n// Depth: graded\nint code;\n"),
     in_witness + "line 3: \"Depth\" must be \"thorough\", or left out (got \"graded\")"},
    {"witness-program", file(witness_file, "// Fault: a\n// Origin: b\n"),
     in_witness + "line 3: there is no program after the header"},
    {"diff-names",
     file("problems/two-rows/witnesses/other.diff", witness_diff(reference_file, "reads-ahead")),
     "cannot read problems/two-rows/witnesses/other.diff: line 4: must be \"+++ witnesses/other\", the "
     "file's name"},
    {"diff-base",
     file("problems/two-rows/witnesses/other.diff",
          witness_diff("problems/two-rows/witnesses/reads-ahead.cpp", "other")),
     "cannot read problems/two-rows/witnesses/other.diff: line 3: the base must be the reference or an "
     "accepted variant (got \"problems/two-rows/witnesses/reads-ahead.cpp\")"},
    {"kills-are-witnesses", kills("/witnesses", {{"reads-ahead", {"two ids pick two rows"}}}),
     in_kills + "/witnesses/reads-ahead must be a file of witnesses/ (got \"reads-ahead\")"},
    {"kills-are-tests",
     [](Package& package) {
         package.files[witness_file] = whole_witness;
         package.kills["witnesses"]["reads-ahead"] = {"two ids pick to rows"};
     },
     in_kills + "/witnesses/reads-ahead/0 must be a test of problem.json (got \"two ids pick to rows\"), did "
                "you mean \"two ids pick two rows\"?"},
    {"kills-are-mistakes", kills("/mistakes/reads-columns", {{"always", Json::array()}}),
     in_kills + "/mistakes/reads-columns must be a file of mistakes/ (got \"reads-columns\"), did you mean "
                "\"reads-column\"? the command verify --accept measures again"},
    {"kills-are-tests", kills("/mistakes/reads-column/always/0", "two ids pick to rows"),
     in_kills +
         "/mistakes/reads-column/always/0 must be a test of problem.json (got \"two ids pick to rows\"), did "
         "you mean \"two ids pick two rows\"? the command verify --accept measures again"},
    {"kills-are-tests", kills("/mistakes/reads-column/sometimes/0", "two ids pick two rows"),
     in_kills + "/mistakes/reads-column/sometimes/0 names \"two ids pick two rows\" twice for one program"},
    {"kills-are-findings", kills("/mistakes/reads-column/finds", {"race_in_blok"}),
     in_kills +
         "/mistakes/reads-column/finds/0 must be what a trace finds (got \"race_in_blok\"), did you mean "
         "\"race_in_block\"? the command verify --accept measures again"},
    {"schema-all-keys", kills("/mistakes/reads-column", Json::object()), in_kills},
    {"accepted-header", replace(accepted_file, "// accepted: rows from last to first\n", ""),
     "cannot read problems/two-rows/accepted/backwards.cpp: line 1: the file must begin with \"// "
     "accepted: "},
    {"accepted-header", replace(accepted_file, "rows from last to first", ""),
     "cannot read problems/two-rows/accepted/backwards.cpp: line 1: the file must begin with"},
};

/// What an author reads who loads the curriculum and then the problem.
std::string message_of(const catalogue::Content& content) {
    try {
        (void)catalogue::load(content);
        (void)catalogue::load_problem(content, "two-rows", {}, {.witnesses = true});
        return "";
    } catch (const model::ContentError& error) {
        return error.what();
    }
}

/// The backticked rules at the beginning of table rows below "## Rules".
std::set<std::string> documented_rules() {
    constexpr std::string_view beginning = "| `";
    std::ifstream stream(ENGINE_SOURCE_DIR "/docs/package-format.md");
    std::set<std::string> names;
    bool in_rules = false;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("## ")) in_rules = line == "## Rules";
        if (in_rules && line.starts_with(beginning))
            names.insert(line.substr(beginning.size(), line.find('`', beginning.size()) - beginning.size()));
    }
    return names;
}

} // namespace

TEST_CASE("the package that the rows spoil is in order") {
    const TemporaryFolder folder;
    CHECK(message_of(Package().write(folder.path())) == "");
}

TEST_CASE("every spoiled package is refused with file, place and reason") {
    for (const Malformed& row : rows) {
        INFO(row.rule);
        const TemporaryFolder folder;
        Package package;
        row.spoil(package);
        const std::string message = message_of(package.write(folder.path()));
        CHECK(message.substr(0, row.message.size()) == row.message);
    }
}

TEST_CASE("every documented rule has a spoiled package, and every spoiled package a documented rule") {
    std::set<std::string> tested;
    for (const Malformed& row : rows)
        tested.insert(row.rule);
    CHECK(tested == documented_rules());
}

TEST_CASE("whatever stands at any place of a JSON file, the answer is a package or a content error") {
    const TemporaryFolder folder;
    const Package sound;
    const catalogue::Content content = sound.write(folder.path());
    const auto try_everywhere = [&](const Json& document, const std::string& path) {
        std::set<std::string> places; // the leaves, and what they lie in
        const Json leaves = document.flatten();
        for (const auto& [leaf, ignored] : leaves.items())
            for (Json::json_pointer place(leaf); !place.empty(); place.pop_back())
                places.insert(place.to_string());
        for (const std::string& place : places)
            for (const Json& value :
                 {Json(nullptr), Json(-1), Json(""), Json::array({5}), Json{{"kind", 5}}}) {
                Json spoiled = document;
                spoiled[Json::json_pointer(place)] = value;
                std::ofstream(folder.path() / path) << spoiled;
                INFO(path, " ", place, " ", value.dump());
                CHECK_NOTHROW((void)message_of(content)); // only content errors are caught in there
            }
        std::ofstream(folder.path() / path) << document;
    };
    try_everywhere(sound.curriculum, "problems/curriculum.json");
    try_everywhere(sound.problem, manifest_file);
    try_everywhere(sound.questions, questions_file);
    try_everywhere(sound.kills, kills_file);
    CHECK(message_of(content) == "");
}

TEST_CASE("a curriculum that is not there is named") {
    const TemporaryFolder folder;
    const catalogue::Content content = Package().write(folder.path());
    std::filesystem::remove(content.problems / "curriculum.json");
    CHECK(message_of(content) == in_curriculum + "there is no such file");
}

TEST_CASE("a problem that is not there is named") {
    const TemporaryFolder folder;
    const catalogue::Content content = Package().write(folder.path());
    CHECK_THROWS_WITH_AS(catalogue::load_problem(content, "three-rows"),
                         "cannot read problems/three-rows: there is no such problem", model::ContentError);
}
