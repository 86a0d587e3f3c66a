#include "bundle/mistakes.h"

#include <doctest/doctest.h>

TEST_CASE("each mistake is chosen by its own name and keeps its classes to itself") {
    const std::string text = bundle::mistakes("part_1", {{"off-by-one", "/p/off-by-one.cpp"}, {"b", "b.h"}},
                                              "inline int rows_of(int a) { return a; }\nint f(int a);\n");
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    CHECK(has("#define exercise mistake_off_by_one\n#include \"/p/off-by-one.cpp\"\n#undef exercise\n"));
    CHECK(has("#define exercise mistake_b\n#include \"b.h\"\n#undef exercise\n"));
    CHECK(has("using exercise::rows_of;"));
    CHECK_FALSE(has("using exercise::f;"));
    CHECK(has("const Table part_1[] = {\n    {\"off-by-one\", entries_mistake_off_by_one,"));
}
