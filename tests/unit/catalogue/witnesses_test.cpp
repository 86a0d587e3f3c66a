#include "catalogue/kills.h"
#include "package.h"

#include <doctest/doctest.h>

TEST_CASE("witnesses are read by verify alone, whole ones first, since others may be made from them") {
    const TemporaryFolder folder;
    Package package;
    const std::string at = "problems/two-rows/witnesses/";
    package.files[at + "reads-ahead.cpp"] = "// Fault: The next row is\n//  read ahead.\n// Origin: round "
                                            "3\n// Depth: thorough\nint a;\nint b;\n";
    package.files[at + "a-smaller-one.diff"] = "Fault: b is missing.\nOrigin: issue 7\n--- " + at +
                                               "reads-ahead.cpp\n+++ witnesses/a-smaller-one\n"
                                               "@@ -5,2 +5 @@\n int a;\n-int b;\n";
    package.kills["witnesses"]["reads-ahead"] = {"two ids pick two rows"};
    const catalogue::Content content = package.write(folder.path());
    CHECK(catalogue::load_problem(content, "two-rows").witnesses.empty());
    const model::Problem problem = catalogue::load_problem(content, "two-rows", {}, {.witnesses = true});
    REQUIRE(problem.witnesses.size() == 2);
    const model::Witness& smaller = problem.witnesses[0];
    CHECK(smaller.name == "a-smaller-one");
    CHECK(smaller.fault == "b is missing.");
    CHECK(smaller.origin == "issue 7");
    CHECK_FALSE(smaller.thorough);
    CHECK(smaller.program == "int a;\n");
    CHECK(smaller.refused_by.empty());
    const model::Witness& whole = problem.witnesses[1];
    CHECK(whole.fault == "The next row is read ahead.");
    CHECK(whole.thorough);
    CHECK(whole.program == "int a;\nint b;\n");
    CHECK(whole.refused_by == std::vector<std::string>{"two ids pick two rows"});
    CHECK(Package::Json::parse(catalogue::write_kills(problem)) == package.kills);
}

TEST_CASE("a witness that cannot be read is listed and left out, if there is a list") {
    const TemporaryFolder folder;
    Package package;
    package.files["problems/two-rows/witnesses/good.cpp"] = "// Fault: a\n// Origin: b\nint a;\n";
    package.files["problems/two-rows/witnesses/bad.cpp"] = "int a;\n";
    catalogue::Faults faults;
    const catalogue::Content content = package.write(folder.path());
    const model::Problem problem =
        catalogue::load_problem(content, "two-rows", {}, {.witnesses = true, .faults = &faults});
    REQUIRE(problem.witnesses.size() == 1);
    CHECK(problem.witnesses[0].name == "good");
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("problems/two-rows/witnesses/bad.cpp: line 1: ") != std::string::npos);
}
