"""What authors do with known mistakes: read one as a program, edit it, store one that was written elsewhere."""

import shutil

from support import SourceTree, main, mistakes

EDITOR = """#!/bin/sh
# The last argument is the file; the others are the change.
for file; do :; done
cp "$file" "$HOME/seen"
sed -i "$1" "$file"
"""


class Mistake(SourceTree):
    def setUp(self):
        super().setUp()
        self.package = self.tree / "problems/token-lookup"
        self.editor = self.folder / "editor"
        self.editor.write_text(EDITOR)
        self.editor.chmod(0o755)

    def mistake(self, name, *arguments, expect=0, editor=None):
        environment = {"TMPDIR": str(self.folder), **({"EDITOR": f"{self.editor} {editor}"} if editor else {})}
        return self.engine("mistake", "token-lookup", name, *arguments, expect=expect, environment=environment)

    def stored(self, name):
        return self.package / f"mistakes/{name}.diff"

    def everything(self):
        return {file: file.read_bytes() for file in self.tree.rglob("*") if file.is_file()}

    def test_a_mistake_is_printed_as_the_whole_program(self):
        for name in ("reads-column", "rounds-the-row-up"):
            _, program = mistakes.program(self.stored(name), self.tree)
            self.assertEqual(self.mistake(name).stdout, program)

    def test_an_unknown_mistake_gets_a_suggestion(self):
        self.assertIn("did you mean reads-column?", self.mistake("reads-columns", expect=2).stderr)
        self.engine("mistake", "token-lookup", expect=2)
        self.assertIn("token-lookup", self.engine("mistake", "token-looku", "reads-column", expect=2).stderr)

    def test_a_program_is_stored_as_its_difference_and_comes_back(self):
        before = self.everything()
        program = self.mistake("reads-column").stdout.replace("return {};", "return {}; // here")
        (self.folder / "mine.cpp").write_text(program)
        out = self.mistake("mine", "--from", self.folder / "mine.cpp").stdout
        self.assertIn("problems/token-lookup/mistakes/mine.diff: the difference from reference/token-lookup/lookup.cpp", out)
        self.assertEqual(self.mistake("mine").stdout, program)
        self.assertEqual(self.everything().keys() - before.keys(), {self.stored("mine")})
        text = self.stored("mine").read_text()
        self.assertEqual(text.count("FILL IN: "), 3)
        self.assertLess(len(text.splitlines()), 40)
        self.assertIn("mistakes/mine.diff:1: ", self.engine("verify", "token-lookup", expect=3).stdout)

    def test_what_is_broken_elsewhere_or_under_its_name_does_not_keep_a_mistake_from_being_stored(self):
        program = self.folder / "mine.cpp"
        program.write_text(self.mistake("reads-column").stdout)
        header = self.stored("reads-column").read_text().partition("--- ")[0]
        for name in ("reads-column", "rounds-the-row-up"):
            self.stored(name).write_text(self.stored(name).read_text().replace("\n-  ", "\n-no longer there"))
        (self.package / "hints.md").write_text("")
        self.assertIn("mistakes/reads-column.diff", self.mistake("reads-column", expect=3).stderr)
        done = self.mistake("reads-column", "--from", program)
        self.assertIn("rounds-the-row-up.diff", done.stderr)
        self.assertNotIn("reads-column.diff", done.stderr)
        self.assertEqual(self.stored("reads-column").read_text().partition("--- ")[0], header)

    def test_a_header_in_the_program_is_taken_and_an_old_one_stays(self):
        program = self.mistake("reads-column").stdout + "// more\n"
        (self.folder / "mine.cpp").write_text("// Says: You did.\n// Hint: Do not.\n// Symptom: None.\n" + program)
        self.mistake("mine", "--from", self.folder / "mine.cpp")
        self.assertTrue(self.stored("mine").read_text().startswith("Says: You did.\nHint: Do not.\nSymptom: None.\n--- "))
        (self.folder / "mine.cpp").write_text(program + "// and more\n")
        self.mistake("mine", "--from", self.folder / "mine.cpp")
        self.assertTrue(self.stored("mine").read_text().startswith("Says: You did.\n"))
        self.assertTrue(self.mistake("mine").stdout.endswith("// more\n// and more\n"))

    def test_a_program_of_its_own_is_stored_whole_and_takes_the_place_of_its_difference(self):
        (self.folder / "own.cpp").write_text("int a;\nint b;\nint c;\n")
        self.mistake("reads-column", "--from", self.folder / "own.cpp")
        self.assertFalse(self.stored("reads-column").exists())
        whole = (self.package / "mistakes/reads-column.cpp").read_text()
        self.assertTrue(whole.startswith("// Says: "))
        self.assertTrue(whole.endswith("\nint a;\nint b;\nint c;\n"))
        self.assertEqual(self.mistake("reads-column").stdout, "int a;\nint b;\nint c;\n")

    def test_a_right_program_and_other_line_ends_and_names_are_refused(self):
        before = self.everything()
        right = self.tree / "reference/token-lookup/lookup.cpp"
        self.assertIn("right", self.mistake("mine", "--from", right, expect=2).stderr)
        (self.folder / "mine.cpp").write_text(right.read_text().replace("\n", "\r\n"))
        self.assertIn("CR LF", self.mistake("mine", "--from", self.folder / "mine.cpp", expect=2).stderr)
        for name in ("../mine", "Mine", "a b"):
            self.assertIn("a name is", self.mistake(name, "--from", right, expect=2).stderr)
        self.mistake("mine", "--from", self.folder / "none.cpp", expect=2)
        self.mistake("mine", "--from", right, "--edit", expect=2)
        self.assertEqual(self.everything(), before)

    def test_a_folder_that_leads_out_of_the_package_is_not_written_in(self):
        shutil.move(self.package / "mistakes", self.folder / "elsewhere")
        (self.package / "mistakes").symlink_to(self.folder / "elsewhere")
        program = self.folder / "mine.cpp"
        program.write_text(self.mistake("reads-column").stdout + "\n")
        self.assertIn("is a symbolic link", self.mistake("mine", "--from", program, expect=2).stderr)
        self.assertFalse((self.folder / "elsewhere/mine.diff").exists())

    def test_the_editor_gets_header_and_program_and_the_difference_is_stored(self):
        header = self.stored("reads-column").read_text().partition("--- ")[0]
        self.mistake("reads-column", "--edit", editor="s|return.{};|&/*changed*/|")
        seen = (self.folder / "seen").read_text()
        self.assertTrue(seen.startswith("// Says: "))
        self.assertIn("namespace exercise", seen)
        self.assertEqual(self.stored("reads-column").read_text().partition("--- ")[0], header)
        self.assertIn("/*changed*/", self.mistake("reads-column").stdout)

    def test_a_new_mistake_begins_with_the_reference_and_a_template(self):
        self.mistake("new-one", "--edit", editor="s|return.{};|&/*changed*/|")
        seen = (self.folder / "seen").read_text()
        self.assertTrue(seen.endswith((self.tree / "reference/token-lookup/lookup.cpp").read_text()))
        self.assertEqual(self.stored("new-one").read_text().count("FILL IN: "), 3)

    def test_nothing_is_stored_where_nothing_changed_or_the_editor_failed(self):
        before = self.everything()
        self.assertIn("Nothing was changed", self.mistake("new-one", "--edit", editor="s/a/a/").stdout)
        self.assertIn("nothing was stored", self.mistake("new-one", "--edit", expect=2, editor="s/a").stderr)
        self.assertIn("VISUAL", self.mistake("new-one", "--edit", expect=2).stderr)
        self.assertEqual(self.everything(), before)

    def test_what_was_written_is_kept_where_it_cannot_be_stored(self):
        done = self.mistake("reads-column", "--edit", expect=3, editor="s|^//.Hint:|//.Hin:|")
        self.assertIn("reads-column.cpp: line 2: the header has neither one of Says, Hint", done.stderr)
        [kept] = self.folder.glob("engine-mistake-*/reads-column.cpp")
        self.assertIn(str(kept), done.stderr)
        self.assertIn("namespace exercise", kept.read_text())


if __name__ == "__main__":
    main()
