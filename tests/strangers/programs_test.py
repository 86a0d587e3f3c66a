"""Every stranger's program can be read, and says first whether it is right."""

import unittest

import programs


class Programs(unittest.TestCase):
    def test_all_are_read_and_say_what_they_are(self):
        for problem in programs.problems():
            for path in programs.all_of(problem):
                with self.subTest(problem=problem, program=path.name):
                    claim = programs.read(path).splitlines()[0]
                    self.assertRegex(claim, "^// right: ." if path.stem.startswith("r") else "^// wrong: .")

    def test_a_difference_applies_to_the_letter_or_not_at_all(self):
        base = ["a\n", "\n", "b\n", "c\n"]
        hunks = ["@@ -1,3 +1,3 @@\n", " a\n", "\n", "-b\n", "+B\n"]
        self.assertEqual(programs.applied(base, hunks), ["a\n", "\n", "B\n", "c\n"])
        with self.assertRaisesRegex(ValueError, "line 3 of the base"):
            programs.applied(["a\n", "\n", "x\n", "c\n"], hunks)


if __name__ == "__main__":
    unittest.main()
