#!/usr/bin/env python3
"""Writes exercises/common/unicode_ranges.h, the letters, numbers and white space of Unicode, from utf8proc.

    cmake/unicode_ranges.py > exercises/common/unicode_ranges.h

Unicode says with general categories what a character is: L* are letters and N* numbers. White_Space is Z*, the
controls from tab to carriage return, and U+0085 (PropList.txt).
"""

import ctypes
import ctypes.util

LETTERS, NUMBERS, SEPARATORS = range(1, 6), range(9, 12), range(23, 26)  # utf8proc_category_t
SPACE_CONTROLS = {*range(0x09, 0x0E), 0x85}


def classes():
    library = ctypes.CDLL(ctypes.util.find_library("utf8proc"))
    library.utf8proc_unicode_version.restype = ctypes.c_char_p

    def kind(code):
        category = library.utf8proc_category(code)
        if category in LETTERS:
            return "letter"
        if category in NUMBERS:
            return "number"
        if category in SEPARATORS or code in SPACE_CONTROLS:
            return "space"
        return None

    return library.utf8proc_unicode_version().decode(), kind


def ranges(kind):
    """(first, last, kind) of every run of characters of one kind, in ascending order."""
    begin, running = 0, kind(0)
    for code in range(1, 0x110001):
        now = kind(code) if code < 0x110000 else None
        if now == running:
            continue
        if running is not None:
            yield begin, code - 1, running
        begin, running = code, now


def main():
    version, kind = classes()
    print(f"""#pragma once

// Written by cmake/unicode_ranges.py from utf8proc: change that, not this.

#include <string_view>

namespace contract {{

inline constexpr std::string_view unicode_version = "{version}";

enum class CharClass {{ other, letter, number, space }};

/// The characters from `first` to `last`, both included.
struct CharRange {{
    char32_t first;
    char32_t last;
    CharClass kind;
}};

/// Every letter, number and white space of Unicode, in ascending order; all others are `other`.
inline constexpr CharRange unicode_ranges[] = {{
    // clang-format off""")
    line = "   "
    for first, last, name in ranges(kind):
        row = f" {{0x{first:X}, 0x{last:X}, CharClass::{name}}},"
        if len(line + row) > 110:
            print(line)
            line = "   "
        line += row
    print(line)
    print("""    // clang-format on
};

} // namespace contract""")


if __name__ == "__main__":
    main()
