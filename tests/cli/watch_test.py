"""`watch`: a test on every save, on a screen of its own."""

import os
import shutil
import signal
import subprocess

from screen import Screen
from support import ACCEPTED, ENGINE, PROBLEMS, WRONG, Workspace, main, wait_until

KEYS = "Keys: h hint, l list, n next, r run, q quit"


class Watching(Screen):
    def start(self, source=WRONG, **more):
        shutil.copy(source, self.lookup)
        self.open("watch", "token-lookup", **more)
        self.wait_for(KEYS)

    def runs(self):
        """How many runs there were, by the attempt that the last one shows."""
        words = self.screen(with_history=True).split()
        return int(words[len(words) - 1 - words[::-1].index("attempt") + 1])

    def wait_for_run(self, number):
        self.assertTrue(wait_until(lambda: self.runs() == number and KEYS in " ".join(self.screen().split())),
                        self.screen())

    def test_each_save_is_a_run_on_a_fresh_screen_with_the_verdict_last(self):
        self.start()
        self.assertIn("✗ Wrong answer: 4 of 8 points (token-lookup)", self.lines())
        shutil.copy(ACCEPTED, self.lookup)
        self.wait_for("✓ Accepted")
        lines = self.lines()
        self.assertTrue(lines[0].startswith("exercises/token-lookup/lookup.cpp at "), lines)
        self.assertNotIn("✗ Wrong answer: 4 of 8 points (token-lookup)", lines)
        verdict = lines.index("✓ Accepted: 8 of 8 points (token-lookup)")
        self.assertEqual(lines[verdict + 1], "  All 13 visible tests passed.")
        self.assertLess(max(n for n, line in enumerate(lines) if line.endswith(" 8/8")), verdict)
        self.assertIn("→ Hand it in with:", " ".join(lines[verdict:]))
        self.assertTrue(lines[-1].endswith(KEYS), lines)

    def test_editors_that_write_another_file_and_rename_it_are_noticed_once(self):
        self.start()
        other = self.lookup.with_name("4913")
        for number in (2, 3):
            shutil.copy(ACCEPTED, other)
            os.replace(self.lookup, self.lookup.with_name("lookup.cpp~"))  # as vim keeps a backup
            os.replace(other, self.lookup)
            self.wait_for_run(number)
        self.lookup.with_name("notes.txt").write_text("no part of the submission")
        self.assertFalse(wait_until(lambda: self.runs() != 3, 1))

    def test_keys_show_a_hint_and_the_list_run_again_and_quit(self):
        self.start()
        self.press("h")
        self.wait_for("hint 1 of 4")
        self.press("h")
        self.wait_for("hint 2 of 4")
        self.press("l")
        self.wait_for(f"{len(PROBLEMS)} {PROBLEMS[-1]}")
        self.press("n")
        self.wait_for("token-lookup is not accepted yet. To hand it in, in another terminal:")
        self.press("x", "Up", "r")
        self.wait_for_run(2)
        self.press("q")
        self.wait_for_end(0)

    def test_next_goes_on_to_the_next_problem_once_this_one_is_accepted(self):
        self.start(ACCEPTED)
        self.run_engine("submit-build", "token-lookup", expect=0)
        self.press("n")
        self.wait_for("(gather-any-shape)")
        self.assertTrue(self.lines()[0].startswith("exercises/gather-any-shape/"), self.lines())
        self.assertIn("(gather-any-shape)", self.run_engine(expect=0).stdout)

    def test_a_file_that_goes_is_told_and_what_comes_back_is_tested(self):
        self.start(ACCEPTED)
        self.lookup.unlink()
        self.wait_for("lookup.cpp does not exist;")
        self.wait_for("reset token-lookup puts the starter back")
        aside = self.folder / "aside"
        self.lookup.parent.rename(aside)
        aside.rename(self.lookup.parent)
        shutil.copy(ACCEPTED, self.lookup)
        self.assertTrue(wait_until(lambda: "✓ Accepted" in self.screen()), self.screen())

    def test_ctrl_c_ends_it_at_rest_and_leaves_the_terminal_as_it_was(self):
        self.start()
        self.press("C-c")
        self.wait_for_end(130)

    def test_it_never_asks(self):
        self.start(ACCEPTED)
        self.assertNotIn("Press Enter to answer", self.screen())

    def test_a_narrow_screen_shows_the_verdict(self):
        self.start(columns=40)
        text = " ".join(self.screen().split())
        self.assertIn("✗ Wrong answer: 4 of 8 points (token-lookup)", text)
        self.assertIn(KEYS, text)
        self.assertFalse([line for line in self.lines() if len(line) > 40])


class Piped(Workspace):
    def test_without_a_terminal_it_reports_each_save_and_ends_by_a_signal(self):
        shutil.copy(WRONG, self.lookup)
        out = self.folder / "out.txt"
        with out.open("w") as stream:
            running = subprocess.Popen([str(ENGINE), "watch", "token-lookup"], cwd=self.folder, env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=stream, stderr=subprocess.DEVNULL)
            self.addCleanup(lambda: running.poll() is None and running.kill())
            self.assertTrue(wait_until(lambda: out.read_text().count("Ctrl-C ends it") == 1, 60))
            shutil.copy(ACCEPTED, self.lookup)
            self.assertTrue(wait_until(lambda: out.read_text().count("Ctrl-C ends it") == 2, 60))
            running.send_signal(signal.SIGTERM)
            self.assertEqual(running.wait(timeout=20), 130)
        text = out.read_text()
        self.assertNotIn("\x1b", text)
        self.assertNotIn("Keys:", text)
        self.assertLess(text.index("Wrong answer"), text.index("Accepted"))


if __name__ == "__main__":
    main()
