#pragma once

#include "kit/package.h"
#include "unit/build/setup.h"

/// A collection with one small problem: `twice(int)` doubles a number.
namespace test {

class Collection {
  public:
    Collection() {
        problem.id = "twice";
        problem.files = {"twice.cpp"};
        problem.folder = root() / "problems/twice";
        problem.exercise = root() / "exercises/twice";
        problem.host_reference = {root() / "reference/twice/twice.cpp"};
        put("exercises/twice/contract.h", "#pragma once\n#include \"common/not_implemented.h\"\n"
                                          "namespace exercise {\nint twice(int value);\n}\n"
                                          "#define EXERCISE_INTERFACE(X) X(twice)\n");
        put("reference/twice/twice.cpp", "#include \"contract.h\"\nnamespace exercise {\n"
                                         "int twice(int value) { return 2 * value; }\n}\n");
        put("problems/twice/suite.cpp", "#include \"harness/suite.h\"\n#include \"subject/proxies.h\"\n"
                                        "TEST_CASE(\"two is four\") {\n"
                                        "    CHECK(subject::twice(2) == reference::twice(2));\n}\n");
        add_mistake("adds-two", "value + 2");
        add_mistake("thrice", "3 * value");
    }

    const fs::path& root() const { return folder_.path(); }
    void put(const std::string& file, const std::string& text) { write(root() / file, text); }

    void add_mistake(const std::string& name, const std::string& result) {
        const std::string file = "problems/twice/mistakes/" + name + ".cpp";
        const std::string program =
            "#include \"contract.h\"\nnamespace exercise {\nint twice(int value) { return " + result +
            "; }\n}\n";
        put(file, program);
        problem.mistakes.push_back({.name = name, .file = root() / file, .program = program});
    }

    kit::Package package() const { return kit::read_package(problem); }

    model::Problem problem;

  private:
    Folder folder_;
};

} // namespace test
