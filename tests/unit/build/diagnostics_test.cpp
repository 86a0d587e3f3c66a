#include "build/diagnostics.h"

#include "build/never_returns.h"
#include "build/symbols.h"

#include <doctest/doctest.h>

using build::parse_compiler_output;
using build::parse_linker_output;
using model::Severity;

namespace {

const model::Submission eight_lines{"x", {{"lookup.cpp", "1\n2\n3\n4\n5\n6\n7\n8\n"}}};

} // namespace

TEST_CASE("a message of g++ becomes file, line, column, severity and text") {
    const auto found =
        parse_compiler_output("lookup.cpp: In function ‘int f()’:\n"
                              "lookup.cpp:5:23: error: ‘vaule’ was not declared in this scope\n"
                              "lookup.cpp:6:1: warning: no return statement [-Wreturn-type]\n",
                              eight_lines);
    REQUIRE(found.size() == 2);
    CHECK(found[0].file == "lookup.cpp");
    CHECK(found[0].line == 5);
    CHECK(found[0].column == 23);
    CHECK(found[0].severity == Severity::error);
    CHECK(found[0].message == "‘vaule’ was not declared in this scope");
    CHECK(found[1].severity == Severity::warning);
}

TEST_CASE("an error in a library header is told where the learner's file led there, once") {
    const auto found =
        parse_compiler_output("In file included from /usr/include/c++/12/vector:61,\n"
                              "                 from lookup.cpp:3:\n"
                              "/usr/include/c++/12/bits/a.h: In instantiation of ‘class A<int&>’:\n"
                              "/usr/include/c++/12/bits/b.h:88:21:   required from ‘struct B<int&>’\n"
                              "lookup.cpp:6:7:   required from here\n"
                              "/usr/include/c++/12/bits/a.h:112:7: error: forming pointer to reference\n"
                              "/usr/include/c++/12/bits/a.h:142:7: error: forming another one\n",
                              eight_lines);
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == "lookup.cpp");
    CHECK(found[0].line == 6);
    CHECK(found[0].message == "forming pointer to reference (inside a.h)");
}

TEST_CASE("what a library says of a line that has an error of its own is left out") {
    const auto found = parse_compiler_output("lookup.cpp:6:4: error: no match for ‘operator<<’\n"
                                             "/usr/include/a.h: In instantiation of ‘x’:\n"
                                             "lookup.cpp:6:7:   required from here\n"
                                             "/usr/include/a.h:112:7: error: no type named ‘type’\n"
                                             "lookup.cpp:6:9: error: another of its own\n",
                                             eight_lines);
    REQUIRE(found.size() == 2);
    CHECK(found[1].message == "another of its own");
}

TEST_CASE("clang tells the learner's line in a note after the message") {
    const auto found = parse_compiler_output("/usr/include/c++/12/bits/a.h:45:23: error: invalid operands\n"
                                             "/usr/include/c++/12/bits/b.h:1:8: note: in instantiation of x\n"
                                             "lookup.cpp:8:5: note: in instantiation of y requested here\n",
                                             eight_lines);
    REQUIRE(found.size() == 1);
    CHECK(found[0].line == 8);
}

TEST_CASE("a place forged by #line is shown without a line or without its path") {
    const auto found = parse_compiler_output("lookup.cpp:70000:2: error: #error a\n"
                                             "/etc/shadow:3:2: error: #error b\n",
                                             eight_lines);
    REQUIRE(found.size() == 2);
    CHECK(found[0].line == 0);
    CHECK(found[1].file.empty());
    CHECK(found[1].message == "#error b (inside shadow)");
}

TEST_CASE("a message longer than the bound is cut between characters, and a flood is cut after 50") {
    std::string flood;
    for (int i = 1; i <= 8; ++i)
        for (int k = 0; k < 20; ++k)
            flood += "lookup.cpp:" + std::to_string(i) + ":" + std::to_string(k + 1) + ": error: e\n";
    CHECK(parse_compiler_output(flood, eight_lines).size() == 50);
    std::string text = "lookup.cpp:1:1: error: x";
    for (int i = 0; i < 2000; ++i)
        text += "ü";
    const auto found = parse_compiler_output(text, eight_lines);
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.size() == 999 + std::string("…").size());
}

TEST_CASE("paths in texts become file names, operators and comments stay") {
    CHECK(build::without_paths("cannot open '/tmp/scratch-a/x.h'") == "cannot open 'x.h'");
    CHECK(build::without_paths("‘/a/b/c.h’") == "‘c.h’");
    CHECK(build::without_paths("a / b // c") == "a / b // c");
    CHECK(build::without_paths("../../secret/y.h: no") == "y.h: no");
}

