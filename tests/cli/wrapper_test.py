"""The wrapper ./engine in a clone of its own, with a cmake that builds nothing: what it builds and when, what it does
when two run at once, and how it ends when something stops it."""

import contextlib
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("sh cat chmod dirname find flock grep head id mkdir mv printf readlink rm rmdir sed setsid sleep tail touch").split()

# Builds a program that says what it was given and ends with 7. $STUB/hold stops it in the middle, $STUB/fails says
# which step fails; two of them at once leave $STUB/overlap.
CMAKE = """#!/bin/sh
echo "$*" >>"$STUB/calls"
fails=$(cat "$STUB/fails" 2>/dev/null)
case $1 in
--preset)
    [ "$fails" != configure ] || { echo "CMake Error: no compiler"; exit 1; } ;;
--build)
    mkdir "$STUB/busy" || touch "$STUB/overlap"
    echo $$ >"$STUB/builder"
    echo "[1/2] Building CXX object main.o"
    while [ -e "$STUB/hold" ]; do sleep 0.02; done
    rmdir "$STUB/busy"
    [ "$fails" != build ] || { echo "FAILED: main.o"; echo "main.cpp:1: error: no such thing"; exit 1; }
    mkdir -p "build/$3/app"
    printf '#!/bin/sh\\necho "program: $*"\\nexit 7\\n' >"build/$3/app/engine"
    chmod +x "build/$3/app/engine" ;;
esac
"""
INSTALLED = "#!/bin/sh\nprintf 'install ok installed'\n"
CTEST = '#!/bin/sh\necho "tests: $*"\nexit 8\n'
PROGRAM_ENDS = 7
FAULT = 4
INTERRUPTED = 130


def wait_until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def runs(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Wrapper(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="engine-wrapper-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.clone, self.stub, self.bin = (self.folder / name for name in ("a clone", "stub", "bin"))
        for folder in (self.stub, self.bin, *(self.clone / name for name in (
                "app", "cmake", "exercises/common", "problems", "reference", "schemas", "validator"))):
            folder.mkdir(parents=True)
        shutil.copy2(SOURCE / "engine", self.clone)
        (self.clone / "CMakeLists.txt").touch()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool, path="/usr/bin:/bin:/usr/sbin"))
        for name, text in (("cmake", CMAKE), ("ctest", CTEST), ("dpkg-query", INSTALLED)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)
        self.environment = {"PATH": str(self.bin), "STUB": str(self.stub), "ENGINE_NO_INSTALL": "1"}
        self.started = 0

    def start(self, *arguments, stderr=None):
        """A run in the background; what it says goes to a file."""
        self.started += 1
        said = self.folder / f"said-{self.started}"
        with open(said, "w") as file:
            process = subprocess.Popen([self.clone / "engine", *arguments], env=self.environment, cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=file, stderr=stderr or file,
                                       start_new_session=True)
        process.said = said
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        (self.stub / "hold").unlink(missing_ok=True)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def run_engine(self, *arguments):
        process = self.start(*arguments)
        process.wait(timeout=60)
        return process.returncode, process.said.read_text()

    def hold(self):
        (self.stub / "hold").touch()

    def let_go(self):
        (self.stub / "hold").unlink()

    def fail(self, step):
        (self.stub / "fails").write_text(step)

    def calls(self):
        file = self.stub / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def builder(self):
        """The process that builds, once it does."""
        self.assertTrue(wait_until(lambda: (self.stub / "builder").exists() and (self.stub / "builder").read_text()))
        return int((self.stub / "builder").read_text())

    def assert_works(self):
        """The next run gets as far as the program."""
        code, said = self.run_engine("list")
        self.assertEqual(code, PROGRAM_ENDS, said)
        self.assertIn("program: list", said)
        self.assertFalse((self.stub / "overlap").exists(), "two built at once")


class FirstUse(Wrapper):
    def test_builds_once_and_hands_over(self):
        code, said = self.run_engine("test", "two words")
        self.assertEqual(code, PROGRAM_ENDS)
        self.assertIn("first use", said)
        self.assertIn("program: test two words", said)
        self.assert_works()
        self.assertEqual(self.calls(), ["--preset release", "--build --preset release"])

    def test_builds_again_after_a_change(self):
        self.assert_works()
        source = self.clone / "app/main.cpp"
        source.touch()
        future = time.time() + 60
        os.utime(source, (future, future))
        self.assert_works()
        self.assertEqual(len(self.calls()), 4)

    def test_shows_progress_on_a_terminal(self):
        self.hold()
        ours, theirs = pty.openpty()
        process = self.start("list", stderr=theirs)
        os.close(theirs)
        shown = b""
        while b"building 1/2" not in shown:
            shown += os.read(ours, 1000)
        self.let_go()
        self.assertEqual(process.wait(timeout=60), PROGRAM_ENDS)
        os.close(ours)

    def test_works_through_a_link(self):
        link = self.folder / "link"
        link.symlink_to(self.clone / "engine")
        done = subprocess.run([link, "list"], env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (PROGRAM_ENDS, "program: list\n"))


