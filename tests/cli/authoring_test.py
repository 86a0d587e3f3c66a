"""What authors run: a new problem from its template, and what is still missing from it."""

import json
import re
import shutil

from support import SOURCE, SourceTree, main


class Authoring(SourceTree):
    """An engine of which no more is there than its content, and an author's empty folder."""

    def setUp(self):
        super().setUp()
        (self.tree / "CMakeLists.txt").unlink()
        self.mine = self.temporary_folder()

    def engine(self, *arguments, **more):
        return super().engine(*arguments, **{"cwd": self.mine, **more})

    def files_of(self, name):
        return [file for part in ("problems", "exercises", "reference")
                for file in (self.mine / part / name).rglob("*") if file.is_file()]

    def test_new_prints_its_files_and_what_comes_next(self):
        out = self.engine("new", "my-problem", expect=0).stdout
        for file in self.files_of("my-problem"):
            self.assertIn(str(file.relative_to(self.mine)), out.splitlines())
        self.assertGreaterEqual(len(self.files_of("my-problem")), 10)
        self.assertIn("engine verify my-problem", out)
        self.assertNotIn("@ID@", "".join(file.read_text() for file in self.files_of("my-problem")))

    def test_what_editors_need_has_no_path_of_this_machine_but_in_a_folder_that_git_ignores(self):
        self.engine("new", "my-problem", expect=0)
        self.assertIn("/.engine/", (self.mine / ".gitignore").read_text().splitlines())
        written = [file for file in self.mine.rglob("*") if file.is_file() and ".engine" not in file.parts]
        self.assertNotIn(str(SOURCE), "".join(file.read_text() for file in written))
        self.assertEqual((self.mine / ".engine/common").resolve(), self.tree / "exercises/common")

        # Another problem changes none of them, and in a clone the links come back.
        (self.mine / "compile_flags.txt").write_text("-DMINE\n")
        shutil.rmtree(self.mine / ".engine")
        self.assertNotIn("compile_flags.txt", self.engine("new", "second", expect=0).stdout.splitlines())
        self.assertEqual((self.mine / "compile_flags.txt").read_text(), "-DMINE\n")
        shutil.rmtree(self.mine / ".engine")
        self.engine("prepare", "second", expect=0)
        self.assertTrue((self.mine / ".engine/headers/harness/suite.h").exists())

    def test_new_refuses_what_exists_and_what_is_no_id(self):
        self.engine("new", "my-problem", expect=0)
        (self.mine / "problems/my-problem/statement.md").write_text("mine")
        self.assertIn("exists already", self.engine("new", "my-problem", expect=2).stderr)
        self.assertEqual((self.mine / "problems/my-problem/statement.md").read_text(), "mine")
        for name in ("My-Problem", "my_problem", "../mine", ""):
            self.assertIn("an id is", self.engine("new", name, expect=2).stderr)
        self.engine("new", expect=2)

    def test_new_refuses_the_engines_own_collection(self):
        before = sorted(self.tree.rglob("*"))
        for folder in (self.tree, self.tree / "problems", self.tree / "reference/token-lookup"):
            done = self.engine("new", "my-problem", cwd=folder, expect=2)
            self.assertIn("the engine's own", done.stderr)
        self.assertEqual(sorted(self.tree.rglob("*")), before)

    def test_verify_lists_exactly_the_blanks(self):
        for options in ((), ("--cuda",)):
            with self.subTest(options):
                self.mine = self.temporary_folder()
                self.assert_nothing_but_blanks(options)

    def assert_nothing_but_blanks(self, options):
        self.engine("new", "my-problem", *options, expect=0)
        out = self.engine("verify", "--no-mutants", "my-problem", expect=3).stdout
        wanted = {f"{file.relative_to(self.mine)}:{number}"
                  for file in self.files_of("my-problem")
                  for number, line in enumerate(file.read_text().splitlines(), 1) if "FILL IN: " in line}
        listed = {line.split(": ")[0] for line in out.splitlines() if re.match(r"[\w/.-]+:\d+: ", line)}
        self.assertEqual(listed, wanted)
        self.assertIn("problems/my-problem/mistakes/: 1 mistake, at least 10 are needed", out)
        self.assertIn("problems/my-problem/questions.json: 3 questions, at least 6 are needed", out)
        self.assertNotRegex(out, "gap: (starter|reference|accepted|mistake|add|move) ")
        self.assertRegex(out, r"1 problem, 4 judgements in .*: not sound: \d+ blanks\n$")

    def test_a_suite_too_strict_for_a_right_program_is_caught_by_more_seeds(self):
        self.engine("new", "my-problem", expect=0)
        suite = self.mine / "problems/my-problem/suite.cpp"
        suite.write_text(suite.read_text().replace("for_random_sizes(16", "for_random_sizes(1"))
        # Another rounding of a few products, which a contract may allow and this suite does not.
        accepted = self.mine / "problems/my-problem/accepted/with-algorithms.cpp"
        text = accepted.read_text().replace("#include <algorithm>", "#include <algorithm>\n#include <cmath>")
        rounded = "return std::abs(x) > 3 ? std::nextafter(scale * x, INFINITY) : scale * x;"
        accepted.write_text(text.replace("return scale * x;", rounded))
        out = self.engine("verify", "--no-mutants", "my-problem", "--seed", "1", expect=3).stdout
        self.assertNotIn("gap: accepted", out)
        out = self.engine("verify", "--no-mutants", "my-problem", "--seed", "1", "--seeds", "20", expect=3).stdout
        self.assertRegex(out, r"gap: accepted with-algorithms with seed \d+ should be accepted, is wrong answer: "
                              r"random lengths agree with the reference: ")
        self.assertEqual(out.count("gap: accepted"), 1)
        self.assertNotIn("gap: reference", out)

    def test_a_deleted_mistake_is_a_gap_that_the_remedies_close(self):
        self.engine("new", "my-problem", expect=0)
        mistake = self.mine / "problems/my-problem/mistakes/ignores-the-scale.diff"
        program = self.folder / "program.cpp"
        program.write_text(self.engine("mistake", "my-problem", "ignores-the-scale", expect=0).stdout)
        mistake.unlink()
        stale, named = "kills.json: /mistakes/ignores-the-scale must", "/mistake must name a file of mistakes/"
        out = self.engine("verify", "--no-mutants", "my-problem", expect=3).stdout
        self.assertIn(stale, out)
        self.assertEqual(out.count(named), 3)
        self.assertIn("1 problem, 3 judgements", out)
        out = self.engine("verify", "--no-mutants", "--accept", "my-problem", expect=3).stdout
        self.assertNotIn(stale, out)
        self.assertEqual(out.count(named), 3)
        self.assertEqual(json.loads((self.mine / "problems/my-problem/kills.json").read_text())["mistakes"], {})
        (self.mine / "problems/my-problem/kills.json").write_text("{")
        self.engine("mistake", "my-problem", "ignores-the-scale", "--from", program, expect=0)
        self.assertTrue(mistake.exists())
        out = self.engine("verify", "--no-mutants", "--accept", "my-problem", expect=3).stdout
        self.assertNotIn("cannot read", out)
        self.assertNotIn("kills.json", out)

    def test_verify_names_the_last_blank(self):
        self.engine("new", "my-problem", expect=0)
        for file in self.files_of("my-problem"):
            file.write_text(file.read_text().replace("FILL IN: ", "Filled: "))
        statement = self.mine / "problems/my-problem/statement.md"
        statement.write_text(statement.read_text() + "\nFILL IN: the last words\n")
        out = self.engine("verify", "--no-mutants", "my-problem", expect=3).stdout
        self.assertIn("statement.md:" + str(len(statement.read_text().splitlines())) + ": the last words", out)
        self.assertTrue(out.endswith(": not sound: 1 blank\n"), out)

    def test_verify_shows_blanks_of_a_package_that_does_not_load(self):
        self.engine("new", "my-problem", expect=0)
        (self.mine / "problems/my-problem/hints.md").write_text("## Nudge\n\nFILL IN: a nudge\n")
        done = self.engine("verify", "my-problem", expect=3)
        self.assertIn("problems/my-problem/hints.md:3: a nudge", done.stdout)
        self.assertIn("problems/my-problem/hints.md", done.stderr)

    def test_a_mark_that_no_mutant_needs_is_stale(self):
        self.engine("new", "my-problem", expect=0)
        (self.mine / "problems/my-problem/equivalent.json").write_text(json.dumps(
            {"format": "engine.equivalent/1",
             "mutants": [{"line": 1, "original": "no such line", "mutation": "+ -> -", "reason": "none"}]}))
        out = self.engine("verify", "my-problem", expect=3).stdout
        self.assertIn("equivalent.json: mark 1 is stale", out)
        self.assertIn("mutation score", out)
        out = self.engine("verify", "--no-mutants", "my-problem", expect=3).stdout
        self.assertNotIn("stale", out)
        self.assertNotIn("mutation score", out)


if __name__ == "__main__":
    main()
