// What the emulator's headers bring into a learner's object file is no definition of the emulator's own.
#include "build/file.h"
#include "build/symbol_rules.h"
#include "kernels/named.h"

#include <doctest/doctest.h>
#include <sstream>

namespace {

/// Paths of object files, with colons between them.
void expect_legal(const std::string& paths, build::Variant variant) {
    std::istringstream list(paths);
    int files = 0;
    for (std::string path; std::getline(list, path, ':'); ++files) {
        CAPTURE(path);
        const std::string object = build::read_file(path).value();
        const auto symbols = build::read_object_symbols(object);
        CHECK_FALSE(symbols.empty());
        for (const model::Diagnostic& found : build::check_symbols(symbols, variant))
            FAIL_CHECK(found.message);
    }
    CHECK(files > 5);
}

template <class T>
void expect_reversed(const std::vector<T>& got) {
    REQUIRE(got.size() == 64);
    for (int i = 0; i < 64; ++i)
        CHECK(got[static_cast<std::size_t>(i)] == 2 * (i / 32 * 32 + 31 - i % 32));
}

} // namespace

TEST_CASE("kernels and variables with names of the whole program work as others do") {
    expect_reversed(named::reversed_doubles());
    expect_reversed(named::reversed_doubles_of_floats());
}

TEST_CASE("no feature of CUDA brings a name that is refused, in either build") {
    expect_legal(PLAIN_OBJECTS, build::Variant::emulated);
    expect_legal(TRACED_OBJECTS, build::Variant::traced);
}

TEST_CASE("the emulator's own object files would be refused") {
    const std::string object = build::read_file(SHIM_OBJECT).value();
    const auto symbols = build::read_object_symbols(object);
    CHECK_FALSE(build::check_symbols(symbols, build::Variant::emulated).empty());
}