class TwoAtOnce(Wrapper):
    def test_the_second_waits_and_finds_it_built(self):
        self.hold()
        first = self.start("list")
        self.builder()
        others = [self.start("show", str(number)) for number in range(3)]
        for other in others:
            self.assertTrue(wait_until(lambda: "another run is at work" in other.said.read_text()))
            self.assertIsNone(other.poll())
        self.let_go()
        for process in (first, *others):
            self.assertEqual(process.wait(timeout=60), PROGRAM_ENDS, process.said.read_text())
        self.assertIn("program: show 2", others[2].said.read_text())
        self.assertEqual(self.calls(), ["--preset release", "--build --preset release"])

    def test_the_second_builds_where_the_first_failed(self):
        self.hold()
        self.fail("build")
        first = self.start("list")
        self.builder()
        second = self.start("list")
        self.assertTrue(wait_until(lambda: "another run is at work" in second.said.read_text()))
        self.let_go()
        self.assertEqual(first.wait(timeout=60), FAULT)
        self.assertEqual(second.wait(timeout=60), FAULT)
        self.assertEqual(len(self.calls()), 4)

    def test_a_waiting_run_can_be_ended(self):
        self.hold()
        first = self.start("list")
        self.builder()
        second = self.start("list")
        self.assertTrue(wait_until(lambda: "another run is at work" in second.said.read_text()))
        second.terminate()
        self.assertEqual(second.wait(timeout=60), INTERRUPTED)
        self.let_go()
        self.assertEqual(first.wait(timeout=60), PROGRAM_ENDS)

    def test_selftest_locks_a_folder_of_its_own(self):
        self.hold()
        first = self.start("selftest", "-L", "unit")
        self.builder()
        second = self.start("selftest")
        self.assertTrue(wait_until(lambda: "another run is at work" in second.said.read_text()))
        self.let_go()
        for process in (first, second):
            self.assertEqual(process.wait(timeout=60), 8, process.said.read_text())
        self.assertRegex(first.said.read_text(), r"tests: --preset \w+ -L unit")
        self.assertFalse((self.stub / "overlap").exists(), "two built at once")
        self.assert_works()


class SetUpFaults(Wrapper):
    def assert_fault(self, *words):
        code, said = self.run_engine("list")
        self.assertEqual(code, FAULT, said)
        for word in words:
            self.assertIn(word, said)

    def test_configuring_fails(self):
        self.fail("configure")
        self.assert_fault("CMake Error: no compiler", "configuring failed", "release.log")
        self.fail("")
        self.assert_works()

    def test_building_fails(self):
        self.fail("build")
        self.assert_fault("main.cpp:1: error: no such thing", "the build failed", "release.log")
        self.fail("")
        self.assert_works()

    def test_the_builder_is_killed(self):
        self.hold()
        process = self.start("list")
        os.kill(self.builder(), signal.SIGKILL)
        self.assertEqual(process.wait(timeout=60), FAULT)
        self.assertIn("or was killed", process.said.read_text())

    def test_cmake_is_missing(self):
        (self.bin / "cmake").unlink()
        self.assert_fault("configuring failed")

    def test_a_package_is_missing(self):
        (self.bin / "dpkg-query").write_text("#!/bin/sh\nexit 1\n")
        self.assert_fault("these packages are missing: g++ cmake", "apt-get install")

    def test_packages_names_all_that_is_missing_and_builds_nothing(self):
        code, said = self.run_engine("packages")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.calls(), [])
        (self.bin / "dpkg-query").write_text("#!/bin/sh\ncase $* in *dpkg-dev | *gdb) exit 1 ;; *) printf 'ok installed' ;; esac\n")
        code, said = self.run_engine("packages")
        self.assertEqual(code, FAULT, said)
        self.assertIn("these packages are missing: gdb dpkg-dev", said)

    def test_flock_is_missing(self):
        (self.bin / "flock").unlink()
        self.assert_fault("cannot lock")

    def test_the_build_folder_cannot_be_made(self):
        (self.clone / "build").write_text("")
        self.assert_fault("cannot write to", "build/release")

    def test_the_lock_cannot_be_opened(self):
        (self.clone / "build/release/.lock").mkdir(parents=True)
        self.assert_fault("cannot write to", "build/release")

    def test_the_log_cannot_be_written(self):
        (self.clone / "build/release.log").mkdir(parents=True)
        self.assert_fault("cannot write", "release.log")

    def test_the_stamp_cannot_be_written(self):
        (self.clone / "build/release/.began").mkdir(parents=True)
        self.assert_fault("cannot write to", "build/release")

    def test_the_built_program_cannot_be_started(self):
        self.assert_works()
        (self.clone / "build/release/app/engine").write_text("#!/no/such/interpreter\n")
        self.assert_fault()


class Interruption(Wrapper):
    def interrupted_by(self, send):
        self.hold()
        process = self.start("list")
        builder = self.builder()
        send(process.pid)
        self.assertEqual(process.wait(timeout=60), INTERRUPTED, process.said.read_text())
        self.assertIn("interrupted", process.said.read_text())
        self.assertTrue(wait_until(lambda: not runs(builder)), "the build goes on")
        (self.stub / "busy").rmdir()
        self.let_go()
        self.assert_works()

    def test_by_the_terminal(self):
        self.interrupted_by(lambda pid: os.killpg(pid, signal.SIGINT))

    def test_by_a_signal_to_the_wrapper_alone(self):
        self.interrupted_by(lambda pid: os.kill(pid, signal.SIGTERM))

    def test_a_build_outlives_its_wrapper_and_keeps_others_out(self):
        self.hold()
        first = self.start("list")
        self.builder()
        first.kill()
        first.wait()
        second = self.start("list")
        self.assertTrue(wait_until(lambda: "another run is at work" in second.said.read_text()))
        self.let_go()
        self.assertEqual(second.wait(timeout=60), PROGRAM_ENDS, second.said.read_text())
        self.assert_works()

    def test_everything_is_killed(self):
        self.hold()
        process = self.start("list")
        builder = self.builder()
        process.kill()
        os.killpg(builder, signal.SIGKILL)
        process.wait()
        (self.stub / "busy").rmdir()
        self.let_go()
        self.assert_works()


if __name__ == "__main__":
    unittest.main()
