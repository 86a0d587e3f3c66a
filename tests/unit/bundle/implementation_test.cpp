#include "bundle/implementation.h"

#include <doctest/doctest.h>

namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the files of an implementation see its own namespace in place of the contract's") {
    const std::string text = bundle::implementation("mistake_a", {"/p/a.cpp", "/p/b.cpp"}, {});
    const auto begins = text.find("#define exercise mistake_a\n");
    const auto ends = text.find("#undef exercise\n");
    REQUIRE(begins != std::string::npos);
    REQUIRE(ends != std::string::npos);
    for (const char* include : {"#include \"/p/a.cpp\"\n", "#include \"/p/b.cpp\"\n"}) {
        CHECK(text.find(include) > begins);
        CHECK(text.find(include) < ends);
    }
    CHECK(has(text, "invoke(&called_mistake_a::NAME, call)"));
    CHECK_FALSE(has(text, "using exercise::"));
}

TEST_CASE("what the contract defines itself is called there") {
    const std::string text = bundle::implementation("mistake_a", {"a.cpp"}, {"rows_of"});
    CHECK(has(text, "namespace called_mistake_a {\nusing namespace mistake_a;\nusing exercise::rows_of;\n}"));
}

TEST_CASE("a name need not be an identifier, and two may mean the same implementation") {
    CHECK(bundle::tables("part", {{"reads-behind", "mistake_a", {}}, {"7", "mistake_a", 7}}) ==
          "namespace subject::shim {\nextern const Table part[];\nconst Table part[] = {\n"
          "    {\"reads-behind\", entries_mistake_a, std::size(entries_mistake_a)},\n"
          "    {\"7\", entries_mistake_a, std::size(entries_mistake_a), &::chosen_program, 7},\n};\n}\n");
}

TEST_CASE("a program lists every table of its lists, if it has any") {
    CHECK(bundle::all_tables({{"part_0", 2}, {"part_1", 1}}) ==
          "namespace subject::shim {\nextern const Table part_0[];\nextern const Table part_1[];\n"
          "const Table* const tables[] = {&part_0[0], &part_0[1], &part_1[0], };\n"
          "const std::size_t table_count = 3;\n}\n");
    CHECK(has(bundle::all_tables({}), "tables[] = {nullptr};\nconst std::size_t table_count = 0;\n"));
}
