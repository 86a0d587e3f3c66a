#include "kit/plan.h"

#include "collection.h"
#include "model/errors.h"

#include <algorithm>
#include <set>

namespace {

using kit::Plan;

/// An engine whose own files are but names.
struct PlannedEngine {
    test::Folder folder;
    build::Toolchain toolchain;
    build::Layout layout;

    test::fs::path digest_of_library() const { return layout.driver_library.string() + ".sha256"; }

    PlannedEngine() {
        toolchain.compiler = "/usr/bin/g++";
        toolchain.linker = "mold";
        toolchain.identity = "a compiler";
        layout.version = "1";
        layout.headers = folder.path() / "headers";
        layout.objects = folder.path() / "objects";
        layout.driver_library = folder.path() / "libdriver.a";
        layout.driver_flags = "-O2 -DNDEBUG";
        test::write(layout.headers / "subject/shim/table.cpp", "// the table\n");
        test::write(layout.headers / "subject/proxies.h", "// proxies\n");
        test::write(layout.headers / "harness/suite.h", "// what suites use\n");
        for (const char* name : {"events", "model", "system"})
            test::fs::create_directories(layout.headers / name);
        layout.exercises = folder.path() / "exercises";
        test::write(layout.exercises / "common/ids.h", "// ids\n");
        test::write(layout.shim(), "a shim");
        test::write(digest_of_library(), "1234  libdriver.a");
    }
};

struct Keys {
    std::string table, driver, mistakes;
    auto operator<=>(const Keys&) const = default;
};

Keys keys(const kit::Package& package, const PlannedEngine& engine) {
    kit::Inputs inputs;
    const auto key = [&](const Plan& plan) { return key_of(plan, engine.toolchain, engine.layout, inputs); };
    return {key(plan_table(package, engine.toolchain, engine.layout)),
            key(plan_driver(package, engine.toolchain, engine.layout)),
            key_of_mistakes(package, engine.toolchain, engine.layout, inputs)};
}

bool has(const std::vector<std::string>& list, const std::string& argument) {
    return std::ranges::find(list, argument) != list.end();
}

} // namespace

TEST_CASE("a driver is the suite and the reference, each compiled in its own way") {
    const test::Collection collection;
    const PlannedEngine engine;
    const Plan plan = plan_driver(collection.package(), engine.toolchain, engine.layout);
    REQUIRE(plan.translations.size() == 2);
    CHECK(plan.translations[0].source == "problems/twice/suite.cpp");
    CHECK(has(plan.translations[0].arguments, engine.layout.headers.string()));
    CHECK_FALSE(has(plan.translations[0].arguments, "-Dexercise=reference"));
    CHECK(plan.translations[1].source == "reference/twice/twice.cpp");
    CHECK(has(plan.translations[1].arguments, "-Dexercise=reference"));
    CHECK_FALSE(has(plan.translations[1].arguments, engine.layout.headers.string()));
    for (const Plan::Translation& translation : plan.translations) {
        CHECK(has(translation.arguments, "-DNDEBUG"));
        CHECK(has(plan.link, translation.object));
    }
    CHECK(has(plan.link, engine.layout.driver_library.string()));
    CHECK_FALSE(plan.files.contains("problems/twice/mistakes/thrice.cpp"));
}

TEST_CASE("table and mistakes are compiled as submissions are judged") {
    const test::Collection collection;
    const PlannedEngine engine;
    const kit::Package package = collection.package();
    for (const Plan& plan : {plan_table(package, engine.toolchain, engine.layout),
                             plan_mistakes(package, engine.toolchain, engine.layout)})
        for (const Plan::Translation& translation : plan.translations)
            for (const std::string& flag : build::code_flags(engine.toolchain, build::Variant::optimised))
                CHECK((has(translation.arguments, flag) || flag == "-g1"));
    CHECK(plan_table(package, engine.toolchain, engine.layout).link.empty());
}

TEST_CASE("each part has a key of its own, which changes with what it is made from and with nothing else") {
    const PlannedEngine engine;
    const test::Collection untouched;
    const kit::Package before = untouched.package();
    const Keys first = keys(before, engine);
    CHECK(std::set{first.table, first.driver, first.mistakes}.size() == 3);

    kit::Package package = before;
    package.suite["problems/twice/suite.cpp"] += "\n";
    CHECK(keys(package, engine).driver != first.driver);
    CHECK(keys(package, engine).table == first.table);
    CHECK(keys(package, engine).mistakes == first.mistakes);

    package = before;
    package.reference["reference/twice/twice.cpp"] += "\n";
    CHECK(keys(package, engine).driver != first.driver);
    CHECK(keys(package, engine).table == first.table);

    package = before;
    package.mistakes[0].program += "\n";
    CHECK(keys(package, engine).mistakes != first.mistakes);
    CHECK(keys(package, engine).driver == first.driver);

    package = before;
    package.contract["exercises/twice/contract.h"] += "\n";
    const Keys other = keys(package, engine);
    CHECK(other.table != first.table);
    CHECK(other.driver != first.driver);
    CHECK(other.mistakes != first.mistakes);
    CHECK(keys(before, engine) == first);
}

TEST_CASE("another engine, compiler or common header makes other kits") {
    const test::Collection collection;
    const kit::Package package = collection.package();
    PlannedEngine engine;
    const Keys first = keys(package, engine);

    test::write(engine.digest_of_library(), "5678  libdriver.a");
    CHECK(keys(package, engine).driver != first.driver);
    CHECK(keys(package, engine).table == first.table);
    test::write(engine.digest_of_library(), "1234  libdriver.a");

    test::write(engine.layout.headers / "subject/proxies.h", "// others\n");
    CHECK(keys(package, engine).driver != first.driver);
    CHECK(keys(package, engine).table != first.table);
    test::write(engine.layout.headers / "subject/proxies.h", "// proxies\n");

    test::write(engine.layout.shim(), "another shim");
    CHECK(keys(package, engine).mistakes != first.mistakes);
    CHECK(keys(package, engine).driver == first.driver);
    test::write(engine.layout.shim(), "a shim");

    test::write(engine.layout.exercises / "common/ids.h", "// others\n");
    const Keys other = keys(package, engine);
    CHECK(other.table != first.table);
    CHECK(other.driver != first.driver);
    CHECK(other.mistakes != first.mistakes);

    engine.toolchain.identity = "another compiler";
    CHECK(keys(package, engine).table != other.table);
    CHECK(keys(package, engine).driver != other.driver);
    CHECK(keys(package, engine).mistakes != other.mistakes);
}

TEST_CASE("an engine elsewhere has the same kits while its files are the same") {
    const test::Collection collection;
    const PlannedEngine here;
    const PlannedEngine there;
    CHECK(keys(collection.package(), here) == keys(collection.package(), there));

    test::write(there.layout.exercises / "common/ids.h", "// others\n");
    CHECK(keys(collection.package(), here) != keys(collection.package(), there));
}

TEST_CASE("an engine without one of its own files cannot prepare, and says which") {
    const test::Collection collection;
    const PlannedEngine engine;
    test::fs::remove(engine.digest_of_library());
    CHECK_THROWS_WITH_AS(keys(collection.package(), engine), doctest::Contains("libdriver.a"),
                         model::EnvironmentError);
}
