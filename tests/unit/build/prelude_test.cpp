#include "build/prelude.h"

#include <doctest/doctest.h>

using build::Prelude;

namespace {

Prelude choice(const std::string& text) {
    return build::choose_prelude({"x", {{"lookup.cpp", text}}});
}

} // namespace

TEST_CASE("cheap headers get the light prelude, any other header the full one") {
    CHECK(choice("#include \"contract.h\"\n") == Prelude::light);
    CHECK(choice("#include <algorithm>\n  #  include <vector>\r\n") == Prelude::light);
    CHECK(choice("#include <algorithm>\n#include <string>") == Prelude::full);
    CHECK(choice("#include <thread>") == Prelude::full);
    CHECK(choice("// #include <thread>") == Prelude::light);
}

TEST_CASE("a special function of <cmath> gets no prelude, because the preludes leave them out") {
    CHECK(choice("double y = std::legendre(2, x);") == Prelude::none);
    CHECK(choice("double y = std::erf(x);") == Prelude::light);
}

TEST_CASE("the widest need of several files decides") {
    CHECK(build::choose_prelude({"x", {{"a.cpp", "#include <span>"}, {"b.cpp", "#include <memory>"}}}) ==
          Prelude::full);
    CHECK(build::choose_prelude({"x", {{"a.cpp", "#include <memory>"}, {"b.cpp", "std::hermite(1, x)"}}}) ==
          Prelude::none);
}

TEST_CASE("malformed includes are no trouble") {
    for (const char* text :
         {"#include", "#include <", "#include <>", "#", "#include <vector", "\\\n#include\n"})
        CHECK_NOTHROW(choice(text));
}
