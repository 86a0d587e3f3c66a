#include "terminal/progress.h"

#include <doctest/doctest.h>

#include <sstream>

using terminal::Progress;

TEST_CASE("on a terminal the line overwrites itself and is gone at the end") {
    std::ostringstream out;
    {
        Progress progress(out, true, 40);
        progress.show("compiling");
        progress.show("test 1");
    }
    CHECK(out.str() == "compiling\r         \rtest 1\r      \r");
}

TEST_CASE("elsewhere each text is a plain line without a carriage return, written once") {
    std::ostringstream out;
    {
        Progress progress(out, false, 40);
        progress.show("compiling");
        progress.show("compiling");
        progress.show("test 1");
        progress.show("compiling");
    }
    CHECK(out.str() == "compiling\ntest 1\n");
}

TEST_CASE("the same text again writes nothing, and after clearing it writes again") {
    std::ostringstream out;
    Progress progress(out, true, 40);
    progress.show("ab");
    progress.show("ab");
    CHECK(out.str() == "ab");
    progress.clear();
    progress.clear();
    CHECK(out.str() == "ab\r  \r");
    progress.show("ab");
    CHECK(out.str() == "ab\r  \rab");
}

TEST_CASE("a line never fills the last column of a terminal") {
    std::ostringstream out;
    Progress progress(out, true, 10);
    progress.show("linking everything");
    CHECK(out.str() == "linkin...");
    std::ostringstream none;
    Progress tiny(none, true, 1);
    tiny.show("linking");
    CHECK(none.str().empty());
}

TEST_CASE("control characters and line ends do not come through") {
    std::ostringstream out;
    Progress progress(out, false, 80);
    progress.show("a\033[2Jb\r\nc");
    CHECK(out.str() == "a\\x1b[2Jb c\n");
}
