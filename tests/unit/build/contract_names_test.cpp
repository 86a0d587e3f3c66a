#include "build/contract_names.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

namespace {

const std::filesystem::path exercises = std::filesystem::path(ENGINE_SOURCE_DIR) / "exercises";

std::string nearest(const std::string& message) {
    std::vector<model::Diagnostic> list(1);
    list[0].message = message;
    build::name_nearest(list, exercises / "token-lookup", exercises);
    return list[0].nearest;
}

} // namespace

TEST_CASE(
    "types, namespaces and functions of the contract are known, members and words of comments are not") {
    const auto names = build::contract_names(exercises / "token-lookup", exercises);
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    for (const char* name : {"Status", "Code", "Matrix", "Ids", "lookup", "exercise", "contract"})
        CHECK_MESSAGE(has(name), name);
    for (const char* name : {"T", "rows", "stride", "somebody", "span", "class", "row"})
        CHECK_MESSAGE(!has(name), name);
}

TEST_CASE("a contract that cannot be read has no names") {
    CHECK(build::contract_names("/nowhere", exercises).empty());
}

TEST_CASE("an unknown name gets the nearest of the contract in each wording, another message none") {
    for (const char* message :
         {"‘Staus’ does not name a type", "‘Staus’ was not declared in this scope",
          "‘Staus’ has not been declared", "unknown type name 'Staus'; did you mean 'x'?",
          "use of undeclared identifier 'Staus'"})
        CHECK_MESSAGE(nearest(message) == "Status", message);
    CHECK(nearest("‘excercise’ is not a namespace-name") == "exercise");
    CHECK(nearest("‘Status’ does not name a type") == "Status");
    CHECK(nearest("‘banana’ does not name a type").empty());
    CHECK(nearest("‘Staus’ is ambiguous").empty());
    CHECK(nearest("‘").empty());
    CHECK(nearest("").empty());
}
