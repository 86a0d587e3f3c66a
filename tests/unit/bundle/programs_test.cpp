#include "bundle/programs.h"

#include <algorithm>
#include <doctest/doctest.h>

namespace {

using bundle::Copied;
using bundle::Program;
using bundle::Written;

const std::string contract = "#pragma once\nnamespace exercise {\nint twice(int a);\n}\n";
const std::string doubling = "#include \"contract.h\"\nnamespace exercise {\nint twice(int a) {\n"
                             "    a += a;\n    return a;\n}\n}\n";

Program changed(const std::string& name, const std::string& from, const std::string& to,
                const std::string& of = doubling) {
    std::string text = of;
    text.replace(text.find(from), from.size(), to);
    return {name, text, of};
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const Program times = changed("times", "a += a", "a *= a");
const Program longer = changed("longer", "    return a;\n", "    if (a > 9) a = 9;\n    return a;\n");
const Program constant = changed("constant", "int twice", "constexpr int two = 2;\nint twice");
const Program signature = changed("signature", "int twice(int a)", "int twice(const int b)");

} // namespace

TEST_CASE("programs of a base share its text, and others have one of their own") {
    const Written written =
        bundle::write_programs({times, longer, signature, {"other", "int twice;\n", ""}}, contract);
    CHECK(written.copied == std::map<std::string, Copied>{{"times", Copied::places},
                                                          {"longer", Copied::bodies},
                                                          {"signature", Copied::whole},
                                                          {"other", Copied::whole}});
    REQUIRE(written.compiled == std::vector<std::string>{"part_0.cpp"});
    CHECK(written.files.size() == 4);
    CHECK(written.files.at("signature.cpp") == signature.text);
    const std::string& shared = written.files.at("base_0_of_part_0.cpp");
    CHECK(holds(shared, "if (::chosen_program == 0) \n#line 4 \"times.cpp\"\n{a *= a;\n}"));
    CHECK(holds(shared, "if (::chosen_program == 1) \n#line 3 \"longer.cpp\""));
    CHECK(written.owners.at("base_0_of_part_0.cpp") == Written::shared);
    CHECK(written.owners.at("times.cpp") == "times");
    const std::string& part = written.files.at("part_0.cpp");
    CHECK(holds(
        part,
        "{\"times\", entries_base_0_of_part_0, std::size(entries_base_0_of_part_0), &::chosen_program, 0}"));
    CHECK(holds(part, "{\"signature\", entries_program_2, std::size(entries_program_2)},"));
    CHECK(holds(part, "const std::size_t table_count = 4;"));
}

TEST_CASE("a program may be copied whole, as all of them may be") {
    CHECK(bundle::write_programs({times, longer}, contract, {.whole = {"times"}}).copied ==
          std::map<std::string, Copied>{{"times", Copied::whole}, {"longer", Copied::bodies}});
    const Written all = bundle::write_programs({times, longer}, contract, {.all_whole = true});
    CHECK(all.copied == std::map<std::string, Copied>{{"times", Copied::whole}, {"longer", Copied::whole}});
    for (const auto& [name, text] : all.files)
        CHECK_FALSE(holds(text, "::chosen_program =="));
}

TEST_CASE("where lines must be a program's own, it shares no moved ones") {
    const Program last = changed("last", "int twice", "\n\nint twice");
    const bundle::Options own{.own_lines = true};
    CHECK(bundle::write_programs({times, last}, contract).copied.at("last") == Copied::places);
    const Written written = bundle::write_programs({times, last}, contract, own);
    CHECK(written.copied.at("last") == Copied::whole);
    CHECK(written.copied.at("times") == Copied::places);
}

TEST_CASE(
    "a name that two programs add means a copy of everything for both, one that only one adds does not") {
    const Program also = changed("also", "int twice", "constexpr int two = 3;\nint twice");
    CHECK(bundle::write_programs({constant, times}, contract).copied.at("constant") == Copied::places);
    const Written both = bundle::write_programs({constant, also}, contract);
    CHECK(both.copied.at("constant") == Copied::whole);
    CHECK(both.copied.at("also") == Copied::whole);
}

TEST_CASE("parts have their own tables and namespaces, and the first knows them all") {
    const Written written = bundle::write_programs({times, longer, signature}, contract, {.parts = 2});
    REQUIRE(written.compiled == std::vector<std::string>{"part_0.cpp", "part_1.cpp"});
    CHECK(holds(written.files.at("part_0.cpp"), "const std::size_t table_count = 3;"));
    CHECK_FALSE(holds(written.files.at("part_1.cpp"), "table_count"));
    for (const std::string& name : written.compiled)
        CHECK(holds(written.files.at(name), "static int chosen_program = -1;"));
    CHECK(std::ranges::count_if(written.files,
                                [](const auto& file) { return file.first.starts_with("base_0"); }) >= 1);
}

TEST_CASE("much text is compiled in several parts, little in one, none still makes a program") {
    std::vector<Program> many;
    for (int i = 0; i < 100; ++i)
        many.push_back({"p" + std::to_string(i), "// " + std::string(4000, 'x') + "\n", ""});
    CHECK(bundle::write_programs(many, contract).compiled.size() > 1);
    CHECK(bundle::write_programs({times}, contract).compiled.size() == 1);
    const Written none = bundle::write_programs({}, contract);
    REQUIRE(none.compiled.size() == 1);
    CHECK(holds(none.files.at("part_0.cpp"), "table_count = 0;"));
}
