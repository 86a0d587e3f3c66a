#include "build/parameters.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace {

const std::filesystem::path contracts = std::filesystem::path(ENGINE_SOURCE_DIR) / "exercises";

std::string of_lookup(int number) {
    return build::parameter_name(contracts / "token-lookup" / "contract.h", "lookup", number);
}

} // namespace

TEST_CASE("the parameters of a contract's function have names, counted from 1") {
    CHECK(of_lookup(1) == "table");
    CHECK(of_lookup(2) == "ids");
    CHECK(of_lookup(3) == "out");
}

TEST_CASE("there is no name for what is not declared, or has none") {
    CHECK(of_lookup(0).empty());
    CHECK(of_lookup(4).empty());
    CHECK(build::parameter_name(contracts / "token-lookup" / "contract.h", "nothing", 1).empty());
    CHECK(build::parameter_name("/nowhere", "lookup", 1).empty());
}

TEST_CASE("members of the same name, and commas in types and defaults, are passed over") {
    const auto file = std::filesystem::temp_directory_path() / "engine-parameters-test.h";
    std::ofstream(file)
        << "struct Maker { int make(int other) const; };\n"
           "// make(int comment)\n"
           "Status make(const std::map<int, float>& pairs, int, int n = f(1, 2), Ids last);\n";
    CHECK(build::parameter_name(file, "make", 1) == "pairs");
    CHECK(build::parameter_name(file, "make", 2).empty());
    CHECK(build::parameter_name(file, "make", 3) == "n");
    CHECK(build::parameter_name(file, "make", 4) == "last");
    std::filesystem::remove(file);
}
