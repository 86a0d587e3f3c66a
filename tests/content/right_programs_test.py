"""What right_programs.py makes of verdicts, with an engine that gives those it is told to."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).parent / "right_programs.py"
ENGINE = """#!/bin/sh
[ "$1" = init ] && exit 0
case "$*" in
*two-threads*"--seed 3"*) echo '{"verdict": "wrong_answer", "tests": [{"name": "a second call", "verdict": "wrong_answer"}]}'; exit 1;;
*memcpy*"--seed 4"*) exit 4;;
*memcpy*"--seed 5"*) sleep 1; echo '{"verdict": "accepted", "tests": []}';;
*) echo '{"verdict": "accepted", "tests": []}';;
esac
"""


class RightPrograms(unittest.TestCase):
    def run_with(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            engine = pathlib.Path(folder) / "engine"
            engine.write_text(ENGINE)
            engine.chmod(0o755)
            return subprocess.run([sys.executable, "-B", PROGRAM, engine, *arguments], capture_output=True, text=True,
                                  check=False, timeout=60)

    def test_all_accepted(self):
        done = self.run_with("first-row", "--first", "1", "--seeds", "2", "--neighbours", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("seed 1: 6 of 6 accepted", done.stdout)
        self.assertIn("seed 2: 6 of 6 accepted", done.stdout)

    def test_one_is_refused_with_one_seed(self):
        done = self.run_with("--first", "2", "--seeds", "2", "first-row")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("seed 2: 6 of 6 accepted", done.stdout)
        self.assertIn("seed 3: first-row/two-threads.cpp: wrong_answer: a second call\n", done.stdout)
        self.assertIn("seed 3: 5 of 6 accepted", done.stdout)

    def test_one_could_not_be_judged(self):
        done = self.run_with("--first", "4", "first-row")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("seed 4: first-row/memcpy.cpp: not judged", done.stdout)

    def test_no_seed_is_begun_after_the_time(self):
        done = self.run_with("first-row", "--first", "5", "--seeds", "3", "--minutes", "0.01")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("seed 5: 6 of 6 accepted", done.stdout)
        self.assertIn("seeds 6 to 7: left out after 0.01 minutes", done.stdout)

    def test_what_would_judge_nothing_is_refused(self):
        for arguments in (["first-row", "no-such-problem"], ["first-row", "--seeds", "0"]):
            with self.subTest(arguments):
                self.assertEqual(self.run_with(*arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
