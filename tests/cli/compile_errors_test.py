"""What learners get wrong most often in C++, and the screens they read: the place, the plain sentence, the line and a
mark under the spot."""

from screen import Screen
from support import ACCEPTED, Workspace, main

SIGNATURE = "Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out)"
HEAD = '#include "contract.h"\n'


def function(body, before="", headers=""):
    return f"{HEAD}{headers}\nnamespace exercise {{\n{before}\n{SIGNATURE} {{\n{body}\n    return {{}};\n}}\n\n}}\n"


# situation: program, what the mark is under (empty: there is no line to show), the sentence
ERRORS = {
    "semicolon missing": (
        function("    int n = 1\n    n += 1;"), "n += 1",
        "A semicolon `;` is missing at the end of the line before."),
    "closing brace missing": (function("    for (;;) {"), "", "A closing brace `}` is missing"),
    "closing brace too many": (function("    }"), "return", "This `return` is outside every function"),
    "parenthesis missing": (
        function("    if (ids.empty() return {};"), " return {};",
        "A closing parenthesis `)` is missing"),
    "comma too many": (function("    out(0,) = 1;"), ") = 1", "There is a comma `,` too many here"),
    "typographic quotes": (function("    const char* s = “text”;"), "“text”", "type a plain \" instead"),
    "misspelt type": (
        function("", before="Staus check(Ids ids);"), "Staus",
        "The name Staus is not known here: did you mean Status?"),
    "misspelt variable": (function("    out(0, 0) = tabel(0, 0);"), "tabel", "did you mean table?"),
    "misspelt name of std": (
        function("    std::vecotr<int> v;", headers="#include <vector>\n"), "vecotr",
        "did you mean std::vector?"),
    "misspelt namespace": (
        function("").replace("namespace exercise", "namespace exersise"), "Status lookup",
        "is this code inside `namespace exercise"),
    "no namespace": (
        function("").replace("namespace exercise {", "").replace("\n\n}\n", "\n"), "Status lookup",
        "is this code inside `namespace exercise"),
    "misspelt function": (
        function("").replace("lookup(", "lokup("), "lokup(",
        "your file defines lokup with these parameters: is the name misspelt?"),
    "other parameters": (
        function("").replace("Ids ids", "const int* ids"), "lookup(",
        "has different parameters from those in contract.h"),
    "helper not defined": (
        function("    copy_row(1);", before="void copy_row(int row);"), "copy_row(",
        "copy_row(int) is declared and called, but not defined"),
    "own main": (function("") + "int main() {}\n", "main(", "Your file defines main"),
    "const dropped": (function("    float* row = table.row(0);\n    (void)row;"), "(0);", "A const is dropped here"),
    "input written": (function("    table(0, 0) = 1;"), "= 1;", "This is const: it may be read but not written"),
    "narrowing": (
        function("    int n{2.5};\n    (void)n;"), "2.5",
        "Braces refuse a conversion that can lose values: write `static_cast<int>(…)`"),
    "member that is not there": (function("    return {out.height};"), "height", "no member height"),
    "matrix with subscripts": (function("    out[0][0] = 1;"), "[0][0]", "write `m(row, column)`"),
    "matrix to cout": (
        function("    std::cout << table;", headers="#include <iostream>\n"), "<< table",
        "no `<<` that prints a Matrix<const float>"),
    "header that is not there": (
        function("", headers="#include <torch/torch.h>\n"), "<torch",
        "torch/torch.h is not available"),
    "no return": (function("").replace("    return {};\n", ""), "}", "This function promises a result"),
    "copy of other types": (
        function("    std::string w[2];\n    std::copy(w, w + 2, out.row(0));",
                 headers="#include <algorithm>\n#include <string>\n"), "(w, w + 2",
        "The library function called in this line cannot turn std::string into float"),
    "empty file": ("", "", "lookup.cpp is empty: write the function there, or get the starter back with"),
}


class Telling(Workspace):
    def told(self, text):
        self.lookup.write_text(text)
        done = self.run_engine("test", "token-lookup", expect=1)
        return done.stdout.split("\n")

    def test_each_is_told_at_its_place_in_plain_words_with_the_line_and_a_mark(self):
        self.assertGreaterEqual(len(ERRORS), 20)
        for situation, (text, marked, says) in ERRORS.items():
            with self.subTest(situation):
                lines = self.told(text)
                self.assertEqual(lines[0], "✗ Does not compile: 0 of 8 points (token-lookup)")
                first = lines[lines.index("") + 1:]
                self.assertRegex(first[0], r"^  exercises/token-lookup/lookup\.cpp(:\d+:\d+)?: error: ")
                self.assertIn(says, " ".join("\n".join(first).split("\n\n")[0].split()))
                if not marked:
                    continue
                mark = next(number for number, line in enumerate(first) if line.strip() == "^")
                self.assertTrue(first[mark - 1][first[mark].index("^"):].startswith(marked), first[:mark + 1])
                number = int(first[0].split(":")[1])
                self.assertEqual(text.split("\n")[number - 1].strip()[:20], first[mark - 1].strip()[:20])

    def test_the_place_is_relative_to_where_one_stands(self):
        self.lookup.write_text(ERRORS["misspelt type"][0])
        for folder, shown in ((".", "exercises/token-lookup/lookup.cpp:4:1: error:"),
                              ("exercises", "token-lookup/lookup.cpp:4:1: error:"),
                              ("exercises/token-lookup", "lookup.cpp:4:1: error:")):
            out = self.run_engine("test", "token-lookup", cwd=self.folder / folder, expect=1).stdout
            self.assertIn(f"\n  {shown} The name Staus", out)

    def test_what_follows_from_the_first_error_is_cut_and_a_line_says_how_to_read_it(self):
        text = function("".join(f"    unknown{number}();\n" for number in range(5)))
        short = "\n".join(self.told(text))
        self.assertIn("unknown2", short)
        self.assertNotIn("unknown3", short)
        self.assertRegex(" ".join(short.split()), r"2 more messages; the first is the one to look at\. All of them: "
                                                  r"\S*engine test token-lookup -v")
        self.assertIn("unknown4", self.run_engine("test", "token-lookup", "-v", expect=1).stdout)

    def test_a_header_that_is_missing_is_a_warning_of_the_graded_run_alone(self):
        self.lookup.write_text(ACCEPTED.read_text() + "\nstatic void unused() { std::vector<int> a; }\n")
        told = "warning: vector comes from <vector>, which is not included"
        self.assertNotIn(told, " ".join(self.run_engine("test", "token-lookup", expect=0).stdout.split()))
        self.assertIn(told, " ".join(self.run_engine("submit-build", "token-lookup", expect=0).stdout.split()))


class OnScreen(Screen):
    def test_each_fits_a_usual_terminal_with_the_first_error_in_sight(self):
        for situation in ("parenthesis missing", "misspelt namespace", "copy of other types", "typographic quotes"):
            with self.subTest(situation):
                self.lookup.write_text(ERRORS[situation][0])
                self.open("test", "token-lookup")
                self.wait_for_end(1)
                screen = " ".join(self.screen().split())
                self.assertIn(ERRORS[situation][2], screen)
                self.assertIn("✗ Does not compile", screen)


if __name__ == "__main__":
    main()
