#include "build/object_symbols.h"

#include "setup.h"

#include <algorithm>

using build::ObjectSymbol;
using build::read_object_symbols;

namespace {

/// What the machine's compiler makes of this text.
std::string object_of(const std::string& text) {
    const test::Folder folder;
    test::write(folder.path() / "a.cpp", text);
    const auto outcome = test::run(
        "/usr/bin/c++", {"-c", (folder.path() / "a.cpp").string(), "-o", (folder.path() / "a.o").string()});
    REQUIRE(outcome.ok());
    return build::read_file(folder.path() / "a.o").value();
}

const ObjectSymbol* find(const std::vector<ObjectSymbol>& symbols, const std::string& name) {
    const auto found = std::ranges::find(symbols, name, &ObjectSymbol::name);
    return found == symbols.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("names are read with what they are: defined or used, weak or strong; local ones are left out") {
    const std::string object =
        object_of("extern \"C\" int used(); extern \"C\" int perhaps() __attribute__((weak));\n"
                  "static int own() { return used(); }\n"
                  "extern \"C\" { int made() { return own() + (perhaps ? perhaps() : 0); }\n"
                  "__attribute__((weak)) int lent() { return 1; } int value; }\n");
    const auto symbols = read_object_symbols(object);
    for (const char* name : {"used", "perhaps", "made", "lent", "value"})
        REQUIRE(find(symbols, name) != nullptr);
    CHECK_FALSE(find(symbols, "used")->defined);
    CHECK_FALSE(find(symbols, "used")->weak);
    CHECK_FALSE(find(symbols, "perhaps")->defined);
    CHECK(find(symbols, "perhaps")->weak);
    CHECK(find(symbols, "made")->defined);
    CHECK_FALSE(find(symbols, "made")->weak);
    CHECK(find(symbols, "lent")->weak);
    CHECK(find(symbols, "value")->defined);
    CHECK(find(symbols, "_ZL3ownv") == nullptr);
}

TEST_CASE("a variable of which a program has one, whoever defines it, is unique") {
    const std::string object =
        object_of("template <class T> int& counter() { static int value; return value; }\n"
                  "int* kept() { static int value; return &value; }\nint plain;\n"
                  "int* taken() { return &counter<int>(); }\n");
    const auto symbols = read_object_symbols(object);
    const ObjectSymbol* unique = find(symbols, "_ZZ7counterIiERivE5value");
    REQUIRE(unique != nullptr);
    CHECK(unique->defined);
    CHECK(unique->unique);
    CHECK_FALSE(unique->weak);
    CHECK_FALSE(find(symbols, "plain")->unique);
    CHECK_FALSE(find(symbols, "_Z7counterIiERiv")->unique);
    CHECK(find(symbols, "_ZZ4keptvE5value") == nullptr); // local
}

TEST_CASE("a version is no part of a name") {
    const std::string object = object_of(
        "extern \"C\" int old(); asm(\".symver old,memcpy@GLIBC_2.2.5\"); int f() { return old(); }\n");
    const auto symbols = read_object_symbols(object);
    CHECK(find(symbols, "memcpy") != nullptr);
}

TEST_CASE("what is no object, or cut off anywhere, is read without harm") {
    CHECK(read_object_symbols("").empty());
    CHECK(read_object_symbols("\x7f"
                              "ELF and nothing else")
              .empty());
    const std::string object = object_of("int f(int a) { return a; }\n");
    for (std::size_t size = 0; size < object.size(); size += 7)
        CHECK(read_object_symbols(object.substr(0, size)).size() <= read_object_symbols(object).size());
    std::string wild = object;
    for (std::size_t at = 40; at < 64; ++at)
        wild[at] = '\xff';
    CHECK(read_object_symbols(wild).empty());
}

TEST_CASE("names that share their bytes in the object are not copied") {
    const std::string object = object_of("asm(\".globl bcd, abcd\\n bcd: abcd:\");\n");
    const auto symbols = read_object_symbols(object);
    REQUIRE(find(symbols, "bcd") != nullptr);
    REQUIRE(find(symbols, "abcd") != nullptr);
    CHECK(find(symbols, "bcd")->name.data() == find(symbols, "abcd")->name.data() + 1);
}
