#include "app/values.h"

#include <doctest/doctest.h>

namespace {

std::string refused(const CLI::Validator& validator, std::string given) {
    return validator(given);
}

} // namespace

TEST_CASE("a value that is none of the names is told with them, and with the nearest") {
    const auto names = app::one_of({"auto", "always", "never"});
    CHECK(refused(names, "always").empty());
    CHECK(refused(names, "alway") == "takes auto, always or never, not 'alway'; did you mean always?");
    CHECK(refused(names, "purple") == "takes auto, always or never, not 'purple'");
    CHECK(refused(names, "") == "takes auto, always or never, not ''");
}

TEST_CASE("a number is whole, not negative, and fits") {
    const auto number = app::whole_number();
    for (const char* fine : {"0", "7", "18446744073709551615"})
        CHECK(refused(number, fine).empty());
    for (const char* wrong : {"", "-1", "+1", " 1", "1 ", "1.5", "1e3", "x", "18446744073709551616", "nan"})
        CHECK(refused(number, wrong) == std::string("takes a whole number from 0 up, not '") + wrong + "'");
}
