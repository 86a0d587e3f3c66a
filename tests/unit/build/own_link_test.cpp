#include "build/memo.h"
#include "model/errors.h"
#include "workshop_fixture.h"

using build::Variant;
using test::fixture;
using test::mentions;

TEST_CASE(
    "a linker that has lost what it needs is nobody's compile error, and is found anew by the next start") {
    const test::Setup setup;
    const auto kept = [&] {
        for (const auto& entry : test::fs::directory_iterator(setup.cache()))
            if (entry.path().filename().string().starts_with("toolchain-")) return entry.path();
        return test::fs::path();
    };
    setup.make_objects(build::Workshop(setup.layout, {}, setup.cache()).toolchain());
    std::string text = build::read_memo(kept()).value();
    const std::string found = "\"linker\":\"" + fixture().workshop.toolchain().linker + '"';
    REQUIRE(text.find(found) != std::string::npos);
    build::write_memo(kept(), text.replace(text.find(found), found.size(), "\"linker\":\"gone\""));

    const build::Workshop lost(setup.layout, {}, setup.cache());
    REQUIRE(lost.toolchain().linker == "gone");
    const auto build = [&](const build::Workshop& workshop, const std::string& submission) {
        return build_worker(workshop, setup.problem, setup.table(), test::submission(submission),
                            Variant::optimised);
    };
    CHECK_THROWS_WITH_AS(build(lost, test::right + "// lost\n"), doctest::Contains("not even an empty one"),
                         model::EnvironmentError);
    CHECK(kept().empty());
    const build::Workshop again(setup.layout, {}, setup.cache());
    CHECK(again.toolchain().linker == fixture().workshop.toolchain().linker);
    CHECK(build(again, test::right + "// lost\n").ok);
    // What a submission lacks is its own.
    CHECK(mentions(build(again, "#include \"contract.h\"\n"), "undefined"));
}
