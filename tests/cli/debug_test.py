"""A failing call once more, in gdb: where it stops, what is to be seen there, what is not, and what can be typed."""

import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import termios
import time
import unittest

from support import ACCEPTED, ENGINE, NOBODY, SOURCE, WRONG, Workspace, alive, descendants, main, wait_until

FIRST = "four ids pick four rows"
HIDDEN = "extreme ids are refused"
CRASHES = """#include "contract.h"

namespace exercise {

static int calls = 0;

static void spoil(float* place) {
    *place = 1;
}

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    calls += 1;
    spoil(nullptr);
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
"""


# What each of these does is printed as "act done" or "act" and why not. The first is the control.
LOOKS_AROUND = """#include "contract.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

namespace exercise {

static void say(const char* act, bool done) {
    std::printf("%s %s\\n", act, done ? "done" : std::strerror(errno));
}

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    say("own-program", open("program", O_RDONLY) >= 0);
    say("read-secret", open("SECRET", O_RDONLY) >= 0);
    say("write-beside-it", open("SECRET.written", O_WRONLY | O_CREAT, 0600) >= 0);
    say("write-own-folder", open("written", O_WRONLY | O_CREAT, 0600) >= 0);
    say("overwrite-own-source", open("lookup.cpp", O_WRONLY) >= 0);
    say("read-environment", open("/proc/BYSTANDER/environ", O_RDONLY) >= 0);
    say("trace", ptrace(PTRACE_SEIZE, BYSTANDER, nullptr, nullptr) == 0);
    say("socket", socket(AF_INET, SOCK_STREAM, 0) >= 0);
    say("unshare", unshare(CLONE_NEWNS) == 0);
    std::fflush(stdout);
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
"""
ACTS = ("read-secret", "write-beside-it", "write-own-folder", "overwrite-own-source", "read-environment", "trace",
        "socket", "unshare")


