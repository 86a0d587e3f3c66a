"""`engine grade`: what becomes of the submissions of a class."""

import json
import os
import re
import shutil
import signal
import unittest
import zipfile

from classroom import FIRST_ROW, LOOKUP, Classroom
from support import main, wait_until


class Grade(Classroom):
    def test_a_folder_alone_is_enough(self):
        self.hand_in("ada", LOOKUP)
        self.hand_in("ada", FIRST_ROW, "first-row/row.cpp")
        self.hand_in("bob", self.wrong, "lookup.cpp")
        self.hand_in("carl", self.starter)
        with zipfile.ZipFile(self.hw / "dora.zip", "w") as archive:
            archive.writestr("dora/lookup.cpp", LOOKUP.read_text())
        with zipfile.ZipFile(self.hw / "eve.zip", "w") as archive:
            archive.writestr("../../lookup.cpp", LOOKUP.read_text())
        before = sorted(self.folder.rglob("*"))
        done = self.grade()
        self.assertIn("5 students, 2 problems, 5 submissions", done.stdout)
        self.assertIn("token-lookup: 2 accepted, 1 not accepted, 1 untouched, 1 unclear", done.stdout)
        self.assertIn("eve: eve.zip: the archive has a path that leads out of it", done.stdout)
        self.assertIn("3 judged now; the gradebook is hw.gradebook", done.stdout)  # dora has what ada has
        rows = {(student, problem): (state, verdict) for student, problem, state, verdict, _ in self.verdicts()}
        self.assertEqual(rows["ada", "first-row"], ("judged", "accepted"))
        self.assertEqual(rows["dora", "token-lookup"], ("judged", "accepted"))
        self.assertEqual(rows["bob", "token-lookup"], ("judged", "wrong_answer"))
        self.assertEqual(rows["carl", "token-lookup"], ("starter", None))
        self.assertEqual(rows["carl", "first-row"], ("missing", None))
        self.assertEqual(self.rows("SELECT name FROM mistake"), [("reads-column",)])
        self.assertEqual({row[0] for row in self.rows("SELECT isolation FROM judgement")} - {"A", "B"}, set())
        # Nothing of the instructor's own was recorded, and no student's file was touched.
        self.assertEqual([path for path in sorted(self.folder.rglob("*")) if path not in before],
                         [self.folder / "hw.gradebook"])

        again = self.grade()
        self.assertIn("0 judged now", again.stdout)
        self.hand_in("bob", LOOKUP, "lookup.cpp")  # handed in again: another attempt
        self.assertIn("0 judged now", self.grade().stdout)
        self.assertEqual(self.rows("SELECT count(*) FROM submission WHERE student = 'bob'"), [(2,)])

    def test_a_run_that_is_killed_goes_on_where_it_was(self):
        for i in range(6):
            self.hand_in(f"s{i}", self.wrong, more=f"\n// {i}\n")
        running = self.start_engine("grade", "hw", "--jobs", "1")
        kept = lambda: self.locked_count() >= 2
        self.assertTrue(wait_until(kept, 120), "no judgement was kept")
        running.kill()
        running.communicate()
        first = self.rows("SELECT id, key FROM judgement ORDER BY id")
        self.assertLess(len(first), 6)
        done = self.grade()
        self.assertIn(f"{6 - len(first)} judged now", done.stdout)
        after = self.rows("SELECT id, key FROM judgement ORDER BY id")
        self.assertEqual(after[:len(first)], first)
        self.assertEqual(len(after), 6)
        self.assertEqual({row[2:4] for row in self.verdicts()}, {("judged", "wrong_answer")})

    def test_an_interrupted_run_says_so_and_loses_nothing(self):
        for i in range(4):
            self.hand_in(f"s{i}", self.wrong, more=f"\n// {i}\n")
        running = self.start_engine("grade", "hw", "--jobs", "1")
        self.assertTrue(wait_until(lambda: self.locked_count() >= 1, 120))
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, err)
        self.assertIn("what was judged is kept", err)
        self.assertNotIn("nothing was recorded", err)
        kept = self.rows("SELECT count(*) FROM judgement")[0][0]
        self.assertGreaterEqual(kept, 1)
        self.assertIn(f"{4 - kept} judged now", self.grade().stdout)

    def test_neighbours_and_order_change_nothing(self):
        seed = self.assign(seed=7)
        for i in range(4):
            self.hand_in(f"s{i}", self.wrong if i % 2 else LOOKUP, more=f"\n// {i}\n")
        self.grade(*seed, "--gradebook", "all")
        for i in range(4):
            if i < 3:
                shutil.move(self.hw / f"s{i}", self.folder / f"s{i}")
        self.grade(*seed, "--gradebook", "one", "--jobs", "3")
        alone, everyone = self.verdicts("one"), self.verdicts("all")
        self.assertEqual(alone, [row for row in everyone if row[0] == "s3"])

    def test_a_class_list_names_students_and_who_is_missing(self):
        self.hand_in("S1", LOOKUP)
        self.hand_in("zoe", self.starter)
        roster = self.folder / "roster.csv"
        roster.write_text("\ufeffID;Name;Email\ns1;Ada;ada@x.org\ns2;Bob;bob@x.org\n", encoding="utf-8")
        done = self.grade("--roster", roster)
        self.assertIn("Not on the class list:\n  zoe", done.stdout)
        self.assertIn("Handed in nothing:\n  s2", done.stdout)
        self.assertEqual(self.rows("SELECT student FROM submission ORDER BY 1"), [("s1",), ("zoe",)])
        roster.write_text("id,name\ns1,Ada\ns1,Bob\n")
        again = self.grade("--roster", roster, expect=2)
        self.assertIn("roster.csv: line 3: the student s1 is in line 2 already", again.stderr)

    def test_what_is_wrong_is_said_before_anything_is_made(self):
        self.hand_in("ada", LOOKUP, "other.cpp")
        for arguments, words in (((), "no submission has a file of a problem"),
                                 (("--problem", "first-rwo"), "did you mean"),
                                 (self.assign("twice.json", problems=[{"id": "token-lookup"}] * 2), "/problems/1/id is assigned already"),
                                 (self.assign(deadline="2026-03-29T02:30", time_zone="Europe/Berlin"), "/deadline"),
                                 (("--assignment", "nowhere.json"), "there is no such file"),
                                 (("--jobs", "0"), "--jobs")):
            with self.subTest(arguments):
                self.assertIn(words, self.grade(*arguments, expect=2).stderr)
        self.assertIn("is no folder", self.run_engine("grade", "nowhere", expect=2).stderr)
        self.assertIn("name the folder", self.run_engine("grade", expect=2).stderr)
        self.assertEqual(list(self.folder.glob("*.gradebook")), [])

    def test_one_problem_is_judged_from_files_of_any_name(self):
        (self.hw / "ada.cpp").write_text(LOOKUP.read_text())
        (self.hw / "Bob B_12_assignsubmission_file_mine.cpp").write_text(LOOKUP.read_text())
        (self.hw / "notes.txt").write_text("x")
        done = self.grade("--problem", "token-lookup")
        self.assertIn("token-lookup: 2 accepted", done.stdout)
        self.assertIn("notes.txt is no submission", done.stderr)
        self.assertEqual(self.rows("SELECT student FROM submission ORDER BY 1"), [("Bob B",), ("ada",)])

    def test_the_assignment_decides_seeds_deadline_and_weights(self):
        for student in ("ada", "bob"):
            self.hand_in(student, LOOKUP)
        per_student = self.assign("own.json", seeds="per-student", seed=5)
        self.assertIn("2 judged now", self.grade(*per_student, "--gradebook", "own").stdout)
        self.assertEqual(self.rows("SELECT count(DISTINCT seed) FROM judgement", "own"), [(2,)])
        common = self.assign("late.json", seed=5, title="Week 3", deadline="2020-01-01T00:00",
                             problems=[{"id": "token-lookup", "weight": 3}, {"id": "first-row"}])
        self.assertIn("1 judged now", self.grade(*common, "--gradebook", "late").stdout)
        self.assertEqual(self.rows("SELECT seed FROM judgement", "late"), [(5,)])
        self.assertIn("Week 3: 2 students", self.grade("--gradebook", "late").stdout)  # kept in the gradebook
        self.assertIn("grades from 75 % to 75 %", self.grade("--gradebook", "late").stdout)
        too_late = self.assign("late.json", seed=5, deadline="2020-01-01T00:00", late={"max_days": 1})
        self.assertIn("grades from 0 % to 0 %", self.grade(*too_late, "--gradebook", "late").stdout)

    def test_answers_are_marked_with_the_submission(self):
        self.hand_in("ada", LOOKUP)
        self.hand_in("bob", LOOKUP)
        answers = {"schema": "engine.answers/1", "problem": "token-lookup", "seed": 3, "answers": {}}
        (self.hw / "ada/token-lookup/answers.json").write_text(json.dumps(answers))
        (self.hw / "bob/token-lookup/answers.json").write_text(json.dumps({**answers, "problem": "dropout"}))
        done = self.grade(*self.assign(questions_percent=50))
        self.assertIn("bob, token-lookup: cannot read token-lookup/answers.json: /problem must be", done.stdout)
        marks = self.rows("SELECT DISTINCT submission.student, mark FROM answer JOIN submission ON id = submission")
        self.assertEqual(marks, [("ada", "open")])

    def test_grades_are_exported(self):
        self.hand_in("ada", LOOKUP)
        self.hand_in("bob", self.wrong)
        done = self.grade("--export", "csv", "--output", "out/grades.csv", "--export", "html", "--output", "out/pages")
        self.assertEqual(done.stderr.count("cannot"), 0)
        self.assertIn("ada,,,,100.00,yes", (self.folder / "out/grades.csv").read_text())
        pages = {page.name: page.read_text() for page in (self.folder / "out/pages").iterdir()}
        self.assertEqual(set(pages), {"ada.html", "bob.html"})
        self.assertNotIn("ada", pages["bob.html"])
        # From the gradebook alone, and without a name.
        self.run_engine("grade", "--gradebook", "hw.gradebook", "--pseudonyms", "who.csv", "--export", "gradescope",
                        "--output", "gs", "--export", "csv", "--output", "anonymous.csv", expect=0)
        exported = "".join(file.read_text() + str(file.relative_to(self.folder))
                           for file in [*(self.folder / "gs").rglob("*.json"), self.folder / "anonymous.csv"])
        for name in ("ada", "bob"):
            self.assertNotIn(name, exported)
            self.assertIn(name, (self.folder / "who.csv").read_text())
        for arguments, words in ((("--export", "csv"), "needs a place"), (("--export", "cvs"), "csv"),
                                 (("--export", "csv", "--output", "out"), "is a folder"),
                                 (("--export", "html", "--output", "who.csv"), "needs a folder"),
                                 (("--pseudonyms", "out/grades.csv", "--export", "csv", "--output", "x.csv"), "the first row")):
            with self.subTest(arguments):
                self.assertIn(words, self.grade(*arguments, expect=2).stderr)

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "a small disk needs root and unshare")
    def test_a_full_disk_ends_the_run_and_costs_only_what_was_not_kept(self):
        for i in range(6):
            self.hand_in(f"s{i}", self.wrong, more=f"\n// {i}\n")
        (self.folder / "small").mkdir()
        script = ('mount -t tmpfs -o size=176k tmpfs small && "$@"; echo "ended with $?"; '
                  'mount -o remount,size=8m small && "$@"')
        done = self.grade("--gradebook", "small/book", "--jobs", "1",
                          prefix=("unshare", "--mount", "sh", "-c", script, "sh"))
        self.assertIn("cannot save grades in", done.stderr)
        self.assertIn("ended with 4", done.stdout)
        judged = int(re.search(r"(\d+) judged now", done.stdout).group(1))
        self.assertTrue(0 < judged < 6, judged)
        self.assertIn("token-lookup: 6 not accepted", done.stdout)

    def test_weak_isolation_is_refused(self):
        self.hand_in("ada", LOOKUP)
        ceiling = {"ENGINE_ISOLATION_CEILING": "C"}
        done = self.grade(environment=ceiling, expect=4)
        self.assertIn("isolation level B is required, and level C was observed here", done.stderr)
        self.assertFalse((self.folder / "hw.gradebook").exists())
        self.grade("--require-isolation", "C", environment=ceiling)
        self.assertEqual(self.rows("SELECT isolation FROM judgement"), [("C",)])

    @unittest.skipUnless(hasattr(os, "mkfifo"), "no named pipes here")
    def test_pipes_and_links_are_no_files(self):
        (self.hw / "ada").mkdir()
        os.mkfifo(self.hw / "ada/lookup.cpp")
        (self.hw / "bob").mkdir()
        (self.hw / "bob/lookup.cpp").symlink_to("/etc/passwd")
        done = self.grade("--problem", "token-lookup")
        self.assertIn("token-lookup: 1 missing, 1 unclear", done.stdout)
        self.assertIn("bob, token-lookup: lookup.cpp is a link", done.stdout)


if __name__ == "__main__":
    main()
