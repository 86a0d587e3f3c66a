"""What the tests of the built program share: a workspace of its own for each, and ways to run the engine there.

ENGINE_PROGRAM names the program, ENGINE_TEST_CACHE a folder for compiled programs that the tests share, so that the
standard headers are precompiled once."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/content"))
import mistakes  # noqa: E402
ENGINE = pathlib.Path(os.environ["ENGINE_PROGRAM"]).resolve()
CACHE = pathlib.Path(os.environ.get("ENGINE_TEST_CACHE") or tempfile.gettempdir() + "/engine-cli-cache").resolve()
NOBODY = 65534

PROBLEMS = json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]
ACCEPTED = SOURCE / "problems/token-lookup/accepted/pointer-loops.cpp"


def program_of(name):
    """A mistake of token-lookup as a file of its own, which a submission is."""
    file = CACHE / "programs" / (name + ".cpp")
    file.parent.mkdir(parents=True, exist_ok=True)
    _, text = mistakes.program(SOURCE / f"problems/token-lookup/mistakes/{name}.diff", SOURCE)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as part:
        part.write(text)
    os.chmod(part.name, 0o644)
    os.replace(part.name, file)  # tests of several files run at once
    return file


WRONG = program_of("reads-column")

# Every call takes a while, but less than the limit: the whole run takes long, and nothing is wrong with it.
SLEEPING = """#include "contract.h"
#include <unistd.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    usleep(300'000);
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
"""


def without_prerequisites(package):
    """Makes the copy of a problem stand alone: its collection lacks what comes before it."""
    file = package / "problem.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "prerequisites": []}))


def parents():
    """Process id -> parent's, for every process that can be seen."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            found[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def descendants(pid):
    above = parents()
    family, grown = {pid}, True
    while grown:
        more = {child for child, parent in above.items() if parent in family and child not in family}
        family |= more
        grown = bool(more)
    return family - {pid}


def alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=20):
    """Whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class Workspace(unittest.TestCase):
    """A learner's folder with the exercises in it, and an environment in which nothing of the caller's is left."""

    def setUp(self):
        self.folder = self.temporary_folder()
        shutil.copytree(SOURCE / "exercises", self.folder / "exercises")
        for problem, file in (("first-row", "row.cpp"), ("token-lookup", "lookup.cpp"),
                              ("learned-positions", "embed.cpp")):
            # The starters as they were shipped, whatever stands in the checkout.
            shutil.copy(self.layout()["starters"] + f"/{problem}/{file}", self.folder / "exercises" / problem / file)
        CACHE.mkdir(parents=True, exist_ok=True)
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "XDG_CACHE_HOME": str(CACHE),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PAGER": "cat",
        }

    def temporary_folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="engine-cli-")).resolve()
        folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    @staticmethod
    def layout():
        return json.loads((ENGINE.parent / "layout.json").read_text())

    @classmethod
    def layout_for_elsewhere(cls):
        """The same with whole paths, for a copy of the program."""
        return {key: value if key in ("version", "compiler", "driver_flags") else os.path.normpath(ENGINE.parent / value)
                for key, value in cls.layout().items()}

    @property
    def lookup(self):
        return self.folder / "exercises/token-lookup/lookup.cpp"

    @property
    def database(self):
        return self.folder / ".engine/progress.db"

    def run_engine(self, *arguments, program=ENGINE, expect=None, prefix=(), environment=None, **more):
        """Runs to the end and returns what came out; `expect` is the exit code that it must end with."""
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        settings.update(more)
        done = subprocess.run(
            [*map(str, prefix), str(program), *map(str, arguments)],
            cwd=settings.pop("cwd", self.folder), env={**self.environment, **(environment or {})},
            text=True, timeout=300, check=False, **settings)
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"engine {arguments}\n{done.stdout}\n{done.stderr}")
        self.assert_calm(done)
        return done

    def start_engine(self, *arguments, program=ENGINE, environment=None, **more):
        """Starts it and leaves it running; whatever happens to the test, it is gone afterwards."""
        running = subprocess.Popen(
            [str(program), *map(str, arguments)], cwd=self.folder, env={**self.environment, **(environment or {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

        def end():
            if running.poll() is None:
                running.kill()
            running.communicate()

        self.addCleanup(end)
        return running

    def assert_calm(self, done):
        """Whatever happened, it was said in words: no crash, no foreign exception."""
        self.assertGreaterEqual(done.returncode, 0, f"ended by a signal\n{done.stderr}")
        for word in ("terminate called", "internal error", "Traceback", "Segmentation", "Assertion"):
            self.assertNotIn(word, done.stderr or "")

    def attempts(self):
        """What `status` says about token-lookup, in a line."""
        out = self.run_engine("status", expect=0).stdout
        return next((line for line in out.splitlines() if "token-lookup:" in line), "")


class SourceTree(Workspace):
    """A source tree of its own, which a layout.json beside a copy of the program points at."""

    def setUp(self):
        super().setUp()
        self.tree = self.temporary_folder()
        (self.tree / "CMakeLists.txt").touch()
        for folder in ("exercises/common", "exercises/token-lookup", "problems/token-lookup", "reference/token-lookup"):
            shutil.copytree(SOURCE / folder, self.tree / folder)
        without_prerequisites(self.tree / "problems/token-lookup")
        shutil.copy(self.lookup, self.tree / "exercises/token-lookup/lookup.cpp")  # as it was shipped
        (self.tree / "problems/curriculum.json").write_text(
            json.dumps({"format": "engine.curriculum/1", "title": "A copy", "problems": ["token-lookup"]}))
        self.program = self.tree / "engine"
        try:
            os.link(ENGINE, self.program)
        except OSError:
            shutil.copy(ENGINE, self.program)
        layout = self.layout_for_elsewhere()
        for key in ("problems", "exercises", "reference"):
            layout[key] = str(self.tree / key)
        layout["starters"] = layout["exercises"]  # the build would keep them aside
        (self.tree / "layout.json").write_text(json.dumps(layout))

    def engine(self, *arguments, expect, cwd=None, **more):
        return self.run_engine(*arguments, program=self.program, expect=expect, cwd=cwd or self.tree, **more)

    def files_of(self, name):
        return [file for part in ("problems", "exercises", "reference")
                for file in (self.tree / part / name).rglob("*") if file.is_file()]


def main():
    unittest.main(verbosity=2)
