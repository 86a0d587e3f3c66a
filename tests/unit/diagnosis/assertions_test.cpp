#include "diagnosis/assertions.h"

#include <doctest/doctest.h>

namespace {

/// As GCC 12 prints them.
const std::string of_span =
    "/usr/include/c++/12/span:278: constexpr std::span<_Type, _Extent>::element_type& std::span<_Type, "
    "_Extent>::operator[](size_type) const [with _Type = float; long unsigned int _Extent = "
    "18446744073709551615; reference = float&; size_type = long unsigned int]: Assertion '__idx < size()' "
    "failed.\n";
const std::string of_vector =
    "/usr/include/c++/12/bits/stl_vector.h:1230: constexpr std::vector<_Tp, _Alloc>::reference "
    "std::vector<_Tp, _Alloc>::back() [with _Tp = float; _Alloc = std::allocator<float>; reference = "
    "float&]: Assertion '!this->empty()' failed.\n";
const std::string of_string =
    "/usr/include/c++/12/bits/basic_string.h:1221: constexpr std::__cxx11::basic_string<_CharT, _Traits, "
    "_Alloc>::reference std::__cxx11::basic_string<_CharT, _Traits, _Alloc>::operator[](size_type) [with "
    "_CharT = char; _Traits = std::char_traits<char>; _Alloc = std::allocator<char>]: Assertion '__pos <= "
    "size()' failed.\n";
const std::string of_optional =
    "/usr/include/c++/12/optional:477: constexpr _Tp& std::_Optional_base_impl<_Tp, _Dp>::_M_get() [with _Tp "
    "= int; _Dp = std::_Optional_base<int, true, true>]: Assertion 'this->_M_is_engaged()' failed.\n";
const std::string of_pointer =
    "/usr/include/c++/12/bits/unique_ptr.h:445: typename std::add_lvalue_reference<_Tp>::type "
    "std::unique_ptr<_Tp, _Dp>::operator*() const [with _Tp = int]: Assertion 'get() != pointer()' failed.\n";
const std::string of_function = "/usr/include/c++/12/bits/stl_algo.h:3634: constexpr const _Tp& "
                                "std::clamp(const _Tp&, const _Tp&, const _Tp&) [with _Tp = int]: Assertion "
                                "'!(__hi < __lo)' failed.\n";
const std::string of_program = "worker: row.cpp:11: void copy_row(int): Assertion `c > 4' failed.\n";

std::string words(const std::string& printed) {
    const auto found = diagnosis::failed_assertion(printed);
    return found ? found->words : "";
}

} // namespace

TEST_CASE("checks of the standard library are told in plain words") {
    CHECK(words(of_span) == "used an element of a std::span that does not exist: the index is too large");
    CHECK(words(of_vector) == "asked an empty std::vector for its last element");
    CHECK(words(of_string) == "used an element of a std::string that does not exist: the index is too large");
    CHECK(words(of_optional) == "used the value of a std::optional that holds none");
    CHECK(words(of_pointer) == "used a null std::unique_ptr");
    CHECK(words(of_program) == "failed the assertion `c > 4`");
}

TEST_CASE("of several the last one counts, and only its line goes") {
    const std::string printed = "row 1\n" + of_vector + "row 2\n" + of_span;
    const auto found = diagnosis::failed_assertion(printed);
    REQUIRE(found);
    CHECK(found->words.find("std::span") != std::string::npos);
    CHECK(printed.substr(0, found->begin) + printed.substr(found->end) == "row 1\n" + of_vector + "row 2\n");
}

TEST_CASE("what is no such line says nothing") {
    for (const std::string& printed :
         {std::string(), std::string("\n"), std::string("Assertion '"), std::string(": Assertion ' failed."),
          std::string(": Assertion '' failed."), std::string("a: Assertion 'x' failed."),
          std::string("the Assertion 'x' failed."), std::string(5000, '(') + ": Assertion 'x' failed.",
          std::string("f:1: ()>>>>::<<::(: Assertion 'x' failed")})
        CHECK(words(printed) == "");
    CHECK(words("f:1: >>>>>::a(): Assertion 'x' failed.") == "");
    CHECK(words(of_function) == "failed the check `!(__hi < __lo)` of std::clamp");
}
