"""How the engine is called: help, version, mistyped names, and the exit codes that go with them."""

import json
import subprocess

from support import ACCEPTED, ENGINE, WRONG, Workspace, main

COMMANDS = ("init", "list", "show", "test", "hint", "submit-build", "status", "reset", "solution", "verify", "doctor",
            "completion", "help", "next", "select",
            "watch")


class Usage(Workspace):
    def test_help_names_every_command_and_the_exit_codes(self):
        out = self.run_engine("--help", expect=0).stdout
        for command in COMMANDS:
            self.assertRegex(out, rf"(?m)^\s+{command}\s+\S")
        self.assertIn("130 interrupted", out)

    def test_every_command_explains_itself(self):
        for command in COMMANDS:
            with self.subTest(command):
                done = self.run_engine(command, "--help", expect=0)
                self.assertIn("Usage: engine", done.stdout)
                self.assertIn(command, done.stdout)
                self.assertEqual(done.stderr, "")

    def test_help_of_a_command_that_there_is_not_is_wrong_usage(self):
        for words in (("tset", "--help"), ("--help", "tset"), ("--color", "never", "tset", "-h")):
            with self.subTest(words):
                done = self.run_engine(*words, expect=2)
                self.assertEqual(done.stdout, "")
                self.assertIn("there is no command called 'tset'; did you mean test?", done.stderr)
        for words in (("--color", "never", "--help"), ("--help",), ("--help", "test"), ("test", "--help")):
            with self.subTest(words):
                self.assertIn("engine", self.run_engine(*words, expect=0).stdout)

    def test_the_manual_page_is_the_table_of_commands_with_what_each_declares(self):
        page = self.run_engine("manual", expect=0).stdout
        self.assertTrue(page.startswith(".TH ENGINE 1 "))
        for command in COMMANDS:
            self.assertIn(f"\n.SS \\fB{command}\\fR".replace("submit-build", "submit\\-build"), page)
        for text in ("\\fB\\-\\-seed\\fR \\fINUMBER\\fR", "\\fB\\-v, \\-\\-verbose\\fR", "\n.TP\n130\ninterrupted"):
            self.assertIn(text, page)
        self.assertNotIn("manual", page + self.run_engine("--help", expect=0).stdout)

    def test_completion_offers_the_options_that_a_command_takes(self):
        script = self.run_engine("completion", "bash", expect=0).stdout
        for typed, wanted, other in (("engine ver", {"verify"}, "init"),
                                     ("engine verify --", {"--seed", "--no-mutants", "--help"}, "--from"),
                                     ("engine test --format j", {"json", "junit"}, "console"),
                                     ("engine show drop", {"dropout"}, "token-lookup")):
            with self.subTest(typed):
                words = typed.split()
                ask = (script + f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _engine; "
                       "printf '%s\\n' \"${COMPREPLY[@]}\"")
                done = subprocess.run(["bash", "-c", ask], text=True, capture_output=True, check=True)
                offered = set(done.stdout.split())
                self.assertLessEqual(wanted, offered)
                self.assertNotIn(other, offered)

    def test_the_judging_commands_list_their_options(self):
        for command in ("test", "submit-build"):
            out = self.run_engine(command, "--help", expect=0).stdout
            for option in ("--from", "--format", "--output", "--seed", "--require-isolation", "--color", "--timings",
                           "--exit-zero", "--verbose"):
                self.assertIn(option, out)

    def test_the_version_is_one_line(self):
        self.assertRegex(self.run_engine("--version", expect=0).stdout, r"\Aengine \d+\.\d+\.\d+(\+[0-9a-f]{10})?\n\Z")

    def test_a_mistyped_command_gets_a_suggestion(self):
        done = self.run_engine("tset", expect=2)
        self.assertIn("did you mean test?", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_help_is_a_command_too(self):
        self.assertEqual(self.run_engine("help", expect=0).stdout, self.run_engine("--help", expect=0).stdout.replace(
            "  --version                   print the version and end\n", ""))
        self.assertEqual(self.run_engine("help", "test", expect=0).stdout,
                         self.run_engine("test", "--help", expect=0).stdout)
        self.assertIn("there is no command called 'tset'; did you mean test?",
                      self.run_engine("help", "tset", expect=2).stderr)

    def test_mistyped_options_and_values_get_a_suggestion_and_no_words_of_the_library(self):
        for typed, told in ((["test", "--sed", "3"], "test takes no option --sed; did you mean --seed?"),
                            (["test", "--sed=3"], "test takes no option --sed; did you mean --seed?"),
                            (["--versoin"], "engine takes no option --versoin; did you mean --version?"),
                            (["test", "--format", "jsn"], "not 'jsn'; did you mean json?"),
                            (["test", "--color", "alway"],
                             "takes auto, always or never, not 'alway'; did you mean always?"),
                            (["test", "--device", "cpuu"],
                             "takes auto, cpu, cuda or emulated, not 'cpuu'; did you mean cpu?"),
                            (["test", "--seed", "x"], "--seed: takes a whole number from 0 up, not 'x'"),
                            (["test", "--seed", "99999999999999999999"], "takes a whole number from 0 up"),
                            (["completion", "fish"], "takes bash or zsh, not 'fish'"),
                            (["test", "1", "2"], "test takes one problem at a time"),
                            (["list", "extra"], "list does not take extra")):
            with self.subTest(typed):
                error = self.run_engine(*typed, expect=2).stderr
                self.assertIn(told, error)
                self.assertIn("help", error)
                for word in ("not in", "FAILED", "was not expected", "At Most", "range"):
                    self.assertNotIn(word, error)

    def test_a_word_like_no_command_gets_none(self):
        done = self.run_engine("zzzzzzzzzzz", expect=2)
        self.assertIn("'zzzzzzzzzzz'", done.stderr)
        self.assertNotIn("did you mean", done.stderr)

    def test_a_mistyped_problem_gets_a_suggestion(self):
        for command in ("test", "submit-build", "show", "hint", "reset", "solution", "verify"):
            with self.subTest(command):
                done = self.run_engine(command, "token-lokup", expect=2)
                self.assertIn("did you mean token-lookup?", done.stderr)

    def test_a_problem_id_is_no_path(self):
        for name in ("../problems/token-lookup", "..", "/", "token-lookup/", "", "."):
            with self.subTest(name):
                self.run_engine("show", name, expect=2)

    def test_wrong_options_are_usage_errors(self):
        for arguments in (["test", "--no-such-option"], ["test", "--seed", "many"], ["test", "--seed", "-1"],
                          ["test", "--seed", "18446744073709551616"], ["test", "--seed", "1e3"], ["test", "--seed", ""],
                          ["test", "--format", "yaml"], ["test", "--require-isolation", "F"],
                          ["test", "--color", "pink"], ["completion", "fish"], ["completion"], ["reset"],
                          ["test", "token-lookup", "learned-positions"], ["list", "extra"], ["list", "status"]):
            with self.subTest(arguments):
                done = self.run_engine(*arguments, expect=2)
                self.assertEqual(done.stdout, "")
                self.assertTrue(done.stderr.startswith("engine: "), done.stderr)

    def test_hostile_names_come_back_without_escape_codes(self):
        for arguments in (["\x1b[31mred"], ["show", "\x1b]0;title\x07"], ["test", "--from", "\x1b[2J"],
                          ["test", "--\x1b[2J"]):
            done = self.run_engine(*arguments, expect=2)
            self.assertNotIn("\x1b", done.stderr)
            self.assertNotIn("\x07", done.stderr)


class ExitCodes(Workspace):
    def test_an_accepted_submission_ends_with_0(self):
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, expect=0)

    def test_a_wrong_one_with_1(self):
        self.run_engine("test", "token-lookup", "--from", WRONG, expect=1)

    def test_an_untouched_starter_with_1_and_the_next_step(self):
        done = self.run_engine("submit-build", expect=1)
        self.assertIn("not implemented", done.stdout.lower())
        self.assertIn("engine show first-row", " ".join(done.stdout.split()))
        self.assertNotIn("Calls of", done.stdout)

    def test_one_that_does_not_compile_with_1(self):
        self.lookup.write_text("this is not C++\n")
        self.run_engine("test", "token-lookup", expect=1)

    def test_exit_zero_hides_a_wrong_answer(self):
        self.run_engine("test", "token-lookup", "--from", WRONG, "--exit-zero", expect=0)

    def test_exit_zero_hides_neither_wrong_usage_nor_a_failure_to_judge(self):
        self.run_engine("test", "token-lokup", "--exit-zero", expect=2)
        self.run_engine("test", "--exit-zero", "--format", "json", "--output", "/proc/nowhere/r.json", expect=4)

    def test_isolation_below_the_floor_ends_with_4_and_nothing_is_recorded(self):
        level = self.isolation_level()
        if level == "A":
            self.skipTest("the strongest isolation is available here: there is nothing stronger to ask for")
        done = self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--record", "--require-isolation", chr(ord(level) - 1),
                               expect=4)
        self.assertIn(f"level {level} was observed", done.stderr)
        self.assertIn("engine doctor", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.attempts(), "")

    def test_isolation_at_the_floor_is_enough(self):
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--require-isolation", self.isolation_level(),
                        expect=0)

    def isolation_level(self):
        out = self.run_engine("doctor", expect=0).stdout
        return out.partition("Isolation: level ")[2][0]