class Terminal:
    """A pseudo-terminal with the engine on it: keys to type, and what has come."""

    def __init__(self, test, *arguments, environment):
        self.test = test
        self.outer, self.inner = pty.openpty()
        fcntl.ioctl(self.inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
        self.settings = termios.tcgetattr(self.inner)
        self.running = subprocess.Popen([str(ENGINE), *map(str, arguments)], cwd=test.folder, stdin=self.inner,
                                        stdout=self.inner, stderr=self.inner, env=environment, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.text = self.raw = ""
        test.addCleanup(self.end)

    def end(self):
        if self.running.poll() is None:
            self.running.kill()
            self.running.wait()
        for fd in (self.outer, self.inner):
            if fd is not None:
                os.close(fd)

    def read(self, seconds):
        """Whether anything came; escape sequences are left out."""
        if not select.select([self.outer], [], [], seconds)[0]:
            return False
        came = os.read(self.outer, 65536).decode(errors="replace")
        self.raw += came
        self.text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", came)
        return True

    def answer(self, keys=None, seconds=120):
        """Types these keys and returns what has come when gdb asks again."""
        self.text = ""
        if keys is not None:
            os.write(self.outer, keys.encode())
        deadline = time.monotonic() + seconds
        while not self.text.endswith("(gdb) "):
            self.test.assertLess(time.monotonic(), deadline, f"no prompt after {keys!r}:\n{self.text}")
            self.read(0.2)
            if self.running.poll() is not None:
                self.test.fail(f"ended with {self.running.returncode} after {keys!r}:\n{self.text}")
        return self.text

    def code_after(self, keys, seconds=60):
        os.write(self.outer, keys.encode())
        deadline = time.monotonic() + seconds
        while self.running.poll() is None and time.monotonic() < deadline:
            self.read(0.1)
        return self.running.wait(timeout=1)

    def hang_up(self):
        """Closes the window: what reads or writes there gets an error."""
        for fd in (self.inner, self.outer):
            os.close(fd)
        self.inner = self.outer = None


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debug(Workspace):
    def debug(self, text=None, *arguments, test=FIRST, expect=0):
        if text is not None:
            self.lookup.write_text(text)
        return self.run_engine("debug", "token-lookup", "--test", test, "--seed", "7", *arguments,
                               expect=expect)

    def test_it_stops_where_the_call_begins_with_its_arguments(self):
        out = self.debug(WRONG.read_text()).stdout
        self.assertIn(f"{FIRST} (seed 7):", out)
        self.assertIn("exercise::lookup (table=", out)
        self.assertIn("at lookup.cpp:", out)
        # The sizes are those of the call that the verdict tells of.
        self.assertRegex(out, r"table=\.*\{data = 0x[0-9a-f]+, rows = \d+, cols = \d+")
        self.assertIn("Value returned is $1 = {code = contract::Code::ok", out)

    def test_a_crash_shows_its_line_and_what_called_it(self):
        out = self.debug(CRASHES).stdout
        self.assertIn("SIGSEGV", out)
        self.assertIn("spoil (place=0x0) at lookup.cpp:8", out)
        self.assertIn("The variables there:", out)
        self.assertRegex(out, r"#1 .*exercise::lookup .* at lookup.cpp:13")

    def test_an_exception_shows_where_it_was_thrown(self):
        out = self.debug(CRASHES.replace("*place = 1;", "throw place;")).stdout
        self.assertIn("SIGABRT", out)
        self.assertRegex(out, r"spoil \(place=0x0\) at lookup.cpp:8")

    def test_calls_before_it_are_made_so_that_state_is_the_same(self):
        third = """    static int made = 0;
    made += 1;
    if (made == 3) *static_cast<volatile int*>(nullptr) = made;
    if (out.cols"""
        out = self.debug(ACCEPTED.read_text().replace("    if (out.cols", third, 1),
                         test="random shapes agree with the reference").stdout
        self.assertIn("made = 3", out)

    def test_a_test_that_passes_has_no_failing_call(self):
        out = self.debug(ACCEPTED.read_text()).stdout
        self.assertIn("passes with seed 7, so there is no failing call", " ".join(out.split()))
        self.assertNotIn("exercise::lookup (", out)

    def test_hidden_and_unknown_tests_are_refused(self):
        self.assertIn("is a hidden test", self.debug(WRONG.read_text(), test=HIDDEN, expect=2).stderr)
        self.assertIn(f"did you mean '{FIRST}'?",
                      " ".join(self.debug(WRONG.read_text(), test="four ids pick for rows", expect=2).stderr.split()))
        self.assertIn("--test", self.run_engine("debug", "token-lookup", expect=2).stderr)

    def test_what_does_not_compile_is_told_with_its_place(self):
        done = self.debug("nonsense\n", expect=1)
        self.assertIn("lookup.cpp:1:", done.stdout)

    @unittest.skipUnless(os.geteuid() == 0, "needs root: to give a file away")
    def test_another_users_file_is_refused(self):
        self.lookup.write_text(WRONG.read_text())
        os.chown(self.lookup, NOBODY, NOBODY)
        done = self.debug(expect=2)
        self.assertIn("belongs to another user", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_neither_suite_nor_reference_is_in_the_program(self):
        # The words are looked for backwards, since the program holds them as it is written.
        probe = (CRASHES.replace("*place = 1;", "names();").replace("static void spoil", """static void names() {
    std::ifstream program("program", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(program)), {});
    for (const std::string word : {"esicrexe", "tsetcod", "ESAC_TSET", "ssenrah", "ecnerefer9"})
        std::printf("%s %d\\n", word.c_str(), bytes.find({word.rbegin(), word.rend()}) != std::string::npos);
}

static void spoil""").replace('#include "contract.h"', """#include "contract.h"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>"""))
        out = self.debug(probe).stdout
        self.assertIn("esicrexe 1", out)  # the control: the learner's own namespace is there
        for word in ("tsetcod", "ESAC_TSET", "ssenrah", "ecnerefer9"):
            self.assertIn(f"{word} 0", out)

    def test_the_sandbox_holds(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret\n")
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        probe = CRASHES.replace("*place = 1;", "look();").replace("static void spoil", f"""static void look() {{
    std::printf("secret %d, written %d, socket %d, home %d, own program %d\\n", std::fopen("{secret}", "r") != nullptr,
                std::fopen("{self.folder}/written", "w") != nullptr, socket(AF_INET, SOCK_STREAM, 0) >= 0,
                std::getenv("HOME") != nullptr, std::fopen("program", "r") != nullptr);
}}

static void spoil""").replace("#include \"contract.h\"\n", "#include \"contract.h\"\n#include <cstdio>\n"
                                                             "#include <cstdlib>\n#include <sys/socket.h>\n")
        out = self.debug(probe).stdout
        self.assertIn("secret 0, written 0, socket 0, home 0, own program 1", out)
        self.assertFalse((self.folder / "written").exists())

    def test_nothing_is_recorded_and_nothing_left_behind(self):
        cache = pathlib.Path(self.environment["XDG_CACHE_HOME"]) / "engine"
        self.debug(CRASHES)
        self.assertFalse(self.database.exists())
        self.assertEqual([entry.name for entry in cache.glob("scratch-*") if (entry / "recording").exists()], [])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root and unshare: to hide a program")
    def test_without_gdb_the_package_is_named(self):
        hidden = ("unshare", "-m", "sh", "-c", 'mount --bind /dev/null /usr/bin/gdb && exec "$@"', "sh")
        done = self.run_engine("debug", "token-lookup", "--test", FIRST, prefix=hidden, expect=4)
        self.assertIn("apt-get install gdb", " ".join(done.stderr.split()))

    def test_kernels_are_debugged_on_the_emulator(self):
        source = SOURCE / "problems/cuda-lookup/accepted/block-a-row.cu"
        file = self.folder / "exercises/cuda-lookup/lookup.cu"
        file.write_text(source.read_text().replace("ids[", "1 + ids[", 1))
        out = self.run_engine("debug", "cuda-lookup", "--test", FIRST, "--seed", "7", expect=0).stdout
        self.assertIn("at lookup.cu:", out)


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Prompt(Workspace):
    """A learner at a terminal, who types to gdb."""

    def setUp(self):
        super().setUp()
        self.lookup.write_text(WRONG.read_text())

    def start(self, ceiling="A"):
        """At the first prompt."""
        terminal = Terminal(self, "debug", "token-lookup", "--test", FIRST, "--seed", "7",
                            environment={**self.environment, "ENGINE_ISOLATION_CEILING": ceiling})
        self.first = terminal.answer()
        self.family = descendants(terminal.running.pid)
        self.assertGreaterEqual(len(self.family), 2, "gdb and the program")
        self.scratch = self.recordings()
        self.assertTrue(self.scratch)
        return terminal

    def recordings(self):
        cache = pathlib.Path(self.environment["XDG_CACHE_HOME"]) / "engine"
        return {entry for entry in cache.glob("scratch-*") if (entry / "recording").exists()}

    def assert_nothing_left(self):
        self.assertTrue(wait_until(lambda: not any(map(alive, self.family))), "gdb or the program is still there")
        self.assertTrue(wait_until(lambda: not self.scratch & self.recordings()), "its folder is still there")
        self.assertFalse(self.database.exists())

    def test_it_stops_in_the_function_shows_values_and_quits(self):
        for ceiling in ("A", "C"):
            with self.subTest(ceiling):
                terminal = self.start(ceiling)
                self.assertIn(f"{FIRST} (seed 7):", self.first)
                self.assertIn("exercise::lookup (table=", self.first)
                self.assertIn("at lookup.cpp:", self.first)
                self.assertIn("print NAME: show a value", self.first)
                self.assertRegex(terminal.answer("print ids\n"), r"\$1 = .*\{2, 3, 5, 1\}")
                self.assertRegex(terminal.answer("print table.rows * 100 + table.cols\n"), r"= 603\b")
                self.assertIn("exercise::lookup", terminal.answer("backtrace 1\n"))
                self.assertEqual(terminal.code_after("quit\n"), 0)
                self.assertEqual(termios.tcgetattr(terminal.inner), terminal.settings)
                self.assert_nothing_left()

    def test_what_would_act_on_more_than_the_screen_is_shown(self):
        self.lookup.write_text(WRONG.read_text().replace("    if (", '    std::puts("\\033]0;title\\033[32mgreen");\n    if (', 1)
                               .replace("#include", "#include <cstdio>\n#include", 1))
        terminal = self.start()
        self.assertIn("\\x1b]52;c;QUJD", terminal.answer("echo \\033]52;c;QUJD\\a\\n\n"))
        self.assertIn("\\x1b]0;title", terminal.answer("finish\n"))
        self.assertEqual(terminal.code_after("quit\n"), 0)
        for sequence in ("\x1b]", "\x1b[?2004h\x1b]"):
            self.assertNotIn(sequence, terminal.raw)
        self.assertIn("\x1b[32mgreen", terminal.raw)  # colours are as they were
        self.assert_nothing_left()

    def test_interrupting_keys_go_to_gdb_and_the_end_of_input_leaves_it(self):
        terminal = self.start()
        self.assertIn("Quit", terminal.answer("\x03"))
        # No call of a function: Debian 12's gdb makes none on processors with AMX.
        self.assertRegex(terminal.answer("print 2 + 2\n"), r"= 4\b")
        self.assertEqual(terminal.code_after("\x04"), 0)
        self.assert_nothing_left()

    def test_an_endless_loop_is_stopped_by_a_key(self):
        loop = "    for (volatile int turn = 0;; turn = 1 - turn) {}\n    if (out.cols"
        self.lookup.write_text(ACCEPTED.read_text().replace("    if (out.cols", loop, 1))
        terminal = self.start()
        os.write(terminal.outer, b"continue\n")
        self.assertTrue(wait_until(lambda: terminal.read(0.2) and "Continuing" in terminal.text))
        time.sleep(0.5)
        self.assertIn("SIGINT", terminal.answer("\x03"))
        self.assertIn("turn = ", terminal.answer("info locals\n"))
        self.assertEqual(terminal.code_after("quit\n"), 0)
        self.assert_nothing_left()

    def test_a_window_that_is_closed_and_signals_leave_nothing_behind(self):
        for number in (None, signal.SIGTERM):
            with self.subTest(number):
                terminal = self.start()
                if number is None:
                    terminal.hang_up()
                else:
                    terminal.running.send_signal(number)
                self.assertEqual(terminal.running.wait(timeout=60), 130)
                self.assert_nothing_left()


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Weaker(Workspace):
    """At level C there are no namespaces: Landlock and the seccomp filter are all there is."""

    def setUp(self):
        super().setUp()
        self.environment["ENGINE_ISOLATION_CEILING"] = "C"
        level = json.loads(self.run_engine("doctor", "--format", "json", expect=0).stdout)["isolation"]["level"]
        if level != "C":
            self.skipTest(f"this machine offers level {level} at most")

    def debug(self, text):
        self.lookup.write_text(text)
        return self.run_engine("debug", "token-lookup", "--test", FIRST, "--seed", "7", expect=0).stdout

    def test_the_program_runs_in_the_sandbox_and_is_told_what_it_may_not(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret\n")
        bystander = subprocess.Popen(["sleep", "300"])
        self.addCleanup(lambda: (bystander.kill(), bystander.wait()))
        out = self.debug(LOOKS_AROUND.replace("SECRET", str(secret)).replace("BYSTANDER", str(bystander.pid)))
        answers = dict(re.findall(r"(?m)^([a-z-]+) (done|[A-Z][A-Za-z ]+)$", out))
        self.assertEqual(answers.pop("own-program", None), "done", out)
        self.assertEqual(set(answers), set(ACTS), out)
        for act, answer in answers.items():
            self.assertIn(answer, ("Permission denied", "Operation not permitted"), act)
        self.assertEqual(sorted(path.name for path in self.folder.glob("secret*")), ["secret.txt"])

    def test_a_call_and_a_crash_are_shown_as_ever(self):
        out = self.debug(WRONG.read_text())
        self.assertIn("exercise::lookup (table=", out)
        self.assertIn("Value returned is $1 = {code = contract::Code::ok", out)
        out = self.debug(CRASHES)
        self.assertIn("spoil (place=0x0) at lookup.cpp:8", out)
        self.assertRegex(out, r"#1 .*exercise::lookup .* at lookup.cpp:13")


if __name__ == "__main__":
    main()
