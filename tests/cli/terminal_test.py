"""What a learner sees on a terminal, and what a program sees that has none."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
import unicodedata
import uuid

from support import ACCEPTED, ENGINE, SLEEPING, SOURCE, WRONG, Workspace, main

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
READING = (["show", "token-lookup"], ["hint", "token-lookup"], ["list"], [], ["status"])
JUDGING = (["test", "token-lookup", "--from", WRONG, "--record"], ["submit-build", "token-lookup", "--from", ACCEPTED, "--record", "--no-questions"])


def columns_of(line):
    """The columns that a line takes, by Python's own tables."""
    return sum(0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
               for letter in line)


def screen_lines(text):
    """The lines as they stand in the end: what a carriage return overwrote is gone."""
    lines = []
    for line in ESCAPE.sub("", text).replace("\r\n", "\n").split("\n"):
        cells = []
        for part in line.split("\r"):
            cells[:len(part)] = part
        lines.append("".join(cells).rstrip())
    return lines


class Terminal(Workspace):
    def on_terminal(self, arguments, columns=80, environment=None, expect=None):
        """Everything that a terminal of this width is sent, stdout and stderr."""
        outer, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        running = subprocess.Popen([str(ENGINE), *map(str, arguments)], cwd=self.folder, stdin=inner, stdout=inner,
                                   stderr=inner, env={**self.environment, **(environment or {})},
                                   start_new_session=True)
        os.close(inner)
        self.addCleanup(lambda: running.poll() is None and running.kill())
        sent = b""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and select.select([outer], [], [], 120)[0]:
            try:
                piece = os.read(outer, 65536)
            except OSError:  # what Linux says when the last writer is gone
                break
            if not piece:
                break
            sent += piece
        os.close(outer)
        code = running.wait(timeout=60)
        if expect is not None:
            self.assertEqual(code, expect, sent)
        return sent.decode()

    def test_a_terminal_gets_colours(self):
        for command in (*JUDGING, ["show", "token-lookup"]):
            with self.subTest(command):
                self.assertIn("\x1b[", self.on_terminal(command))

    def test_only_looks_whose_contrast_is_measured_are_used(self):
        header = (SOURCE / "validator/text/sgr.h").read_text()
        known = set(re.findall(r'string_view \w+ = "([0-9;]+)"', header)) | {"0"}
        self.assertIn("97;41", known)
        for command in (*JUDGING, *READING):
            with self.subTest(command):
                used = set(re.findall(r"\x1b\[([0-9;]*)m", self.on_terminal(command)))
                # Looks without a colour go together.
                self.assertEqual({looks for looks in used - known if set(looks.split(";")) - {"1", "3", "4"}}, set())

    def test_addresses_can_be_clicked_on_a_terminal_alone(self):
        self.assertIn("\x1b]8;;https://", self.on_terminal(["show", "token-lookup"]))
        self.assertNotIn("\x1b]8", self.on_terminal(["show", "token-lookup"], environment={"TERM": "linux"}))
        self.assertNotIn("\x1b]8", self.run_engine("show", "token-lookup", "--color", "always").stdout)

    def test_what_is_no_terminal_gets_neither_colours_nor_cursor_movement(self):
        for command in (*JUDGING, *READING):
            with self.subTest(command):
                done = self.run_engine(*command)
                self.assertNotIn("\x1b", done.stdout + done.stderr)
                self.assertNotIn("\r", done.stdout + done.stderr)

    def test_the_environment_and_the_option_can_refuse_colours(self):
        for more, environment in ((["--color", "never"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})):
            for command in (*JUDGING, ["show", "token-lookup"]):
                with self.subTest((command, more, environment)):
                    self.assertNotIn("\x1b", self.on_terminal([*command, *more], environment=environment))

    def test_asked_for_colours_come_without_a_terminal_and_against_no_color(self):
        for command in (*JUDGING, ["show", "token-lookup"]):
            done = self.run_engine(*command, "--color", "always", environment={"NO_COLOR": "1"})
            self.assertIn("\x1b[", done.stdout)

    def test_every_line_fits_a_narrow_and_a_usual_terminal(self):
        for columns in (40, 80):
            for command in (*JUDGING, *READING):
                with self.subTest((columns, command)):
                    text = self.on_terminal(command, columns)
                    for line in screen_lines(text):
                        # Paths and addresses are never broken: they are there to be copied.
                        if columns_of(line) > columns and not re.search(r"\S{%d}|https?://|/" % columns, line):
                            self.fail(f"{columns_of(line)} columns: {line!r}")

    def test_a_one_column_terminal_is_survived(self):
        for columns in (1, 3):
            self.on_terminal(["show", "token-lookup"], columns, expect=0)
            self.on_terminal(["test", "token-lookup", "--from", ACCEPTED, "--record"], columns, expect=0)

    def test_plain_screens_have_no_signs_and_nothing_that_moves(self):
        for command, environment in ((["test", "token-lookup", "--from", WRONG, "--record", "--plain"], {}),
                                     (["show", "token-lookup", "--plain"], {}),
                                     (["test", "token-lookup", "--from", WRONG, "--record"], {"ENGINE_PLAIN": "1"})):
            with self.subTest(command):
                text = self.on_terminal(command, environment=environment)
                for sign in ("\x1b", "✗", "✓", "→", "·", "──", "══", "│", "•"):
                    self.assertNotIn(sign, text)

    def test_an_ascii_locale_gets_ascii(self):
        for command in (*JUDGING, *READING):
            with self.subTest(command):
                done = self.run_engine(*command, environment={"LANG": "C"})
                self.assertEqual(ESCAPE.sub("", done.stdout).encode("ascii", "replace").decode(), done.stdout)

    def test_progress_is_wiped_away_before_the_verdict(self):
        fresh = self.temporary_folder()
        text = self.on_terminal(["test", "token-lookup", "--from", ACCEPTED, "--record"], environment={"XDG_CACHE_HOME": str(fresh)},
                                expect=0)
        self.assertIn("preparing the standard headers", text)
        lines = [line for line in screen_lines(text) if line]
        self.assertIn("tests passed", lines[0])
        self.assertFalse(any("preparing" in line for line in lines))

    def test_whoever_waits_sees_how_far_it_is_and_a_program_that_reads_does_not(self):
        self.lookup.write_text(SLEEPING.replace("300'000", "20'000"))
        text = self.on_terminal(["test", "token-lookup"], expect=1)
        self.assertRegex(text, r"compiled · \d+ of 13 tests")
        self.assertFalse(any("compiled ·" in line for line in screen_lines(text)))
        self.assertNotIn("compiled", self.on_terminal(["test", "token-lookup", "--plain"], expect=1))
        self.assertEqual(self.run_engine("test", "token-lookup", expect=1).stderr, "")

    def test_under_tmux_the_verdict_stands_on_the_screen(self):
        tmux = shutil.which("tmux")
        if not tmux:
            self.skipTest("tmux is not installed")
        server = [tmux, "-L", f"engine-{uuid.uuid4().hex}", "-f", "/dev/null"]
        self.addCleanup(subprocess.run, [*server, "kill-server"], capture_output=True, check=False)
        program = f"'{ENGINE}' test token-lookup --record --from '{ACCEPTED}'; echo \"code $?\"; exec sleep 60"
        # tmux has its own idea of TERM; the locale decides what it shows.
        environment = {**self.environment, "LC_ALL": "C.UTF-8"}
        started = subprocess.run([*server, "new-session", "-d", "-x", "60", "-y", "40", program], cwd=self.folder,
                                 env=environment, capture_output=True, text=True, check=False)
        self.assertEqual(started.returncode, 0, started.stderr)
        for _ in range(600):
            screen = subprocess.run([*server, "capture-pane", "-p"], env=environment, capture_output=True, text=True,
                                    check=True).stdout
            if "code " in screen:
                break
            time.sleep(0.1)
        lines = screen.splitlines()
        self.assertIn("code 0", lines)
        self.assertTrue(lines[0].startswith("  ✓ 13 tests passed"), screen)
        verdict = next(number for number, line in enumerate(lines) if line.startswith("✓ Accepted"))
        self.assertTrue(lines[verdict + 3].startswith("→ Hand it in with:"), screen)
        self.assertFalse(any("\x1b" in line for line in lines))


if __name__ == "__main__":
    main()
