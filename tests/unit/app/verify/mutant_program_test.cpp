#include "app/verify/mutant_program.h"

#include "unit/build/setup.h"

#include <algorithm>

namespace {

/// With the real headers of a worker, and a shim that only starts.
struct Fixture {
    test::Setup setup;
    build::Workshop workshop;

    Fixture() : workshop(with_headers(setup), {}, setup.cache()) {
        setup.make_objects(workshop.toolchain());
        test::write(setup.root() / "start.cpp", "int main() {}\n");
        const auto compiled =
            test::run(workshop.toolchain().compiler, {"-c", "-fPIE", (setup.root() / "start.cpp").string(),
                                                      "-o", setup.layout.shim().string()});
        REQUIRE(compiled.ok());
    }

    /// The mutations of this source that the program for all of them holds.
    std::vector<std::string> compiled(const std::string& source) const {
        const std::vector<verify::Candidate> all = verify::candidates({source});
        std::vector<std::size_t> which(all.size());
        for (std::size_t k = 0; k < all.size(); ++k)
            which[k] = k;
        const auto program = verify::build_mutants(workshop, setup.problem, {source}, all, which, -1);
        REQUIRE(program);
        std::vector<std::string> mutations;
        for (const std::size_t k : program->compiled)
            mutations.push_back(all[k].mutant.mutation);
        return mutations;
    }

  private:
    static build::Layout with_headers(test::Setup& setup) {
        setup.layout.headers = test::fs::path(ENGINE_SOURCE_DIR) / "validator";
        test::write(setup.problem.exercise / "contract.h",
                    "#pragma once\n#include <cstddef>\n#include <array>\n"
                    "namespace contract {}\n"
                    "namespace exercise {\nusing namespace contract;\nint twice(int value);\n}\n"
                    "#define EXERCISE_INTERFACE(X) X(twice)\n");
        test::write(setup.root() / "table.cpp", "int answer() { return 0; }\n");
        return setup.layout;
    }
};

const std::string head = "#include \"contract.h\"\nnamespace exercise {\nint twice(int value) {\n";

bool holds(const std::vector<std::string>& list, const std::string& one) {
    return std::ranges::find(list, one) != list.end();
}

} // namespace

TEST_CASE("mutants that do not compile are left out, and all others are there") {
    const Fixture fixture;
    const auto mutations = fixture.compiled(
        head + "    const char* word = \"twice\";\n    word += value;\n    return value * 2;\n}\n}\n");
    CHECK(holds(mutations, "* -> /"));
    CHECK(holds(mutations, "2 -> 3"));
    CHECK(holds(mutations, "+= -> -="));
    CHECK_FALSE(holds(mutations, "+= -> ="));

    // An array's size must be known to the compiler: a chosen one is not, so whole bodies are copied.
    const auto constant =
        fixture.compiled(head + "    const std::size_t size = 3;\n    std::array<int, size> room{};\n"
                                "    return value + room[0] * 2;\n}\n}\n");
    CHECK(holds(constant, "3 -> 4"));
    CHECK(holds(constant, "* -> /"));
    CHECK(holds(constant, "+ -> -"));
}
