"""Pictures of what a submission computes: drawn from a scene that runs in the sandbox, and from whatever it prints."""

import json
import re
import shutil
import unittest
import xml.etree.ElementTree

from support import ACCEPTED, SOURCE, Workspace, main

PROBLEMS = sorted(file.parent.name for file in SOURCE.glob("problems/*/picture.c*"))


class Visualize(Workspace):
    def setUp(self):
        super().setUp()
        shutil.copy(ACCEPTED, self.lookup)

    def page(self, problem="token-lookup"):
        return (self.folder / f"pictures/{problem}.html").read_text()

    def with_body(self, body):
        """token-lookup, drawn with a function of this body."""
        self.lookup.write_text('#include "contract.h"\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n'
                               "namespace exercise {\nStatus lookup(Matrix<const float> table, Ids ids, Matrix<float>"
                               " out) {\n(void)table; (void)ids; (void)out;\n" + body + "\nreturn {};\n}\n}\n")
        return self.run_engine("visualize", "token-lookup")

    def test_characters_here_and_a_page_in_the_workspace(self):
        done = self.run_engine("visualize", "token-lookup", expect=0)
        self.assertIn("embedding table", done.stdout)
        self.assertIn("██", done.stdout)
        self.assertIn("pictures/token-lookup.html", done.stderr)
        self.assertIn("<title>Looking up four tokens</title>", self.page())
        self.assertFalse(self.database.exists())

    def test_the_scenes_of_all_problems_draw_their_references(self):
        curriculum = json.loads((SOURCE / "problems/curriculum.json").read_text())
        self.assertEqual(PROBLEMS, sorted(curriculum["problems"]))
        for problem in PROBLEMS:
            with self.subTest(problem):
                done = self.run_engine("visualize", problem, "--from", SOURCE / "reference" / problem,
                                       "--format", "html", "--output", "page.html", expect=0)
                self.assertNotIn("cannot be drawn", done.stdout)
                self.assertIn("<svg", (self.folder / "page.html").read_text())

    def test_formats_go_where_they_are_sent(self):
        done = self.run_engine("visualize", "token-lookup", "--format", "svg", "--output", "a.svg", "--format", "html",
                               expect=0)
        self.assertTrue(done.stdout.startswith("<!doctype html>"))
        xml.etree.ElementTree.parse(self.folder / "a.svg")
        self.assertFalse((self.folder / "pictures").exists())
        self.assertIn("--format", self.run_engine("visualize", "--output", "a.svg", expect=2).stderr)
        self.assertIn("would replace", self.run_engine("visualize", "token-lookup", "--format", "svg", "--output",
                                                       self.lookup, expect=2).stderr)
        self.assertIn("takes text, html or svg", self.run_engine("visualize", "--format", "png", expect=2).stderr)

    def test_a_wrong_copy_is_drawn_as_it_is(self):
        right = self.run_engine("visualize", "token-lookup").stdout
        done = self.with_body("for (std::size_t r = 0; r < out.rows; ++r) for (std::size_t c = 0; c < out.cols; ++c) "
                              "out(r, c) = -1;")
        self.assertEqual(done.returncode, 0)
        self.assertNotEqual(done.stdout, right)

    def test_numbers_that_are_none_make_a_whole_page(self):
        done = self.with_body("float odd[] = {NAN, INFINITY, -INFINITY, 1e38F, -1e-45F};\n"
                              "for (std::size_t r = 0; r < out.rows; ++r) for (std::size_t c = 0; c < out.cols; ++c) "
                              "out(r, c) = odd[(r * 3 + c) % 5];")
        self.assertIn("? is NaN", done.stdout)
        self.assertIn("NaN (crossed cells)", self.page())
        self.assertIn("are NaN or infinite", self.page())

    def test_what_is_missing_is_said_where_the_picture_would_be(self):
        for body, said in (
                ("return {Code::shape_mismatch};", "refused a call that is right"),
                ("not_implemented(__func__);", "lookup is not implemented yet"),
                ("std::abort();", "ended before the picture was whole"),
                ("for (;;) {}", "before the picture was whole"),
                ('std::puts("\\n@ chart heat 2 2 x\\n@ values 1 2 3 4 5");', "no figure has begun"),
                ('std::puts("\\n@ figure a\\n@ chart heat 9999 9999 x");', "can be drawn"),
                ('std::puts("\\n@ \\x1b[31mred <script>");', "there is nothing called"),
                ('for (int i = 0; i < 10000000; ++i) std::puts("megabytes of nothing");', "KiB")):
            with self.subTest(said):
                done = self.with_body(body)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(said, re.sub(r"\s+", " ", done.stdout))
                self.assertNotIn("\x1b", done.stdout)
                self.assertNotIn("<script", self.page())
                self.assertTrue(self.page().rstrip().endswith("</html>"))

    def test_a_file_that_does_not_compile_is_told_with_its_line(self):
        self.lookup.write_text('#include "contract.h"\nnamespace exercise { int x = ; }\n')
        done = self.run_engine("visualize", "token-lookup", expect=1)
        self.assertIn("does not compile", done.stdout)
        self.assertIn("lookup.cpp:2", done.stdout)

    def test_a_problem_without_a_scene_names_those_that_have_one(self):
        without = sorted(set(path.name for path in (SOURCE / "problems").iterdir() if path.is_dir()) - set(PROBLEMS))
        if not without:
            self.skipTest("every problem has a scene")
        self.assertIn("token-lookup", self.run_engine("visualize", without[0], expect=2).stderr)

    def learn_from(self, text, **more):
        """train-embeddings with its reference and a text of the user's."""
        (self.folder / "text.txt").write_bytes(text)
        return self.run_engine("visualize", "train-embeddings", "--from", SOURCE / "reference/train-embeddings",
                               "--text", "text.txt", "--format", "text", **more)

    def test_a_text_of_the_users_is_learned_from(self):
        done = self.learn_from(b"Salt burns yellow. Copper burns green. Zinc burns white! " * 30, expect=0)
        for word in ("salt", "copper", "zinc"):
            self.assertIn(word, done.stdout)
        self.assertNotIn("cat", done.stdout)
        self.assertNotIn("@ progress", done.stdout + done.stderr)
        self.assertIn("fewer than two words", self.learn_from(b"\xff\xfe ... ").stdout)

    def test_what_is_no_text_is_not_learned_from(self):
        for text, said in ((b"", "is empty"), (b"a\0b", "zero bytes"), (b"a " * (3 << 20), "larger than 4 MiB")):
            with self.subTest(said):
                self.assertIn(said, re.sub(r"\s+", " ", self.learn_from(text, expect=2).stderr))
        missing = self.run_engine("visualize", "train-embeddings", "--text", "none.txt", expect=2)
        self.assertIn("none.txt does not exist", missing.stderr)
        self.assertIn("need no text", self.run_engine("visualize", "token-lookup", "--text", self.lookup,
                                                      expect=2).stderr)

    def test_a_screen_reader_gets_descriptions(self):
        done = self.run_engine("visualize", "token-lookup", "--plain", expect=0)
        self.assertNotIn("█", done.stdout)
        self.assertIn("out: 4 rows, 3 columns", done.stdout)


if __name__ == "__main__":
    main()
