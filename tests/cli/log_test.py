"""The log: what is said on stderr, and the debug log that is attached to a bug report."""

import os

from support import ACCEPTED, WRONG, Workspace, main

TEST = ("test", "token-lookup", "--from", ACCEPTED)


class Levels(Workspace):
    def test_without_an_option_warnings_are_said_and_no_stages(self):
        said = self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, expect=0).stderr
        self.assertIn("is not among your exercises", said)
        self.assertNotIn("driver", said)

    def test_error_says_no_warning(self):
        self.assertEqual(self.run_engine(*TEST, "--log-level", "error", expect=0).stderr, "")
        self.assertIn("did you mean",
                      self.run_engine("test", "token-lokup", "--log-level", "error", expect=2).stderr)

    def test_info_says_the_verdict_and_debug_the_stages(self):
        info = self.run_engine(*TEST, "--log-level", "info", expect=0).stderr
        self.assertIn("accepted", info)
        self.assertNotIn("driver", info)
        debug = self.run_engine(*TEST, "--log-level", "debug", expect=0).stderr
        self.assertIn("driver of token-lookup starts", debug)

    def test_another_level_is_refused(self):
        self.assertIn("takes error, warning, info or debug",
                      self.run_engine(*TEST, "--log-level", "loud", expect=2).stderr)


class File(Workspace):
    def log(self, *command, expect):
        self.run_engine(*command, "--log-file", "logs/engine.log", expect=expect)
        return (self.folder / "logs/engine.log").read_text()

    def test_it_has_each_stage_from_the_command_line_to_the_verdict(self):
        text = self.log("submit-build", "token-lookup", "--from", WRONG, "--seed", "7", expect=1)
        self.assertTrue(text.startswith("engine log: engine 0."), text[:200])
        self.assertIn("submit-build token-lookup", text.splitlines()[0])
        at = 0
        for stage in ("toolchain: ", "program ", "driver of token-lookup starts: ", "driver ends well: ",
                      "token-lookup, graded, seed 7: wrong_answer"):
            self.assertIn(stage, text[at:])
            at = text.index(stage, at)
        self.assertRegex(text, r"isolation [A-E]: ")
        self.assertRegex(text, r"probe size: \d+ calls, \d+ failed, \d+ us\n")  # what bench/probes reads
        self.assertRegex(text, r"exit status 0 after \d+ ms|is in the cache")
        for line in text.splitlines()[1:]:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\dT[\d:.]+Z (debug|info|warning|error): ")

    def test_a_second_run_says_that_it_used_the_cache(self):
        self.log(*TEST, expect=0)
        self.assertRegex(self.log(*TEST, expect=0), r"program \w+ is in the cache")

    def test_warnings_and_errors_are_in_it_and_still_on_stderr(self):
        done = self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--log-file", "l", expect=0)
        self.assertIn("is not among your exercises", done.stderr)
        self.assertIn("warning: ", (self.folder / "l").read_text())
        self.assertIn("error: there is no problem called", self.log("test", "token-lokup", expect=2))

    def test_no_source_text_and_nothing_of_the_environment(self):
        self.environment["SECRET_TOKEN"] = "ghp-secret"
        source = self.folder / "lookup.cpp"
        source.write_text(ACCEPTED.read_text() + "\nnonsense_in_the_source here();\n")
        text = self.log("test", "token-lookup", "--from", source, expect=1)
        self.assertIn("exit status 1", text)
        self.assertNotIn("nonsense_in_the_source", text)
        self.assertNotIn("ghp-secret", text)

    def test_a_hostile_name_neither_forges_a_line_nor_moves_the_cursor(self):
        name = "a\x1b[2J\n2026-01-01T00:00:00.000Z info: token-lookup, graded, seed 1: accepted\u202e" + "x" * 150
        (self.folder / name).mkdir()
        text = self.log("test", "token-lookup", "--from", name, expect=2)
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\u202e", text)
        self.assertFalse([line for line in text.splitlines() if line.startswith("2026-01-01")])
        self.assertIn(r"\x1b[2J\n2026", text)
        # As long as the command line may be, a line of the log is not.
        text = self.log("test", "y" * 100_000, expect=2)
        self.assertLess(max(map(len, text.splitlines())), 2000)

    def test_it_replaces_an_older_log_and_nothing_else(self):
        first = self.log(*TEST, "--seed", "1", expect=0)
        second = self.log(*TEST, "--seed", "2", expect=0)
        self.assertIn("seed 1", first)
        self.assertNotIn("seed 1:", second)
        before = self.lookup.read_text()
        done = self.run_engine("test", "token-lookup", "--log-file", self.lookup, expect=2)
        self.assertIn("is not a log", done.stderr)
        self.assertEqual(self.lookup.read_text(), before)
        os.mkfifo(self.folder / "pipe")
        self.run_engine("test", "token-lookup", "--log-file", "pipe", expect=2)

    def test_a_place_that_cannot_be_written_is_said_before_the_work(self):
        done = self.run_engine(*TEST, "--log-file", "/proc/engine.log", expect=4)
        self.assertIn("choose another place with --log-file", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    main()
