#include "kit/package.h"

#include "collection.h"
#include "model/errors.h"

TEST_CASE("a package has the texts of its problem by their paths below the collection") {
    const test::Collection collection;
    const kit::Package package = collection.package();
    CHECK(package.id == "twice");
    CHECK(package.contract.contains("exercises/twice/contract.h"));
    CHECK(package.suite.contains("problems/twice/suite.cpp"));
    CHECK(package.reference.contains("reference/twice/twice.cpp"));
    REQUIRE(package.mistakes.size() == 2);
    CHECK(package.mistakes[1].name == "thrice");
    CHECK(package.mistakes[1].path == "problems/twice/mistakes/thrice.cpp");
    CHECK(package.mistakes[1].program.find("3 * value") != std::string::npos);
}

TEST_CASE("a suite may be a folder of files with what they share") {
    test::Collection collection;
    test::fs::remove(collection.root() / "problems/twice/suite.cpp");
    collection.put("problems/twice/suite/fixtures.h", "// shared\n");
    collection.put("problems/twice/suite/doubles.cpp", "#include \"fixtures.h\"\n");
    const kit::Package package = collection.package();
    CHECK(package.suite.contains("problems/twice/suite/doubles.cpp"));
    CHECK(package.suite.contains("problems/twice/suite/fixtures.h"));
    CHECK_FALSE(package.suite.contains("problems/twice/suite.cpp"));
}

TEST_CASE("what a learner edits is no part of a package") {
    test::Collection collection;
    collection.put("exercises/twice/twice.cpp", "the starter");
    CHECK_FALSE(collection.package().contract.contains("exercises/twice/twice.cpp"));
}

TEST_CASE("a package that has gone is a content error that names the file") {
    for (const char* file : {"problems/twice/suite.cpp", "exercises/twice/contract.h"}) {
        const test::Collection collection;
        test::fs::remove(collection.root() / file);
        CHECK_THROWS_WITH_AS(collection.package(), doctest::Contains(file), model::ContentError);
    }
    const test::Collection collection;
    test::fs::remove_all(collection.root() / "reference");
    CHECK_THROWS_WITH_AS(collection.package(), doctest::Contains("reference/twice"), model::ContentError);
}
