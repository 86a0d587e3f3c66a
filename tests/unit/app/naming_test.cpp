#include "app/naming.h"

#include "unit/folder.h"

#include <doctest/doctest.h>

using app::problem_at;
using app::problem_named;

namespace {

struct Clone {
    test::Folder folder;
    app::Places places;

    explicit Clone(const std::string& here = "") {
        folder.write("exercises/token-lookup/lookup.cpp", "");
        folder.write("exercises/dropout/dropout.cpp", "");
        folder.write("exercises/common/rules.h", "");
        folder.write("dropout/notes.txt", "");
        places = {{"token-lookup", "dropout"}, {folder.path() / "exercises"}, folder.path() / here};
    }
};

} // namespace

TEST_CASE("an id and a number name a problem, and nothing near them does") {
    const Clone clone;
    CHECK(problem_named("dropout", clone.places) == "dropout");
    CHECK(problem_named("1", clone.places) == "token-lookup");
    CHECK(problem_named("2", clone.places) == "dropout");
    for (const char* none : {"0", "3", "-1", "1x", "1.5", "", "drop", "99999999999999999999"}) {
        CAPTURE(none);
        CHECK_FALSE(problem_named(none, clone.places).has_value());
    }
}

TEST_CASE("a file or folder of an exercise names its problem, from wherever it is named") {
    const Clone top;
    CHECK(problem_named("exercises/dropout/dropout.cpp", top.places) == "dropout");
    CHECK(problem_named("exercises/dropout/", top.places) == "dropout");
    CHECK(problem_named((top.folder.path() / "exercises/dropout").string(), top.places) == "dropout");
    const Clone below("exercises/token-lookup");
    CHECK(problem_named("lookup.cpp", below.places) == "token-lookup");
    CHECK(problem_named("../dropout/dropout.cpp", below.places) == "dropout");
    CHECK(problem_at(".", below.places) == "token-lookup");
}

TEST_CASE("a path outside of the exercises names nothing, whatever it is called") {
    const Clone clone;
    CHECK_FALSE(problem_named("dropout/notes.txt", clone.places).has_value());
    CHECK_FALSE(problem_named("exercises/dropout/missing.cpp", clone.places).has_value());
    CHECK_FALSE(problem_named("exercises/common/rules.h", clone.places).has_value());
    CHECK_FALSE(problem_at(".", clone.places).has_value());
}
