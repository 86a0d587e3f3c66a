"""Interrupted in the middle: nothing of it is left, on disk or among the processes."""

import os
import pathlib
import shutil
import signal
import tempfile

from support import ACCEPTED, ENGINE, SLEEPING, Workspace, alive, descendants, main, wait_until

# Templates that a compiler needs seconds for.
SLOW_TO_COMPILE = """#include "contract.h"
#include <cstddef>

template <std::size_t N> constexpr std::size_t count() {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < 300'000; ++i) sum += i % (N + 1);
    return sum;
}
""" + "".join(f"static_assert(count<{n}>() != 1);\n" for n in range(1, 60)) + """
namespace exercise {
Status lookup(Matrix<const float>, Ids, Matrix<float>) { return {}; }
} // namespace exercise
"""


def programs(pids):
    names = []
    for pid in pids:
        try:
            names.append(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode())
        except OSError:
            pass
    return names


class Interruption(Workspace):
    """With a cache of their own, where whatever is left over is left by the one test that runs."""

    @classmethod
    def setUpClass(cls):
        cls.cache = pathlib.Path(tempfile.mkdtemp(prefix="engine-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = str(self.cache)
        (self.folder / "slow.cpp").write_text(SLEEPING)
        (self.folder / "r.json").write_text("old")
        self.arguments = ["--record", "--from", "slow.cpp", "--format", "json", "--output", "r.json"]

    def start_judging(self, command="test", stage="driver of "):
        """Started, and in the middle: a child runs that has `stage` in its name, and a child of its own."""
        running = self.start_engine(command, "token-lookup", *self.arguments)
        reached = wait_until(lambda: any(stage in name for name in programs(descendants(running.pid))), 120)
        self.assertTrue(reached, f"no {stage} seen; {running.poll()}")
        if stage.startswith("driver"):
            self.assertTrue(wait_until(lambda: len(descendants(running.pid)) > 1), "no worker seen")
        return running, descendants(running.pid)

    def assert_nothing_left(self, family):
        self.assertTrue(wait_until(lambda: not any(map(alive, family))), f"still there: {programs(family)}")
        left = [path.name for path in (self.cache / "engine").iterdir() if path.name.startswith(("scratch-", "new-"))]
        self.assertEqual(left, [])
        self.assertEqual((self.folder / "r.json").read_text(), "old")
        self.assertLessEqual({path.name for path in self.folder.iterdir()},
                             {".engine", "exercises", "r.json", "slow.cpp"})
        self.assertEqual(self.attempts(), "")

    def assert_interrupted(self, running, family):
        out, err = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertIn("interrupted; nothing was recorded", err)
        self.assert_nothing_left(family)

    def test_each_signal_that_asks_to_end_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                running, family = self.start_judging()
                running.send_signal(number)
                self.assert_interrupted(running, family)

    def test_a_graded_run_ends_both_of_its_builds(self):
        running, family = self.start_judging("submit-build")
        running.send_signal(signal.SIGINT)
        self.assert_interrupted(running, family)

    def test_while_the_compiler_works(self):
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--record", expect=0)  # headers are ready from here on
        self.database.unlink()
        (self.folder / "slow.cpp").write_text(SLOW_TO_COMPILE)
        running, family = self.start_judging(stage="cc1plus")
        running.send_signal(signal.SIGINT)
        self.assert_interrupted(running, family)

    def test_while_the_headers_are_prepared_and_the_next_run_prepares_them_anew(self):
        self.cache = self.temporary_folder()
        self.environment["XDG_CACHE_HOME"] = str(self.cache)
        running, family = self.start_judging(stage="cc1plus")
        running.send_signal(signal.SIGINT)
        self.assert_interrupted(running, family)
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, expect=0)

    def test_verify_ends_as_well(self):
        running = self.start_engine("verify", "token-lookup")
        judging = lambda: any("driver of " in name for name in programs(descendants(running.pid)))
        self.assertTrue(wait_until(judging, 120))
        family = descendants(running.pid)
        running.send_signal(signal.SIGINT)
        self.assert_interrupted(running, family)

    def test_ctrl_c_on_a_terminal_reaches_the_engine_alone(self):
        running, family = self.start_judging()
        for pid in family:
            self.assertNotEqual(os.getpgid(pid), os.getpgid(running.pid))

    def test_a_killed_engine_takes_its_family_along(self):
        running, family = self.start_judging()
        running.kill()
        running.communicate(timeout=30)
        self.assertTrue(wait_until(lambda: not any(map(alive, family))), f"still there: {programs(family)}")
        self.assertEqual((self.folder / "r.json").read_text(), "old")
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--format", "json", "--output", "r.json", expect=0)
        left = [path for folder in (self.folder, self.cache / "engine") for path in folder.iterdir()
                if path.name.startswith((".engine-report-", "scratch-", "new-"))]
        self.assertEqual(left, [])

    def test_a_stopped_and_continued_engine_goes_on(self):
        running, _ = self.start_judging()
        running.send_signal(signal.SIGSTOP)
        running.send_signal(signal.SIGCONT)
        running.send_signal(signal.SIGINT)
        self.assertEqual(running.wait(timeout=30), 130)


class Memory(Workspace):
    def test_the_engine_itself_stays_small(self):
        """Its own peak, not that of compilers and workers."""
        if b"__asan_init" in ENGINE.read_bytes():
            self.skipTest("a sanitized engine has the sanitizer's memory")
        for command in (["submit-build", "token-lookup", "--from", ACCEPTED, "--format", "json"], ["show"], ["list"]):
            with self.subTest(command):
                running = self.start_engine(*command)
                peak = 0
                while running.poll() is None:
                    try:
                        status = pathlib.Path(f"/proc/{running.pid}/status").read_text()
                    except OSError:
                        break
                    if "VmHWM:" in status:
                        peak = max(peak, int(status.partition("VmHWM:")[2].split()[0]))
                self.assertGreater(peak, 0)
                self.assertLess(peak, 50 * 1024, "KiB")


if __name__ == "__main__":
    main()
