"""`engine regrade`: what a changed test, limit or engine touches, and grades that a person sets."""

import json
import re
import signal
import unittest

from classroom import LOOKUP, Classroom
from support import SourceTree, main, program_of, wait_until


class Regrade(Classroom, SourceTree):
    """Judges with a copy of token-lookup, whose tests can be changed."""

    def setUp(self):
        super().setUp()
        self.hand_in("ada", LOOKUP)
        self.hand_in("bob", self.wrong)
        self.hand_in("carl", program_of("checks-after-copying"))
        self.grade()

    def grade(self, *arguments, **more):
        return super().grade("--problem", "token-lookup", *arguments, program=self.program, **more)

    def regrade(self, *arguments, expect=0, **more):
        return self.run_engine("regrade", "hw.gradebook", *arguments, program=self.program, expect=expect, **more)

    def weaken(self):
        """From now on a negative id need not be refused: of the class, only carl's program got that wrong."""
        suite = self.tree / "problems/token-lookup/suite.cpp"
        text, changed = re.subn(r'(TEST_CASE\("a negative id is refused"\) \{\n).*?\n\}',
                                r"\1    expect_lookup(six_by_three(), {});\n}", suite.read_text(), flags=re.DOTALL)
        self.assertEqual(changed, 1)
        suite.write_text(text)

    def test_what_decides_nothing_touches_no_judgement(self):
        statement = self.tree / "problems/token-lookup/statement.md"
        statement.write_text(statement.read_text() + "\nOne more sentence.\n")
        done = self.regrade()
        self.assertIn("0 of 3 works were judged under other circumstances, 0 judged again now", done.stdout)
        self.assertIn("No grade and no test would change", done.stdout)

    def test_a_changed_test_shows_exactly_whom_it_touches_and_changes_nothing_until_told(self):
        before = self.verdicts()
        self.weaken()
        done = self.regrade()
        self.assertIn("3 of 3 works were judged under other circumstances, 3 judged again now", done.stdout)
        self.assertIn("1 student would change", done.stdout)
        self.assertIn("  carl: ", done.stdout)
        self.assertIn("a negative id is refused: wrong answer, now accepted", done.stdout)
        for name in ("ada", "bob"):
            self.assertNotIn(name, done.stdout)
        self.assertEqual(self.verdicts(), before)

        applied = self.regrade("--apply")
        self.assertIn("0 judged again now", applied.stdout)  # they were kept
        self.assertIn("1 student changed", applied.stdout)
        after = self.verdicts()
        self.assertEqual([now[0] for was, now in zip(before, after) if was != now], ["carl"])
        self.assertEqual(self.rows("SELECT count(*) FROM judgement"), [(6,)])  # the old ones are kept
        self.assertIn("0 of 3 works", self.regrade().stdout)

    def test_one_that_is_killed_leaves_the_old_grades(self):
        before = self.verdicts()
        self.change_limit()
        running = self.start_engine("regrade", "hw.gradebook", "--apply", "--jobs", "1", program=self.program)
        self.assertTrue(wait_until(lambda: self.locked_count() >= 4, 120), "no judgement was kept")
        running.send_signal(signal.SIGKILL)
        running.communicate()
        kept = self.rows("SELECT count(*) FROM judgement")[0][0]
        self.assertEqual(self.verdicts(), before)
        self.assertEqual(self.rows("SELECT max(judgement) FROM work"), [(3,)])
        self.assertIn(f"3 of 3 works were judged under other circumstances, {6 - kept} judged again now",
                      self.regrade("--apply").stdout)
        self.assertEqual(self.rows("SELECT min(judgement) FROM work"), [(4,)])

    def change_limit(self):
        """Each worker has another second of CPU time."""
        manifest = self.tree / "problems/token-lookup/problem.json"
        content = json.loads(manifest.read_text())
        content["limits"]["cpu_s"] += 1
        manifest.write_text(json.dumps(content))

    def test_a_person_sets_a_grade_and_says_why(self):
        change = ("--student", "bob", "--problem", "token-lookup", "--percent", "80", "--who", "Prof. L.")
        self.assertIn("--why", self.regrade(*change, expect=2).stderr)
        self.assertIn("80 % from now on", self.regrade(*change, "--why", "argued well").stdout)
        self.assertEqual(self.rows("SELECT student, percent, who, why FROM change"),
                         [("bob", 80.0, "Prof. L.", "argued well")])
        self.assertIn("1 changed by hand", self.grade().stdout)
        for wrong, words in ((("--student", "eve"), "the gradebook has no student eve"),
                             (("--percent", "101"), "--percent"), (("--problem", "nowhere"), "nowhere")):
            given = list(change)
            given[given.index(wrong[0]) + 1] = wrong[1]
            self.assertIn(words, self.regrade(*given, "--why", "x", expect=2).stderr)
        self.assertEqual(self.rows("SELECT count(*) FROM change"), [(1,)])

    def test_without_a_gradebook_there_is_nothing_to_regrade(self):
        done = self.run_engine("regrade", "nowhere.gradebook", expect=2)
        self.assertIn("there is no gradebook nowhere.gradebook", done.stderr)


if __name__ == "__main__":
    main()
