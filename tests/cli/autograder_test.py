"""`engine grade --export gradescope-autograder`: what Gradescope gets, and what it does there."""

import json
import os
import shutil
import subprocess
import unittest
import zipfile

from classroom import LOOKUP, Classroom
from support import ENGINE, SourceTree, main


class Autograder(Classroom):
    def export(self, name="autograder.zip", **more):
        self.grade(*self.assign(title="Week 1", seed=7, deadline="2026-10-25T23:59", seeds="per-student"), "--export",
                   "gradescope-autograder", "--output", name, **more)
        return self.folder / name

    def unpack(self):
        """Gradescope's folder, with the engine of this build in place of the one that setup.sh would build."""
        root = self.folder / "autograder"
        source = root / "source"
        source.mkdir(parents=True)
        with zipfile.ZipFile(self.export()) as archive:
            archive.extractall(source)
            for entry in archive.infolist():
                (source / entry.filename).chmod(entry.external_attr >> 16 & 0o777)
        program = source / "engine/build/release/app/engine"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nXDG_CACHE_HOME={self.environment["XDG_CACHE_HOME"]} exec {ENGINE} "$@"\n')
        program.chmod(0o755)
        for folder in ("submission", "results"):
            (root / folder).mkdir()
        return root

    def run_autograder(self, root, **environment):
        return subprocess.run([root / "source/run_autograder"], cwd=root, capture_output=True, text=True, timeout=300,
                              check=False, env={**self.environment, "AUTOGRADER_ROOT": str(root), **environment})

    def test_the_same_source_gives_the_same_bytes_in_every_time_zone(self):
        first = self.export()
        second = self.export("again.zip", environment={"TZ": "Asia/Tokyo"})
        self.assertEqual(first.read_bytes(), second.read_bytes())
        with zipfile.ZipFile(first) as archive:
            names = archive.namelist()
            assignment = json.loads(archive.read("assignment.json"))
            modes = {name: archive.getinfo(name).external_attr >> 16 & 0o777 for name in names}
            starter = archive.read("engine/exercises/token-lookup/lookup.cpp")
            self.assertIn(b"prepare token-lookup\n", archive.read("setup.sh"))
        self.assertEqual(assignment, {"schema": "engine.assignment/1", "title": "Week 1", "problems": [{"id": "token-lookup"}],
                                      "seed": 7})
        self.assertEqual([modes[name] for name in ("setup.sh", "run_autograder", "engine/engine", "assignment.json")],
                         [0o755, 0o755, 0o755, 0o644])
        self.assertEqual([name for name in names if "/." in name or name.startswith(("engine/build", "engine/tests"))], [])
        self.assertIn(b"not_implemented", starter)

    def test_it_judges_a_submission_as_the_class_is_judged(self):
        root = self.unpack()
        shutil.copy(LOOKUP, root / "submission/lookup.cpp")
        done = self.run_autograder(root)
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((root / "results/results.json").read_text())
        self.assertEqual(results["score"], 100)
        self.assertTrue(all(test["status"] == "passed" for test in results["tests"]))
        shutil.copy(self.wrong, root / "submission/lookup.cpp")
        self.assertEqual(self.run_autograder(root).returncode, 0)
        self.assertLess(json.loads((root / "results/results.json").read_text())["score"], 100)

    def test_what_cannot_be_judged_gets_no_score(self):
        root = self.unpack()
        shutil.copy(LOOKUP, root / "submission/lookup.cpp")
        done = self.run_autograder(root, ENGINE_ISOLATION_CEILING="D")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("isolation level C is required", done.stderr)
        self.assertEqual(list((root / "results").iterdir()), [])

    @unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "cmake or ninja is not installed")
    def test_its_source_is_complete(self):
        root = self.unpack()
        shutil.rmtree(root / "source/engine/build")
        done = subprocess.run(["cmake", "--preset", "release"], cwd=root / "source/engine", capture_output=True, text=True,
                              timeout=300, check=False, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(done.returncode, 0, done.stderr)
        # Each file that the build reads is there.
        planned = subprocess.run(["ninja", "-C", root / "source/engine/build/release", "-n"], capture_output=True, text=True,
                                 timeout=300, check=False)
        self.assertEqual(planned.returncode, 0, planned.stdout[-500:] + planned.stderr)


class WithoutSource(Classroom, SourceTree):
    def test_an_engine_without_its_source_says_so_before_anything_is_judged(self):
        self.hand_in("ada", LOOKUP)
        done = self.grade("--problem", "token-lookup", "--export", "gradescope-autograder", "--output", "x.zip",
                          program=self.program, expect=2)
        self.assertIn("is installed without it; run the command with the engine of a clone", done.stderr)
        self.assertEqual(list(self.folder.glob("*.gradebook")), [])


if __name__ == "__main__":
    main()
