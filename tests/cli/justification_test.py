"""Questions after acceptance: asked on a terminal, answered from a file, printed, kept."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import sqlite3
import struct
import subprocess
import termios
import time

from support import ACCEPTED, ENGINE, SOURCE, WRONG, Workspace, main

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SEED = 7
QUESTIONS = json.loads((SOURCE / "problems/token-lookup/questions.json").read_text())["questions"]


COLUMN = next(option["id"] for option in QUESTIONS[0]["options"] if option.get("mistake") == "reads-column")


class Justification(Workspace):
    def accepted(self):
        """An accepted attempt with a known seed, and its report."""
        report = self.folder / "report.json"
        self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--record", "--seed", SEED, "--format", "json",
                        "--output", report, expect=0)
        return json.loads(report.read_text())

    def answers_file(self, answers, **changes):
        file = self.folder / "answers.json"
        file.write_text(json.dumps({"schema": "engine.answers/1", "problem": "token-lookup", "seed": SEED,
                                    "answers": answers, **changes}))
        return file

    def right_answers(self):
        """Options and outputs as the package has them; numbers worked out here, of the values on paper."""
        paper = self.run_engine("submit-justification", "token-lookup", "--print", "--seed", SEED, expect=0).stdout
        paper = " ".join(paper.split())
        row, column = map(int, re.search(r"in row (\d+), column (\d+) lie", paper).groups())
        padded = int(re.search(r"does row (\d+) begin", paper)[1])
        ids = int(re.search(r"lookup of (\d+) ids", paper)[1])
        answers = {"offset": row * 3 + column, "padded-offset": f"{padded * 776 * 4:,}", "bytes-read": f"{ids * 3} KiB"}
        for question in QUESTIONS:
            if question["kind"] == "multiple_choice":
                answers[question["id"]] = next(each["id"] for each in question["options"] if each.get("correct"))
            elif question["kind"] == "predict_output":
                answers[question["id"]] = question["answer"]["output"]
            elif question["kind"] == "short_text":
                answers[question["id"]] = {"text": "Because.", "met": [1]}
        return answers

    def mark(self, answers, expect, **changes):
        return self.run_engine("submit-justification", "token-lookup", "--answers",
                               self.answers_file(answers, **changes), expect=expect)

    def rows(self, query):
        with sqlite3.connect(self.database) as database:
            return database.execute(query).fetchall()


class Files(Justification):
    def test_all_right_reaches_the_stage_and_is_in_the_next_report(self):
        self.accepted()
        out = self.mark(self.right_answers(), 0).stdout
        self.assertIn("Questions of attempt 1: 7 right, 2 written. Now find a bug in your own program:",
                      " ".join(out.split()))
        self.assertIn("harden token-lookup", " ".join(out.split()))
        self.assertEqual(self.rows("SELECT stage FROM stage ORDER BY stage"), [("build",), ("justify",)])
        report = self.accepted()
        self.assertTrue(report["justification"]["complete"])
        self.assertEqual(report["justification"]["attempt"], 1)

    def test_a_misconception_a_slip_and_an_absurd_value_are_told_apart(self):
        self.accepted()
        right = self.right_answers()
        out = self.mark(right | {"fourth-row": COLUMN, "offset": -1e300,
                                 "bytes-read": f"{8 * 1024 * int(right['bytes-read'].split()[0])}"}, 1).stdout
        self.assertRegex(out, r"wrong fourth-row: The table is")
        self.assertRegex(out, r"wrong bytes-read: That is the number of bits")
        self.assertRegex(out, r"wrong offset: That is not it")
        self.assertIn("right padded-offset", out)
        self.assertEqual(self.rows("SELECT stage FROM stage"), [("build",)])

    def test_what_is_missing_stays_open_and_a_later_file_goes_on(self):
        self.accepted()
        answers = self.right_answers()
        first = {key: answers[key] for key in ("offset", "fourth-row")}
        self.assertIn("open bytes-read", self.mark(first, 1).stdout)
        rest = {key: value for key, value in answers.items() if key not in first}
        self.mark(rest, 0)

    def test_what_does_not_fit_is_refused_with_its_place_and_nothing_is_kept(self):
        self.accepted()
        for answers, changes, words in (
                ({"offset": "1e999"}, {}, "/answers/offset"), ({"offset": "NaN"}, {}, "/answers/offset"),
                ({"offset": ""}, {}, "empty"), ({"offset": "7" * 1_000_000}, {}, "too long"),
                ({"offset": "7" * 2_000_000}, {}, "answers.json"), ({"offset": []}, {}, "/answers/offset"),
                ({"nothing": 1}, {}, "/answers/nothing"), ({"q" * 1_000_000: 1}, {}, "/answers/qqq"),
                ({}, {"problem": "dropout"}, "/problem"),
                ({}, {"seed": SEED + 1}, "/seed"), ([], {}, "/answers"), ({}, {"more": 1}, "/more")):
            with self.subTest(words, changes=changes):
                done = self.mark(answers, 2, **changes)
                self.assertIn(words, done.stderr)
                self.assertLess(len(done.stderr), 600)
        self.assertEqual(self.rows("SELECT count(*) FROM answer"), [(0,)])

    def test_an_untouched_starter_is_asked_nothing(self):
        self.run_engine("submit-build", "token-lookup", expect=1)
        done = self.run_engine("submit-justification", "token-lookup", expect=2)
        self.assertIn("submit-build token-lookup", done.stderr)
        self.mark(self.right_answers(), 2)

    def test_without_a_terminal_nothing_is_asked(self):
        self.accepted()
        done = self.run_engine("submit-justification", "token-lookup", expect=2)
        self.assertIn("--answers FILE", done.stderr)

    def test_a_seed_alone_marks_and_says_that_nothing_is_kept(self):
        done = self.run_engine("submit-justification", "token-lookup", "--seed", SEED, "--answers",
                               self.answers_file(self.right_answers()), expect=0)
        self.assertIn("not kept", done.stderr)

    def test_without_an_id_the_problem_accepted_last_is_meant(self):
        self.accepted()
        self.assertIn("token-lookup, questions of seed 7",
                      self.run_engine("submit-justification", "--print", expect=0).stdout)


class Formats(Justification):
    def test_order_is_the_same_in_every_format_and_differs_between_seeds(self):
        report = self.accepted()
        texts = [option["text"] for option in report["questions"][0]["options"]]
        paper = self.run_engine("submit-justification", "token-lookup", "--print", "--seed", SEED, expect=0).stdout
        flat = " ".join(paper.split())
        places = [flat.index(words[:30]) for words in texts]
        self.assertEqual(places, sorted(places))
        orders = {self.run_engine("submit-justification", "token-lookup", "--print", "--seed", seed).stdout
                  for seed in range(6)}
        self.assertEqual(len(orders), 6)

    def test_paper_holds_no_answer(self):
        paper = self.run_engine("submit-justification", "token-lookup", "--print", "--seed", SEED).stdout
        for question in QUESTIONS:
            self.assertNotIn(question["explanation"][:40], paper)


class Screen(Justification):
    """The engine on a terminal of its own."""

    def start(self, *arguments, columns=80):
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.running = subprocess.Popen([str(ENGINE), *map(str, arguments)], cwd=self.folder, stdin=inner, stdout=inner,
                                        stderr=inner, env=self.environment, start_new_session=True)
        os.close(inner)
        self.outer, self.sent = outer, ""
        self.addCleanup(lambda: self.running.poll() is None and self.running.kill())

    def wait_for(self, words, seconds=60):
        """Reads until the words are on the screen; what came before them is forgotten."""
        deadline = time.monotonic() + seconds
        while words not in self.sent:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.outer], [], [], left)[0]:
                self.fail(f"no {words!r} in {self.sent!r}")
            try:
                piece = os.read(self.outer, 65536).decode(errors="replace")
            except OSError:
                self.fail(f"ended without {words!r}: {self.sent!r}")
            self.sent += piece
        before, _, self.sent = self.sent.partition(words)
        return before

    def press(self, keys):
        os.write(self.outer, keys.encode())

    def end(self, expect):
        try:
            while select.select([self.outer], [], [], 20)[0] and os.read(self.outer, 65536):
                pass
        except OSError:
            pass
        self.assertEqual(self.running.wait(timeout=20), expect)

    def offered(self):
        self.start("submit-build", "token-lookup", "--from", ACCEPTED, "--record", "--seed", SEED)
        self.wait_for("Accepted")
        self.wait_for("Press Enter to answer")

    def answer_rows(self):
        return self.rows("SELECT question, mark FROM answer ORDER BY id")

    def test_the_offer_can_be_declined_and_the_verdict_stands(self):
        for keys in ("\x04", "\x03", "n"):
            self.offered()
            self.press(keys)
            self.end(0)
        self.assertEqual(self.answer_rows(), [])

    def test_no_questions_and_what_is_not_accepted_offer_nothing(self):
        for arguments, code in (([ACCEPTED, "--no-questions"], 0), ([WRONG], 1)):
            self.start("submit-build", "token-lookup", "--record", "--from", *arguments)
            self.wait_for("graded")
            self.end(code)

    def test_record_and_report_are_complete_before_the_first_question(self):
        report = self.folder / "report.json"
        self.start("submit-build", "token-lookup", "--from", ACCEPTED, "--record", "--format", "json", "--output", report)
        self.wait_for("Press Enter to answer")
        self.assertEqual(json.loads(report.read_text())["verdict"], "accepted")
        self.assertEqual(self.rows("SELECT number, verdict FROM attempt"), [(1, "accepted")])
        self.running.send_signal(signal.SIGTERM)
        self.end(0)

    def test_questions_are_answered_left_and_resumed(self):
        self.offered()
        self.press("\r")
        self.wait_for("Question 1 of 9")
        letter = "abcd"[[each["id"] for each in self.accepted()["questions"][0]["options"]].index(COLUMN)]
        self.press(letter + "\r")
        self.wait_for("Not right.")
        self.press("\t")
        self.wait_for("Question 2 of 9")
        self.press(f"{self.right_answers()['offset']}\r")
        self.wait_for("Right.")
        self.press("\r")
        self.wait_for("Question 3 of 9")
        self.press("\x04")
        self.wait_for("submit-justification")
        self.wait_for("token-lookup") # on the next line, where the path is long
        self.end(0)
        self.assertEqual(self.answer_rows(), [("fourth-row", "wrong"), ("offset", "right")])

    def test_a_terminal_that_goes_away_loses_nothing(self):
        self.accepted()
        self.start("submit-justification", "token-lookup")
        self.wait_for("Question 1 of 9")
        self.press("\t")
        self.wait_for("Question 2 of 9")
        self.press(f"{self.right_answers()['offset']}\r")
        self.wait_for("Right.")
        os.close(self.outer)
        self.assertIn(self.running.wait(timeout=20), (1, 4, 130))
        self.assertEqual(self.answer_rows(), [("offset", "right")])
        self.start("submit-justification", "token-lookup")
        self.wait_for("Question 1 of 9")
        self.press("\t")
        self.wait_for("Question 3 of 9")  # what is right is not asked again
        self.press("\x03")
        self.end(130)

    def test_the_terminal_is_left_as_it_was(self):
        self.accepted()
        outer, inner = pty.openpty()
        before = termios.tcgetattr(inner)
        running = subprocess.Popen([str(ENGINE), "submit-justification", "token-lookup"], cwd=self.folder, stdin=inner,
                                   stdout=inner, stderr=inner, env=self.environment, start_new_session=True)
        self.addCleanup(lambda: running.poll() is None and running.kill())
        sent = b""
        while b"Answer:" not in sent:
            sent += os.read(outer, 65536)
        self.assertNotEqual(termios.tcgetattr(inner), before)
        os.write(outer, b"\x04")
        self.assertEqual(running.wait(timeout=20), 1)
        self.assertEqual(termios.tcgetattr(inner), before)

    def test_lines_fit_forty_columns(self):
        self.accepted()
        self.start("submit-justification", "token-lookup", columns=40)
        self.wait_for("Question 1 of 9")
        text = self.wait_for("Answer:")
        for line in text.replace("\r", "").split("\n"):
            self.assertLessEqual(len(ESCAPE.sub("", line)), 40, line)
        self.press("\x04")
        self.end(1)


if __name__ == "__main__":
    main()
