"""A workspace of one's own: how it is made, what it holds, and where the engine finds it."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from support import ACCEPTED, ENGINE, NOBODY, SOURCE, Workspace, main


@functools.cache
def installed():
    """One for all tests: what it prepares depends on where it lies. They only read it."""
    prefix = pathlib.Path(tempfile.mkdtemp(prefix="engine-cli-")).resolve()
    unittest.addModuleCleanup(shutil.rmtree, prefix, ignore_errors=True)
    prefix.chmod(0o755)
    try:
        os.link(ENGINE, prefix / "engine")
    except OSError:
        shutil.copy(ENGINE, prefix / "engine")
    layout = Workspace.layout_for_elsewhere()
    shutil.copytree(SOURCE / "exercises", prefix / "share/exercises")
    layout["exercises"] = str(prefix / "share/exercises")
    (prefix / "layout.json").write_text(json.dumps(layout))
    return prefix


class Folders(Workspace):
    """Without the workspace that other tests begin with, and with an engine that is installed: a clone is a workspace
    itself, and would be found from everywhere."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = installed()
        cls.program = cls.prefix / "engine"

    def setUp(self):
        super().setUp()
        shutil.rmtree(self.folder / "exercises")
        # As it is called where it is found in PATH.
        self.environment["PATH"] = f"{self.prefix}:/usr/bin:/bin"

    def engine(self, *arguments, **more):
        return self.run_engine(*arguments, program="engine", **more)

    @property
    def w(self):
        return self.folder / "w"

    def make(self):
        self.engine("init", "w", expect=0)
        return self.w

    def files(self, folder):
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Init(Folders):
    def test_a_new_workspace_has_every_exercise_and_says_how_to_go_on(self):
        out = self.engine("init", "w", expect=0).stdout
        self.assertIn("cd w && engine\n", out)
        problems = json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]
        self.assertEqual({path.name for path in (self.w / "exercises").iterdir()}, {"common", *problems})
        for problem in problems:
            manifest = json.loads((SOURCE / "problems" / problem / "problem.json").read_text())
            self.assertEqual({path.name for path in (self.w / "exercises" / problem).iterdir()},
                             {*manifest["files"], *(header.name for header in
                                                    (SOURCE / "exercises" / problem).glob("*.h"))})
        for name in (".clangd", "compile_flags.txt", ".vscode/tasks.json", "README.md", ".gitignore"):
            self.assertTrue((self.w / name).is_file(), name)
        self.assertIn("then write your code in   exercises/first-row/row.cpp",
                      self.engine(cwd=self.w, expect=0).stdout)

    def test_what_it_begins_with_is_judged(self):
        w = self.make()
        done = self.engine("test", cwd=w, expect=1)
        self.assertIn("not implemented", done.stdout.lower())
        self.assertIn("engine show first-row", " ".join(done.stdout.split()))
        shutil.copy(ACCEPTED, w / "exercises/token-lookup/lookup.cpp")
        self.engine("test", "token-lookup", cwd=w / "exercises/token-lookup", expect=0)
        self.assertTrue((w / ".engine/progress.db").is_file())

    def test_the_folder_may_lie_deep_have_any_name_and_exist(self):
        for name in ("a/b/c", "my exercises; all", "größe", "-w"):
            with self.subTest(name):
                self.engine("init", "--", name, expect=0)
                self.engine(cwd=self.folder / name, expect=0)
        (self.folder / "repository/.git").mkdir(parents=True)
        self.engine("init", ".", cwd=self.folder / "repository", expect=0)

    def test_again_it_completes_and_overwrites_nothing(self):
        w = self.make()
        self.assertIn("lacks nothing", self.engine("init", "w", expect=0).stdout)
        before = self.files(w)
        (w / "exercises/token-lookup/lookup.cpp").write_text("mine\n")
        (w / ".clangd").write_text("mine too\n")
        shutil.rmtree(w / "exercises/common")
        (w / "README.md").unlink()
        out = self.engine("init", ".", cwd=w, expect=0).stdout
        self.assertIn("README.md: was missing", out)
        self.assertIn("exercises/common/ids.h: was missing", out)
        after = self.files(w)
        self.assertEqual({path for path in before if before[path] != after[path]},
                         {pathlib.Path("exercises/token-lookup/lookup.cpp"), pathlib.Path(".clangd")})
        self.assertEqual(after[pathlib.Path(".clangd")], b"mine too\n")

    def test_a_folder_with_something_else_in_it_is_refused(self):
        w = self.make()
        (self.folder / "thesis").mkdir()
        (self.folder / "thesis/thesis.tex").touch()
        for name in ("thesis", "w/exercises/token-lookup", "w/README.md", "thesis/thesis.tex/w", ""):
            with self.subTest(name):
                before = self.files(self.folder)
                done = self.engine("init", name)
                self.assertIn(done.returncode, (2, 4))
                self.assertEqual(done.stdout, "")
                self.assertIn("cannot make", done.stderr)
                self.assertEqual(self.files(self.folder), before)
        self.engine("init", expect=2)
        self.engine(cwd=w, expect=0)

    def test_one_of_a_newer_engine_is_refused_untouched_by_every_command(self):
        w = self.make()
        (w / ".engine/workspace.json").write_text('{"format": "engine.workspace/2", "more": 1}')
        (w / "README.md").unlink()
        before = self.files(w)
        for command in (("init", "."), ("test",), ("status",), ("reset", "token-lookup"), ("hint",), ()):
            with self.subTest(command):
                self.assertIn("a newer engine made it", self.engine(*command, cwd=w, expect=4).stderr)
        self.assertEqual(self.files(w), before)

    def test_an_older_one_is_brought_up_to_date_in_one_line(self):
        w = self.make()
        self.engine("hint", cwd=w, expect=0)
        (w / ".engine/workspace.json").unlink()
        done = self.engine("status", cwd=w, expect=0)
        self.assertRegex(done.stderr, r"\Aengine: the workspace .* its version is 1 now\n\Z")
        self.assertIn("1 hint", done.stdout)
        self.assertEqual(self.engine("status", cwd=w, expect=0).stderr, "")
        self.assertEqual(json.loads((w / ".engine/workspace.json").read_text())["format"], "engine.workspace/1")

    def test_a_folder_that_may_not_be_written_is_said(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to become a user without rights")
        self.folder.chmod(0o755)
        done = self.engine("init", "w", prefix=("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
                           expect=4)
        self.assertIn("is the folder writable", done.stderr)


class Discovery(Folders):
    def test_without_a_workspace_it_says_how_to_make_one(self):
        self.assertIn("engine init DIR", self.engine(expect=0).stdout)
        for command in (("test",), ("submit-build", "dropout"), ("reset", "token-lookup")):
            with self.subTest(command):
                self.assertIn("make one with: engine init DIR", self.engine(*command, expect=2).stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_without_a_workspace_reading_and_judging_a_named_file_still_work(self):
        for command in (("list",), ("show", "dropout"), ("doctor",), ("completion", "bash")):
            with self.subTest(command):
                self.engine(*command, expect=0)
        done = self.engine("test", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.assertIn("your progress is not kept", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_half_a_workspace_says_what_is_missing_and_is_not_judged(self):
        w = self.make()
        shutil.rmtree(w / "exercises/common")
        for cwd in (w, w / "exercises/token-lookup"):
            for command in (("test",), ("submit-build",), ("status",), ()):
                with self.subTest(cwd=cwd, command=command):
                    done = self.engine(*command, cwd=cwd, expect=4)
                    self.assertIn("exercises/common is missing", done.stderr)
                    self.assertEqual(done.stdout, "")
        advice = self.engine("test", cwd=w, expect=4).stderr.rpartition("with: ")[2]
        subprocess.run(["sh", "-c", advice], cwd="/", env=self.environment, check=True, capture_output=True)
        self.engine(cwd=w, expect=0)

    def test_a_folder_of_one_exercise_alone_is_half_a_workspace(self):
        shutil.copytree(SOURCE / "exercises/token-lookup", self.folder / "handed-in/exercises/token-lookup")
        done = self.engine("submit-build", cwd=self.folder / "handed-in/exercises/token-lookup", expect=4)
        self.assertIn("exercises/common is missing", done.stderr)

    def test_a_workspace_above_counts_only_if_it_is_the_users(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to give files away")
        w = self.make()
        below = w / "exercises/token-lookup"
        os.chown(w / "exercises/common", NOBODY, NOBODY)
        done = self.engine("test", cwd=below, expect=2)
        self.assertIn(f"{w} is not yours", done.stderr)
        self.engine("test", cwd=w, expect=1)  # who goes there means it
        os.chown(w / "exercises/common", 0, 0)
        self.engine("test", cwd=below, expect=1)

    def test_messages_name_the_command_that_works_where_they_are_read(self):
        w = self.make()
        whole = {"PATH": "/usr/bin:/bin"}
        self.assertIn(f"Next: read the task with   {self.program} show",
                      self.run_engine(program=self.program, cwd=w, environment=whole).stdout)
        script = {"ENGINE_CALLED_AS": "../engine"}
        for command, words in (((), "../engine show"), (("status",), "Next: ../engine test"),
                               (("reset", "dropout"), "Next: ../engine show dropout"),
                               (("test",), "../engine show first-row"), (("tset",), "../engine help"),
                               (("show", "dropout"), "../engine test dropout")):
            with self.subTest(command):
                done = self.engine(*command, cwd=w, environment=script)
                self.assertIn(words, " ".join((done.stdout + done.stderr).split()))


class Editors(Folders):
    def matchers(self):
        tasks = json.loads((self.make() / ".vscode/tasks.json").read_text())["tasks"]
        return {task["label"]: task["problemMatcher"] for task in tasks}

    @staticmethod
    def found(matchers, output):
        """What VS Code makes of an output: each matcher's patterns on consecutive lines."""
        problems = []
        lines = output.splitlines()
        for matcher in matchers:
            for at in range(len(lines)):
                problem = {}
                for pattern, line in zip(matcher["pattern"], lines[at:]):
                    match = re.search(pattern["regexp"], line)
                    if not match:
                        break
                    problem |= {key: match.group(number) for key, number in pattern.items() if key != "regexp"}
                else:
                    problems.append((problem["file"], int(problem["line"]), problem["message"]))
        return problems

    def test_what_a_learner_commits_has_no_path_of_this_machine(self):
        # Called by its path: it is not in PATH.
        self.run_engine("init", "w", program=self.program, environment={"PATH": "/usr/bin:/bin"}, expect=0)
        w = self.w
        run = functools.partial(subprocess.run, cwd=w, capture_output=True, text=True, check=True)
        run(["git", "init", "-q"])
        committed = run(["git", "ls-files", "--others", "--exclude-standard"]).stdout.splitlines()
        self.assertIn(".vscode/tasks.json", committed)
        self.assertIn(".clangd", committed)
        self.assertFalse([name for name in committed if name.startswith(".engine")])
        for name in committed:
            text = (w / name).read_text()
            for path in (self.folder, self.prefix, SOURCE, ENGINE.parent):
                self.assertNotIn(str(path), text, name)
        task = json.loads((w / ".vscode/tasks.json").read_text())["tasks"][0]
        done = subprocess.run([task["command"], *task["args"][:-1], "token-lookup"], cwd=w, env=self.environment,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("token-lookup", done.stdout)
        self.assertIn("`sh .engine/run test`", (w / "README.md").read_text())

    def test_what_git_ignores_comes_back_in_a_clone_of_the_work(self):
        w = self.make()
        self.assertTrue((w / ".engine/cuda/cuda_runtime.h").exists())
        shutil.rmtree(w / ".engine")
        out = self.engine("init", "w", expect=0).stdout
        self.assertEqual(out.splitlines(), [".engine/cuda: was missing"])
        self.assertEqual((w / ".engine/cuda/cuda_runtime.h").read_bytes(),
                         (SOURCE / "validator/emulator/include/cuda_runtime.h").read_bytes())

    def test_a_task_tests_the_exercise_of_the_open_file(self):
        w = self.make()
        task = json.loads((w / ".vscode/tasks.json").read_text())["tasks"][0]
        self.assertEqual(task["args"], ["test", "${fileDirnameBasename}"])
        (w / "exercises/learned-positions/embed.cpp").write_text("int broken(;\n")
        self.engine("test", "learned-positions", cwd=w, expect=1)

    def test_what_the_compiler_says_is_matched(self):
        matchers = self.matchers()["engine test"]
        (self.w / "exercises/token-lookup/lookup.cpp").write_text('#include "contract.h"\nint broken(;\n')
        problems = self.found(matchers, self.engine("test", "token-lookup", cwd=self.w, expect=1).stdout)
        self.assertEqual([problem[:2] for problem in problems][:1], [("exercises/token-lookup/lookup.cpp", 2)])
        self.assertTrue(problems[0][2])

    def test_what_the_memory_check_and_the_emulator_say_is_matched(self):
        matchers = self.matchers()["engine submit-build"]
        for name, wanted in (("sanitizer-finding", ("lookup.cpp", 14)), ("kernel-findings", ("lookup.cu", 21))):
            output = (SOURCE / "tests/golden/expected/console" / f"{name}.txt").read_text()
            self.assertIn(wanted, [problem[:2] for problem in self.found(matchers, output)])

    def test_an_accepted_report_has_no_problems(self):
        matchers = self.matchers()["engine submit-build"]
        for name in ("accepted", "not-implemented", "timeout"):
            output = (SOURCE / "tests/golden/expected/console" / f"{name}.txt").read_text()
            self.assertEqual(self.found(matchers, output), [])


if __name__ == "__main__":
    main()
