#include "app/verify/program.h"

#include "model/errors.h"
#include "unit/build/setup.h"

#include <chrono>
#include <set>

namespace {

/// Opened once: trying out the compiler takes a while.
struct Programs {
    test::Setup setup;
    build::Workshop workshop;

    Programs() : workshop(with_headers(setup), {}, setup.cache()) {
        setup.make_objects(workshop.toolchain());
    }

    std::string key(const verify::ProgramSource& source) const {
        return verify::key_of(workshop, setup.problem, source);
    }
    verify::Made make(const verify::ProgramSource& source) const {
        return verify::make_program(workshop, setup.problem, source, -1);
    }

  private:
    static build::Layout with_headers(test::Setup& setup) {
        setup.layout.headers = setup.root() / "headers";
        test::fs::create_directories(setup.layout.headers / "subject");
        return setup.layout;
    }
};

Programs& fixture() {
    static Programs instance;
    return instance;
}

/// A program of two files that prints `answer`.
verify::ProgramSource printing(const std::string& answer) {
    return {.files = {{"answer.h", "inline int value() { return " + answer + "; }\n"},
                      {"program.cpp", "#include \"answer.h\"\n#include \"contract.h\"\n"
                                      "int answer() { return value(); }\n"}},
            .compiled = "program.cpp",
            .flags = {"-std=c++20", "-fPIE"}};
}

} // namespace

TEST_CASE("a program is made of its files, the contract and the worker's objects") {
    const verify::Made made = fixture().make(printing("42"));
    REQUIRE(made.ok);
    const build::CachedWorker kept =
        fixture().workshop.cache().store(fixture().key(printing("42")), made.program, "a note");
    CHECK(test::run(kept.path, {}).output == "42");
    const auto found = fixture().workshop.cache().find(fixture().key(printing("42")));
    REQUIRE(found);
    CHECK(found->note == "a note");
    CHECK_FALSE(fixture().workshop.cache().find(fixture().key(printing("43"))));
}

TEST_CASE("what does not compile says where, and what does not link is the content's error") {
    const verify::Made broken = fixture().make(printing("forty_two"));
    CHECK_FALSE(broken.ok);
    CHECK(broken.output.find("answer.h:1:") != std::string::npos);
    verify::ProgramSource unlinked = printing("42");
    unlinked.files["program.cpp"] = "int another() { return 1; }\n";
    CHECK_THROWS_AS(fixture().make(unlinked), model::ContentError);
}

TEST_CASE("everything that goes into a program has a part in its key") {
    std::set<std::string> keys{fixture().key(printing("42"))};
    CHECK(keys.contains(fixture().key(printing("42"))));

    keys.insert(fixture().key(printing("43")));
    verify::ProgramSource flags = printing("42");
    flags.flags.emplace_back("-O1");
    keys.insert(fixture().key(flags));
    verify::ProgramSource name = printing("42");
    name.files["other.h"] = name.files["answer.h"];
    keys.insert(fixture().key(name));
    verify::ProgramSource variant = printing("42");
    variant.variant = build::Variant::emulated;
    keys.insert(fixture().key(variant));
    CHECK(keys.size() == 5);

    const auto changed = [](const test::fs::path& file, const std::string& more) {
        const std::string before = build::read_if_there(file);
        test::write(file, before + more);
        const std::string key = fixture().key(printing("42"));
        test::write(file, before);
        return key;
    };
    keys.insert(changed(fixture().setup.problem.exercise / "contract.h", "\n"));
    keys.insert(changed(fixture().setup.layout.exercises / "common/matrix.h", "\n"));
    keys.insert(changed(fixture().setup.layout.shim(), " "));
    CHECK(keys.size() == 8);
    CHECK(keys.contains(fixture().key(printing("42"))));
}
