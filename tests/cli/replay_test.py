"""A judgement repeated from its report."""

import json
import shutil
import unittest

from support import ACCEPTED, WRONG, Workspace, main


class Replay(Workspace):
    def setUp(self):
        super().setUp()
        self.report = self.folder / "report.json"

    def judge(self, command, program, *options, expect):
        shutil.copy(program, self.lookup)
        self.run_engine(command, "token-lookup", "--format", "json", "--output", self.report, *options,
                        expect=expect)
        return json.loads(self.report.read_text())

    def replay(self, *arguments, expect):
        return self.run_engine("replay", self.report, *arguments, expect=expect)

    def test_the_same_program_ends_as_it_did(self):
        before = self.judge("test", WRONG, expect=1)
        attempts = self.attempts()
        done = self.replay("--format", "json", expect=1)
        after = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        for key in ("seed", "verdict", "collection", "toolchain", "diagnosis"):
            self.assertEqual(after[key], before[key])
        for key in ("name", "verdict", "message", "mismatch"):
            self.assertEqual([test[key] for test in after["tests"]], [test[key] for test in before["tests"]])
        self.assertEqual(after["attempt"], 0)
        self.assertEqual(self.attempts(), attempts)
        self.assertIn("All ended as in the report.", self.replay(expect=1).stdout)

    def test_a_graded_run_is_repeated_as_one(self):
        before = self.judge("submit-build", ACCEPTED, expect=0)
        after = json.loads(self.replay("--format", "json", expect=0).stdout)
        self.assertEqual(len(after["tests"]), len(before["tests"]))
        self.assertTrue(after["sanitizer"]["ran"])
        self.assertEqual((before["depth"], after["depth"]), ("graded", "graded"))

    def test_a_thorough_run_is_repeated_as_one(self):
        graded = self.judge("submit-build", ACCEPTED, expect=0)
        before = self.judge("submit-build", ACCEPTED, "--thorough", expect=0)
        after = json.loads(self.replay("--format", "json", expect=0).stdout)
        self.assertEqual((before["depth"], after["depth"]), ("thorough", "thorough"))
        self.assertEqual(after["worker_calls"], before["worker_calls"])
        self.assertGreater(before["worker_calls"], graded["worker_calls"])

    def test_the_report_of_an_older_engine_is_repeated(self):
        for command, program, expect in (("test", WRONG, 1), ("submit-build", WRONG, 1)):
            report = self.judge(command, program, expect=expect)
            graded = report["graded"]
            for key in ("minor", "graded", "depth", "stage", "summary", "next"):
                del report[key]
            for test in report["tests"]:
                test.pop("concept")
                test.pop("place", None)
            for test in report["tests"]:
                if test.get("mismatch"):
                    for key in ("what", "different", "total"):
                        del test["mismatch"][key]
            for mistake in report["diagnosis"]:
                del mistake["certain"]
            del report["toolchain"]["nvcc_compiled"], report["timing_ms"]["cached"]
            self.report.write_text(json.dumps(report))
            done = self.replay("--format", "json", expect=expect)
            self.assertEqual(json.loads(done.stdout)["graded"], graded)
            self.assertEqual(done.stderr, "")

    def test_a_report_that_lacks_what_its_minor_version_has_is_refused(self):
        report = self.judge("test", ACCEPTED, expect=0)
        del report["graded"]
        self.report.write_text(json.dumps(report))
        self.assertIn("graded", self.replay(expect=2).stderr)

    def test_another_program_ends_otherwise(self):
        self.judge("test", ACCEPTED, expect=0)
        out = " ".join(self.replay("--from", WRONG, expect=1).stdout.split())
        self.assertIn("Different from the report: 'four ids pick four rows' was accepted and is wrong_answer;", out)

    def test_what_changed_since_is_told(self):
        report = self.judge("test", ACCEPTED, expect=0)
        report["toolchain"]["compiler"] = "g++ 1.0"
        report["collection"]["hash"] = "0" * 64
        self.report.write_text(json.dumps(report))
        said = self.replay(expect=0).stderr
        self.assertIn("since this report was written, the compiler was g++ 1.0 and is ", said)
        self.assertIn("since this report was written, the collection has changed", said)

    def test_what_is_no_report_is_refused(self):
        report = self.judge("test", ACCEPTED, expect=0)
        for text in ("", "[", "{}", "not JSON", " " * 1_000_000, json.dumps({**report, "schema": "engine.report/9"}),
                     json.dumps({**report, "seed": "99999999999999999999"}), json.dumps({**report, "seed": -1})):
            self.report.write_text(text)
            self.assertIn("replay takes a report that was written with --format json", self.replay(expect=2).stderr)
        self.report.unlink()
        self.replay(expect=2)

    def test_a_report_of_a_problem_that_is_not_there(self):
        report = self.judge("test", ACCEPTED, expect=0)
        report["problem"]["id"] = "token-lokup"
        self.report.write_text(json.dumps(report))
        self.assertIn("did you mean token-lookup?", self.replay(expect=2).stderr)


if __name__ == "__main__":
    main()
