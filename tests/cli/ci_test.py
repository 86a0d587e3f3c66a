"""The files of docs/ci: their commands do what the page says, at the isolation that containers have by default."""

import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

from classroom import LOOKUP, Classroom
from support import ENGINE, SOURCE, main

FOLDER = SOURCE / "docs/ci"


def commands(text):
    """The commands of a workflow: those after `run: >`, or the items `- >` of a script, each on its lines."""
    folded = re.findall(r"^( *)(?:- )?(?:run: )?>\n((?:\1 +.*\n)+)", text, re.MULTILINE)
    return [" ".join(line.strip() for line in lines.splitlines()) for _, lines in folded]


class Workflows(Classroom):
    def setUp(self):
        super().setUp()
        programs = self.temporary_folder()
        (programs / "engine").write_text(f'#!/bin/sh\nexec {ENGINE} "$@"\n')
        (programs / "engine").chmod(0o755)
        self.environment |= {"PATH": f"{programs}:/usr/bin:/bin", "ENGINE_ISOLATION_CEILING": "C",
                             "GITHUB_STEP_SUMMARY": str(self.folder / "summary.md")}

    def run_workflow(self, name):
        """Runs its one command as the platforms do, and returns how it ended."""
        command, = commands((FOLDER / name).read_text())
        self.assertTrue(command.startswith("engine "), command)
        return subprocess.run(["sh", "-e", "-c", command], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=300, check=False)

    def artifacts(self, name):
        """What the workflow keeps."""
        text = (FOLDER / name).read_text()
        kept = re.search(r"(?:paths:|path: \|)\n((?: +(?:- )?[\w.]+\n)+)", text).group(1)
        return [line.strip().removeprefix("- ") for line in kept.splitlines()]

    def test_a_push_is_judged_and_reported(self):
        for name in ("feedback.github.yml", "feedback.gitlab.yml"):
            with self.subTest(name):
                submission = self.folder / "token-lookup"
                submission.mkdir(exist_ok=True)
                shutil.copy(LOOKUP, submission / "lookup.cpp")
                done = self.run_workflow(name)
                self.assertEqual(done.returncode, 0, done.stderr)
                suites = xml.etree.ElementTree.parse(self.folder / "report.xml").getroot()
                self.assertEqual(suites.get("failures"), "0")
                shutil.copy(self.wrong, submission / "lookup.cpp")
                done = self.run_workflow(name)
                self.assertEqual(done.returncode, 1, done.stderr)  # the job fails
                suites = xml.etree.ElementTree.parse(self.folder / "report.xml").getroot()
                self.assertNotEqual(suites.get("failures"), "0")
                if "github" in name:
                    self.assertIn("::error", done.stdout)
                    self.assertIn("Wrong answer", (self.folder / "summary.md").read_text())

    def test_a_class_is_graded_and_all_that_is_kept_is_there(self):
        for name in ("class.github.yml", "class.gitlab.yml"):
            with self.subTest(name):
                shutil.rmtree(self.folder / "submissions", ignore_errors=True)
                for kept in self.artifacts(name):
                    path = self.folder / kept
                    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
                self.hw = self.folder / "submissions"
                self.hand_in("ada", LOOKUP)
                self.hand_in("bob", self.wrong)
                (self.folder / "roster.csv").write_text("id,name\nada,Ada\nbob,Bob\n")
                self.assign("assignment.json", seed=7)
                done = self.run_workflow(name)
                self.assertEqual(done.returncode, 0, done.stderr)
                for kept in self.artifacts(name):
                    self.assertTrue((self.folder / kept).exists(), kept)
                self.assertEqual(self.rows("SELECT DISTINCT isolation FROM judgement", "week.gradebook"), [("C",)])

    def test_below_the_floor_nothing_is_judged(self):
        (self.folder / "token-lookup").mkdir()
        shutil.copy(LOOKUP, self.folder / "token-lookup/lookup.cpp")
        self.environment["ENGINE_ISOLATION_CEILING"] = "D"
        done = self.run_workflow("feedback.gitlab.yml")
        self.assertEqual(done.returncode, 4, done.stderr)

    def test_the_page_names_each_file_and_the_files_name_the_page(self):
        page = (SOURCE / "docs/ci.md").read_text()
        for file in FOLDER.iterdir():
            self.assertIn(f"(ci/{file.name})", page)
        for name in re.findall(r"\(ci/([\w.]+)\)", page):
            self.assertTrue((FOLDER / name).exists(), name)


class Container(Classroom):
    def test_its_commands_are_the_engines(self):
        text = (FOLDER / "Containerfile").read_text()
        runs = re.findall(r"^RUN (\.?/?engine) (.*)$", text, re.MULTILINE)
        self.assertEqual([program for program, _ in runs], ["./engine", "engine"])
        for _, arguments in runs:
            self.run_engine(*[word for word in arguments.split() if not word.startswith("$")], "--help", expect=0)
        defaults = re.search(r'^ARG PROBLEMS="(.*)"$', text, re.MULTILINE).group(1).split()
        known = json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]
        self.assertLessEqual(set(defaults), set(known))
        copied, = re.findall(r"^COPY --from=build /src/(\S+)/engine_\*\.deb", text, re.MULTILINE)
        self.assertEqual(os.path.normpath(copied), "build/release")


if __name__ == "__main__":
    main()
