"""What a problem is judged with is built when it is first needed: once, for all who need it, and from the package as it
is then."""

import json
import os
import pathlib
import shutil
import tempfile

from support import ACCEPTED, ENGINE, SOURCE, WRONG, Workspace, main, without_prerequisites

POSITIONS = SOURCE / "problems/learned-positions/accepted"


class Kits(Workspace):
    """A copy of two problems, unlike those that anything was prepared for, and an empty folder for the whole system."""

    @classmethod
    def setUpClass(cls):
        cls.cache = pathlib.Path(tempfile.mkdtemp(prefix="engine-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)

    def setUp(self):
        super().setUp()
        self.content = self.temporary_folder()
        for problem in ("token-lookup", "learned-positions"):
            shutil.copytree(SOURCE / "problems" / problem, self.content / "problems" / problem)
            with (self.content / "problems" / problem / "suite.cpp").open("a") as file:
                file.write(f"// {self.id()}\n")
            # A whole file, so that the program of the mistakes is new, too.
            mistakes = self.content / "problems" / problem / "mistakes"
            diff = min(mistakes.glob("*.diff"))
            header = "".join(f"// {line}" for line in diff.read_text().split("--- ")[0].splitlines(True))
            reference = next((SOURCE / "reference" / problem).glob("*.cpp")).read_text()
            diff.with_suffix(".cpp").write_text(header + reference + f"// {self.id()}\n")
            diff.unlink()
        without_prerequisites(self.content / "problems/token-lookup")
        (self.content / "problems/curriculum.json").write_text(json.dumps(
            {"format": "engine.curriculum/1", "title": "A copy", "problems": ["token-lookup", "learned-positions"]}))
        self.program = self.content / "engine"
        try:
            os.link(ENGINE, self.program)
        except OSError:
            shutil.copy(ENGINE, self.program)
        self.system = self.content / "system"
        layout = {**self.layout_for_elsewhere(), "problems": str(self.content / "problems"), "kits": str(self.system)}
        (self.content / "layout.json").write_text(json.dumps(layout))
        self.environment["XDG_CACHE_HOME"] = str(self.cache)
        self.suite = self.content / "problems/token-lookup/suite.cpp"

    def engine(self, *arguments, **more):
        return self.run_engine(*arguments, program=self.program, **more)

    def left_over(self):
        return [path.name for path in (self.cache / "engine").rglob("*") if path.name.startswith(("scratch-", "new-"))]

    def test_a_passing_run_does_not_wait_for_the_mistakes_and_a_failing_one_names_its_own(self):
        done = self.engine("test", "token-lookup", "--from", ACCEPTED, expect=0)
        self.assertIn("preparing token-lookup, once", done.stderr)
        self.assertNotIn("known mistakes", done.stderr)
        self.assertEqual(self.left_over(), [])
        done = self.engine("test", "token-lookup", "--from", WRONG, "--format", "json", expect=1)
        self.assertNotIn("preparing token-lookup", done.stderr)
        self.assertEqual(json.loads(done.stdout)["diagnosis"][0]["mistake"], "reads-column")
        again = self.engine("test", "token-lookup", "--from", WRONG, "--format", "json", expect=1)
        self.assertNotIn("preparing", again.stderr)
        self.assertEqual(json.loads(again.stdout)["diagnosis"], json.loads(done.stdout)["diagnosis"])

    def test_eight_engines_on_two_problems_and_an_empty_cache(self):
        fresh = {"XDG_CACHE_HOME": str(self.temporary_folder())}
        running = []
        for number in range(8):
            problem, file = (("token-lookup", ACCEPTED), ("learned-positions", next(POSITIONS.glob("*.cpp"))))[number % 2]
            running.append(self.start_engine("test", problem, "--from", file, program=self.program,
                                             environment=fresh))
        for each in running:
            out, err = each.communicate(timeout=300)
            self.assertEqual(each.returncode, 0, f"{out}\n{err}")
        self.assertEqual(self.left_over(), [])

    def test_a_suite_that_does_not_compile_breaks_its_own_package_and_no_other(self):
        text = self.suite.read_text()
        self.suite.write_text(text + "\nint no_such = thing;\n")
        line = len(text.splitlines()) + 2
        for command in (("test", "token-lookup", "--from", ACCEPTED), ("prepare", "--all")):
            done = self.engine(*command, expect=3)
            self.assertIn(f"problems/token-lookup/suite.cpp:{line}:15: error: ", done.stderr)
            self.assertIn("thing", done.stderr)
        self.assertIn("learned-positions: ready", done.stdout)
        self.assertNotIn("token-lookup: ready", done.stdout)
        self.engine("list", expect=0)
        self.engine("show", "token-lookup", expect=0)
        self.engine("test", "learned-positions", expect=1)
        self.suite.write_text(text)
        self.engine("test", "token-lookup", "--from", ACCEPTED, expect=0)

    def test_a_package_that_has_lost_its_suite_is_named(self):
        self.suite.unlink()
        done = self.engine("test", "token-lookup", "--from", ACCEPTED, expect=3)
        self.assertIn("cannot read problems/token-lookup/suite.cpp: there is no such file", done.stderr)

    def test_what_is_prepared_for_the_system_serves_every_cache(self):
        out = self.engine("prepare", "token-lookup", "--system", expect=0).stdout
        self.assertEqual(out, "token-lookup: ready\n")
        self.assertEqual(len(list(self.system.iterdir())), 3)
        fresh = {"XDG_CACHE_HOME": str(self.temporary_folder())}
        done = self.engine("test", "token-lookup", "--from", WRONG, expect=1, environment=fresh)
        self.assertNotIn("preparing token-lookup", done.stderr)
        self.system.chmod(0o777)
        done = self.engine("test", "token-lookup", "--from", WRONG, expect=1)
        self.assertEqual(done.stderr.count(str(self.system)), 1, done.stderr)

    def test_prepare_takes_names_or_all(self):
        self.assertIn("token-lookup", self.engine("prepare", "token-lokup", expect=2).stderr)
        self.engine("prepare", "token-lookup", "--all", expect=2)


if __name__ == "__main__":
    main()
