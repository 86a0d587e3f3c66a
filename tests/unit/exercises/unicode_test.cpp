#include "common/unicode.h"

#include <doctest/doctest.h>
#include <utf8proc.h>

#include <array>
#include <string_view>

using namespace contract;

namespace {

CharClass from_utf8proc(utf8proc_int32_t code) {
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO: return CharClass::letter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO: return CharClass::number;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return CharClass::space;
    default: return (code >= 0x09 && code <= 0x0D) || code == 0x85 ? CharClass::space : CharClass::other;
    }
}

Char first_of(std::string_view text) {
    return char_at({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 0);
}

} // namespace

TEST_CASE("the table of classes is that of utf8proc, where the versions are the same") {
    if (unicode_version != utf8proc_unicode_version()) {
        MESSAGE("skipped: utf8proc has another version of Unicode, ", utf8proc_unicode_version());
        return;
    }
    int different = 0;
    for (utf8proc_int32_t code = 0; code < 0x110000; ++code)
        different += class_of(static_cast<char32_t>(code)) != from_utf8proc(code);
    CHECK(different == 0);
}

TEST_CASE("classes of some characters, whatever the version") {
    CHECK(class_of(U'a') == CharClass::letter);
    CHECK(class_of(U'\u00E9') == CharClass::letter);
    CHECK(class_of(U'\u4E16') == CharClass::letter);
    CHECK(class_of(U'7') == CharClass::number);
    CHECK(class_of(U'\u00B2') == CharClass::number);
    CHECK(class_of(U'\u2167') == CharClass::number);
    for (const char32_t space : {U' ', U'\t', U'\n', U'\r', U'\u0085', U'\u00A0', U'\u2028', U'\u3000'})
        CHECK(class_of(space) == CharClass::space);
    for (const char32_t other :
         {U'\0', U'!', U'\'', U'_', U'\x1C', U'\u0301', U'\u200B', U'\U0001F600', char32_t{0x110000}})
        CHECK(class_of(other) == CharClass::other);
}

TEST_CASE("every character of UTF-8 is read as what it is") {
    int different = 0;
    for (utf8proc_int32_t code = 0; code < 0x110000; ++code) {
        if (code >= 0xD800 && code < 0xE000) continue;
        std::array<utf8proc_uint8_t, 4> bytes{};
        const auto size = static_cast<std::size_t>(utf8proc_encode_char(code, bytes.data()));
        const Char got = char_at({bytes.data(), size}, 0);
        different += got.bytes != size || got.kind != class_of(static_cast<char32_t>(code));
    }
    CHECK(different == 0);
}

TEST_CASE("a byte that begins no character is one of its own") {
    for (const std::string_view text :
         {"\x80",
          "\xBF"
          "a",
          "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x9F\xBF", "\xE2\x82", "\xE2(\xA1", "\xED\xA0\x80",
          "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
        CAPTURE(text);
        CHECK(first_of(text).bytes == 1);
        CHECK(first_of(text).kind == CharClass::other);
    }
    CHECK(first_of("").bytes == 0);
}
