#include "package.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "engine-package-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

Package::Package() {
    curriculum = Json::parse(R"({"format": "engine.curriculum/1", "title": "Course",
        "problems": ["first-steps", "two-rows"]})");
    problem = Json::parse(R"({
        "format": "engine.problem/1", "id": "two-rows", "title": "Two rows", "part": "I",
        "difficulty": 2, "minutes": 25,
        "objectives": ["Copy rows."], "concepts": ["row"], "prerequisites": ["first-steps"],
        "language": "cpp", "files": ["rows.cpp"],
        "limits": {"wall_ms": 1500, "cpu_s": 10, "memory_mib": 512, "output_kib": 64, "threads": 16},
        "tests": [
            {"name": "two ids pick two rows", "points": 12, "visibility": "visible", "concept": "row",
             "hint": "Look at the stride.", "detail": "full"},
            {"name": "random shapes agree", "points": 8, "visibility": "hidden", "concept": "stride",
             "hint": "Print the shape.", "detail": "mismatch"}],
        "resources": [{"title": "Page", "url": "https://example.org/rows", "why": "It shows rows."}]})");
    first_steps = problem;
    first_steps["id"] = "first-steps";
    first_steps["prerequisites"] = Json::array();
    questions = Json::parse(R"({"format": "engine.questions/1", "questions": [
        {"id": "which-row", "kind": "multiple_choice", "concept": "row", "prompt": "Which?", "explanation": "So.",
         "options": [{"id": "one", "text": "a", "correct": true, "says": "Yes."},
                     {"id": "two", "text": "b", "says": "No."}, {"id": "three", "text": "c", "says": "You read a column.", "mistake": "reads-column"}]},
        {"id": "offset", "kind": "numeric", "concept": "stride", "prompt": "Where?", "explanation": "So.",
         "answer": {"formula": "row*d + col", "variables": {"row": 4, "col": 2}, "drawn": {"d": [3, 5]}, "tolerance": 0.005,
                    "unit": "elements"},
         "misconceptions": [{"answer": "col*6 + row", "says": "Columns.", "mistake": "reads-column"}]},
        {"id": "predict", "kind": "predict_output", "concept": "row", "prompt": "Prints?", "explanation": "So.",
         "answer": {"output": "7 8 9\n7 8 9"}, "misconceptions": [{"answer": "4 5 6\n4 5 6", "says": "One less."}]},
        {"id": "why-copy", "kind": "short_text", "concept": "row", "prompt": "Why?", "explanation": "So.",
         "key_points": ["It may change.", "It may go."], "model_answer": "It may change later."},
        {"id": "which-ids", "kind": "several", "concept": "row", "prompt": "Which?", "explanation": "So.",
         "options": [{"id": "one", "text": "a", "correct": true, "says": "Yes."},
                     {"id": "two", "text": "b", "correct": true, "says": "Yes."}, {"id": "three", "text": "c", "says": "No."}]},
        {"id": "steps", "kind": "order", "concept": "row", "prompt": "In which order?", "explanation": "So.",
         "steps": [{"id": "check", "text": "Check"}, {"id": "find", "text": "Find"}, {"id": "copy", "text": "Copy"}],
         "misconceptions": [{"answer": "find copy check", "says": "Too late.", "mistake": "reads-column"}]},
        {"id": "names", "kind": "pairs", "concept": "row", "prompt": "What is what?", "explanation": "So.",
         "pairs": [{"left": {"id": "v", "text": "V"}, "right": {"id": "rows", "text": "rows"}},
                   {"left": {"id": "c", "text": "C"}, "right": {"id": "columns", "text": "columns"}, "concept": "column"},
                   {"left": {"id": "t", "text": "T"}, "right": {"id": "tokens", "text": "tokens"}}]}]})");
    files[statement_file] = "# Two rows\n\nText.\n";
    files[hints_file] = "# Hints\n\n## Nudge\n\nn\n\n## Idea\ni\n\n## Steps\n```\n## no heading\n```\n"
                        "## Worked numbers\r\n1 2 3\r\n";
    kills = Json::parse(R"({"format": "engine.kills/1", "seeds": {"first": 1, "count": 200}, "mistakes": {
        "reads-column": {"always": ["two ids pick two rows"], "sometimes": ["random shapes agree"]}}})");
    files[mistake_file] = "Says: You read column t\n"
                          " instead of row t: turn it round.\n"
                          "Hint: Print the offset.\n"
                          "Symptom: Vectors share numbers.\n"
                          "--- reference/two-rows/rows.cpp\n"
                          "+++ mistakes/reads-column\n"
                          "@@ -1,4 +1,4 @@\n"
                          " #include \"contract.h\"\n"
                          "\n"
                          "-float at() { return row(t); }\n"
                          "+float at() { return column(t); }\n"
                          " int end;\n";
    files[reference_file] = "#include \"contract.h\"\n\nfloat at() { return row(t); }\nint end;\n";
    files[accepted_file] = "// accepted: rows from last to first\n#include \"contract.h\"\n";
    for (const auto* path :
         {"problems/two-rows/suite.cpp", "exercises/two-rows/contract.h", "starters/two-rows/rows.cpp"})
        files[path] = "// code\n";
}

catalogue::Content Package::write(const std::filesystem::path& root) const {
    std::map<std::string, std::string> all{{"problems/curriculum.json", curriculum.dump()},
                                           {"problems/first-steps/problem.json", first_steps.dump()},
                                           {manifest_file, problem.dump()},
                                           {questions_file, questions.dump()},
                                           {kills_file, kills.dump()}};
    for (const auto& [path, text] : files)
        all[path] = text;
    for (const std::string& path : folders) {
        all.erase(path);
        std::filesystem::create_directories(root / path);
    }
    for (const auto& [path, text] : all) {
        std::filesystem::create_directories((root / path).parent_path());
        std::ofstream(root / path, std::ios::binary) << text;
    }
    return {root / "problems", root / "exercises", root / "reference", root / "starters",
            std::filesystem::path(ENGINE_SOURCE_DIR) / "schemas"};
}
