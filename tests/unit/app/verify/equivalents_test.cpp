#include "app/verify/equivalents.h"

#include "model/errors.h"
#include "unit/folder.h"

#include <doctest/doctest.h>

namespace {

using verify::Equivalent;

const std::string schemas = ENGINE_SOURCE_DIR "/schemas";

std::vector<Equivalent> read(const std::string& text) {
    const test::Folder folder;
    folder.write("problems/twice/equivalent.json", text);
    return verify::read_equivalents(folder.path() / "problems/twice", schemas, "twice.cpp");
}

const std::vector<verify::Candidate> lines = verify::candidates({"int f(int a) {\n"
                                                                 "    a += 1;\n"
                                                                 "    a += 1;\n"
                                                                 "    return a;\n}\n"});

Equivalent mark(int line, const std::string& mutation = "+= -> -=") {
    return {"twice.cpp", line, "a += 1;", mutation, "because"};
}

int line_of(const std::vector<Equivalent>& marks, std::size_t i) {
    const std::size_t found = match(marks, {"twice.cpp"}, lines)[i];
    return found < lines.size() ? lines[found].mutant.line : 0;
}

} // namespace

TEST_CASE("marks are read; a package without any has none") {
    const auto marks = read(R"({"format": "engine.equivalent/1", "mutants": [
        {"line": 2, "original": "a += 1;", "mutation": "+= -> -=", "reason": "because"}]})");
    REQUIRE(marks.size() == 1);
    CHECK(marks[0].file == "twice.cpp");
    CHECK(marks[0].line == 2);
    CHECK(marks[0].reason == "because");
    const test::Folder empty;
    CHECK(verify::read_equivalents(empty.path(), schemas, "twice.cpp").empty());
}

TEST_CASE("a mark without a reason is a content error") {
    CHECK_THROWS_AS(read(R"({"format": "engine.equivalent/1", "mutants": [
        {"line": 2, "original": "a += 1;", "mutation": "+= -> -="}]})"),
                    model::ContentError);
}

TEST_CASE("a mark means the nearest line with its text, and each mutant only once") {
    CHECK(line_of({mark(3)}, 0) == 3);
    CHECK(line_of({mark(40)}, 0) == 3);
    CHECK(line_of({mark(3), mark(3)}, 1) == 2);
    CHECK(line_of({mark(2), mark(2), mark(2)}, 2) == 0);
    CHECK(line_of({mark(2, "+= -> *=")}, 0) == 0);
}