class Streams(Workspace):
    def test_without_stdin_it_works(self):
        done = self.shell(f'exec "{ENGINE}" test token-lookup --from "{ACCEPTED}" <&-')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_closed_stdout_is_said_and_ends_with_4(self):
        for command in ("list", f"test token-lookup --from '{ACCEPTED}'"):
            done = self.shell(f'exec "{ENGINE}" {command} >&-')
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("cannot write", done.stderr)

    def test_a_full_stdout_ends_with_4(self):
        done = self.shell(f'exec "{ENGINE}" list >/dev/full')
        self.assertEqual(done.returncode, 4)
        self.assertIn("cannot write to stdout: the disk is full", done.stderr)

    def test_each_reason_for_which_stdout_is_not_written_has_its_own_words(self):
        done = self.shell(f'ulimit -f 0; exec "{ENGINE}" list >listed')
        self.assertEqual((done.returncode, "ulimit -f" in done.stderr), (4, True), done.stderr)
        done = self.shell(f'exec "{ENGINE}" list >&-')
        self.assertEqual((done.returncode, "it is closed" in done.stderr), (4, True), done.stderr)
        done = self.shell(f'{{ sleep 0.3; "{ENGINE}" list; echo $? >code; }} 2>errors | true; cat code errors')
        self.assertIn("the program that reads it has ended", done.stdout)

    def test_low_limits_are_named(self):
        for limit in ("-v 60000", "-v 200000", "-n 5", "-n 12", "-f 0", "-s 64"):
            done = self.shell(f'ulimit {limit}; exec "{ENGINE}" test token-lookup --from "{ACCEPTED}"')
            with self.subTest(limit):
                self.assertIn(done.returncode, (0, 1, 4), done.stderr)
                if done.returncode == 4:
                    self.assertRegex(done.stdout + done.stderr, "ulimit|Too many open files|File too large|File size limit")

    def test_a_report_file_does_not_take_the_place_of_a_closed_stream(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed):
                self.shell(f'exec "{ENGINE}" test token-lookup --from "{WRONG}" --format json --output r.json {closed}')
                report = json.loads((self.folder / "r.json").read_text())
                self.assertEqual(report["verdict"], "wrong_answer")
                (self.folder / "r.json").unlink()

    def test_a_reader_who_leaves_early_causes_no_crash(self):
        for command in ("show", f"test token-lookup --from '{ACCEPTED}'"):
            done = self.shell(f'"{ENGINE}" {command} 2>errors | true; echo "${{PIPESTATUS[0]}}"')
            self.assertIn(done.stdout.strip(), ("0", "4"))
            self.assertNotIn("terminate", (self.folder / "errors").read_text())

    def test_results_go_to_stdout_and_progress_to_stderr(self):
        fresh = self.temporary_folder()
        done = self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--format", "json", expect=0,
                               environment={"XDG_CACHE_HOME": str(fresh)})
        self.assertTrue(done.stdout.startswith("{"))
        self.assertIn("preparing the standard headers", done.stderr)

    def test_a_vanished_current_folder_is_no_crash(self):
        done = self.shell(f'mkdir gone && cd gone && rmdir ../gone && exec "{ENGINE}" --version')
        self.assertEqual(done.returncode, 0, done.stderr)

    def shell(self, text):
        done = subprocess.run(["bash", "-c", text], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=300, check=False)
        self.assert_calm(done)
        return done


if __name__ == "__main__":
    main()