TEST_CASE("an undefined function is told in the same words for every linker") {
    const std::string wanted = "undefined reference to 'exercise::lookup(int)'";
    for (const char* text :
         {"mold: error: undefined symbol: exercise::lookup(int)\n>>> referenced by table.cpp\n",
          "ld.lld: error: undefined symbol: exercise::lookup(int)\n>>> referenced by table.cpp:3 "
          "(/b/t.cpp:3)\n",
          "/usr/bin/ld: /b/table.o: in function `answer()':\n/b/table.cpp:3: undefined reference to "
          "`exercise::lookup(int)'\n"
          "/usr/bin/ld: /b/table.cpp:4: undefined reference to `exercise::lookup(int)'\n"
          "collect2: error: ld returned 1 exit status\n"}) {
        const auto found = parse_linker_output(text, eight_lines);
        REQUIRE(found.size() == 1);
        CHECK(found[0].message == wanted);
        CHECK(found[0].file.empty());
    }
}

TEST_CASE("a symbol defined twice is told in the same words for every linker") {
    for (const char* text : {"mold: error: duplicate symbol: lookup.cpp.o: /b/shim.o: main\n",
                             "ld.lld: error: duplicate symbol: main\n>>> defined at lookup.cpp:5\n",
                             "/usr/bin/ld: /b/shim.o: in function `main':\n/b/s.cpp:2: multiple definition "
                             "of `main'; x.o:x.cpp:5: first defined here\n"}) {
        const auto found = parse_linker_output(text, eight_lines);
        REQUIRE(found.size() == 1);
        CHECK(found[0].message == "multiple definition of 'main'");
    }
}

TEST_CASE("an undefined function that the learner calls is told at the learner's line") {
    const auto found = parse_linker_output(
        "ld.lld: error: undefined symbol: helper()\n>>> referenced by lookup.cpp:7 (./lookup.cpp:7)\n",
        eight_lines);
    REQUIRE(found.size() == 1);
    CHECK(found[0].file == "lookup.cpp");
    CHECK(found[0].line == 7);
}

TEST_CASE("a function that the judge calls is the judge's, whoever calls it besides") {
    for (const char* text : {"mold: error: undefined symbol: helper()\n>>> referenced by lookup.cpp\n"
                             ">>>               lookup.cpp.o:(f())>>> referenced by table.cpp\n",
                             "/usr/bin/ld: ././lookup.cpp:7: undefined reference to `helper()'\n"
                             "/usr/bin/ld: table.cpp:(.text+0x7): undefined reference to `helper()'\n"}) {
        const auto found = parse_linker_output(text, eight_lines);
        REQUIRE(found.size() == 1);
        CHECK(found[0].message == "undefined reference to 'helper()'");
        CHECK(found[0].file.empty());
    }
    const auto own = parse_linker_output("/usr/bin/ld: ././lookup.cpp:7: undefined reference to `helper()'\n",
                                         eight_lines);
    REQUIRE(own.size() == 1);
    CHECK(own[0].message == "undefined reference to 'helper()' from lookup.cpp");
    CHECK(own[0].line == 7);
}

TEST_CASE("notes at the error's own line are left out, of others three stay") {
    std::string output = "lookup.cpp:5:2: error: no match\nlookup.cpp:5:9: note: candidate\n";
    for (int line = 1; line <= 8; ++line)
        output += "lookup.cpp:" + std::to_string(line) + ":1: note: see here\n";
    const auto found = parse_compiler_output(output, eight_lines);
    REQUIRE(found.size() == 4);
    CHECK(found[1].line == 1);
    CHECK(found[3].line == 3);
}

TEST_CASE("no text whatever makes the parsers throw") {
    for (const char* text :
         {"", ":", ": error: ", ":1: error: ", "a:99999999999999999999:1: error: b",
          "from :", "undefined reference to `", "undefined reference to `'",
          "error: duplicate symbol: ", "error: undefined symbol: '", ">>> referenced by "}) {
        CHECK_NOTHROW(parse_compiler_output(text, eight_lines));
        CHECK_NOTHROW(parse_linker_output(text, eight_lines));
    }
}

TEST_CASE("only functions are read from a symbol table") {
    CHECK(build::parse_symbols(
              "lookup.o:\n0000000000000000 T exercise::lookup(int)\n0000000000000010 t helper()\n"
              "0000000000000000 D table\n                 U memcpy\n") ==
          std::vector<std::string>{"exercise::lookup(int)", "helper()"});
}

TEST_CASE("a function without any return never returns; one that may run off its end is another matter") {
    const auto never = [](const char* message, Severity severity = Severity::warning) {
        return build::never_returns({.severity = severity, .message = message});
    };
    CHECK(never("no return statement in function returning non-void [-Wreturn-type]"));
    CHECK(never("non-void function does not return a value [-Wreturn-type]"));
    CHECK_FALSE(never("control reaches end of non-void function [-Wreturn-type]"));
    CHECK_FALSE(never("non-void function does not return a value in all control paths [-Wreturn-type]"));
    CHECK_FALSE(never("no return statement in function returning non-void", Severity::note));
}
