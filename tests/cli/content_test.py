"""Broken problem packages: exit code 3, with the file and the place in it. The packages are copies, which a layout.json
beside a copy of the program points at."""

import json
import os
import pathlib
import shutil

from support import ACCEPTED, ENGINE, SOURCE, WRONG, Workspace, main, without_prerequisites


class Content(Workspace):
    def setUp(self):
        super().setUp()
        self.content = self.temporary_folder()
        shutil.copytree(SOURCE / "problems/token-lookup", self.content / "problems/token-lookup")
        self.package = self.content / "problems/token-lookup"
        without_prerequisites(self.package)
        self.write_curriculum(["token-lookup"])
        self.program = self.content / "engine"
        try:
            os.link(ENGINE, self.program)
        except OSError:
            shutil.copy(ENGINE, self.program)
        layout = self.layout_for_elsewhere()
        layout["problems"] = str(self.content / "problems")
        self.write_layout(layout)

    def write_layout(self, layout):
        self.points_at = layout
        (self.content / "layout.json").write_text(json.dumps(layout))

    def write_curriculum(self, ids):
        (self.content / "problems/curriculum.json").write_text(
            json.dumps({"format": "engine.curriculum/1", "title": "A copy", "problems": ids}))

    def edit(self, name, change):
        file = self.package / name
        data = json.loads(file.read_text())
        change(data)
        file.write_text(json.dumps(data))

    def refused(self, *words, command=("test", "token-lookup")):
        done = self.run_engine(*command, program=self.program, expect=3)
        self.assertEqual(done.stdout, "")
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse(self.database.exists(), "nothing is recorded for a package that cannot be read")

    def test_the_untouched_copy_is_fine(self):
        self.run_engine("test", program=self.program, expect=1)

    def test_an_unknown_key(self):
        self.edit("problem.json", lambda data: data.update(colour="blue"))
        self.refused("token-lookup/problem.json", "colour")

    def test_a_value_out_of_range_is_named_by_its_pointer(self):
        self.edit("problem.json", lambda data: data["limits"].update(memory_mib=-5))
        self.refused("token-lookup/problem.json", "/limits/memory_mib", "-5")

    def test_text_that_is_no_json(self):
        (self.package / "problem.json").write_text("{")
        self.refused("token-lookup/problem.json")

    def test_files_nested_a_hundred_thousand_deep(self):
        deep = "[" * 100_000 + "]" * 100_000
        for file in (self.package / "problem.json", self.package / "questions.json", self.package / "kills.json",
                     self.content / "problems/curriculum.json"):
            for text in (deep, '{"a":' * 100_000, json.dumps({"format": 1})[:-1] + ', "more": ' + deep + "}"):
                with self.subTest((file.name, text[:12])):
                    before = file.read_text()
                    file.write_text(text)
                    self.refused(file.name, "nested too deep")
                    file.write_text(before)

    def test_a_missing_hint_file(self):
        (self.package / "hints.md").unlink()
        self.refused("token-lookup/hints.md", command=("hint", "token-lookup"))

    def test_a_question_without_a_right_answer(self):
        def spoil(data):
            question = next(each for each in data["questions"] if each["kind"] == "multiple_choice")
            for option in question["options"]:
                option.pop("correct", None)

        self.edit("questions.json", spoil)
        self.refused("token-lookup/questions.json", "/questions/")

    def test_kills_that_name_an_unknown_test(self):
        self.edit("kills.json", lambda data: data["mistakes"]["reads-column"]["always"].append("no such test"))
        self.refused("token-lookup/kills.json", "/mistakes/reads-column/always/", "no such test")

    def test_a_mistake_whose_base_has_changed(self):
        file = self.package / "mistakes/reads-column.diff"
        lines = file.read_text().splitlines(True)
        taken = next(number for number, line in enumerate(lines) if line.startswith("-") and line[1] != "-")
        lines[taken] = "-another line\n"
        file.write_text("".join(lines))
        self.refused(f"mistakes/reads-column.diff: line {taken + 1}: the diff does not apply", "another line",
                     "reference/token-lookup/lookup.cpp")

    def test_a_mistake_with_the_line_ends_of_another_system(self):
        file = self.package / "mistakes/reads-column.diff"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        self.refused("mistakes/reads-column.diff: line 1: the line ends with CR LF")

    def test_a_mistake_whose_base_lies_elsewhere(self):
        file = self.package / "mistakes/reads-column.diff"
        for base, word in (("/etc/passwd", "absolute"), ("reference/../../passwd", "upwards"),
                           ("reference/token-lookup/gone.cpp", "must be the reference or an accepted variant")):
            with self.subTest(base):
                text = file.read_text()
                file.write_text(text.replace("--- reference/token-lookup/lookup.cpp", "--- " + base))
                self.refused("mistakes/reads-column.diff: line", word, base)
                file.write_text(text)

    def test_a_curriculum_with_a_problem_that_is_not_there(self):
        self.write_curriculum(["token-lookup", "not-there"])
        self.refused("not-there", command=("list",))

    def test_no_layout_at_all(self):
        (self.content / "layout.json").unlink()
        self.refused("layout.json", command=("list",))

    def test_missing_programs_are_no_fault_of_the_package(self):
        for key in ("driver_library", "headers", "objects", "canary"):
            with self.subTest(key):
                self.write_layout({**self.points_at, key: str(self.content / "nowhere")})
                done = self.run_engine("test", "token-lookup", program=self.program, expect=4)
                self.assertNotIn("wrong", done.stdout)
                self.setUp()


class Floor(Content):
    """A canary that reports nothing stands for a machine on which nothing could be confined."""

    def setUp(self):
        super().setUp()
        # What watches the compiler's programs lies next to the canary.
        folder = self.temporary_folder()
        shutil.copy("/bin/true", folder / "canary")
        shutil.copy(pathlib.Path(self.points_at["canary"]).parent / "stage", folder / "stage")
        self.write_layout({**self.points_at, "canary": str(folder / "canary")})

    def test_below_the_floor_nothing_is_judged_and_nothing_recorded(self):
        for command in (("submit-build", "token-lookup"), ("test", "token-lookup", "--require-isolation", "A")):
            with self.subTest(command):
                done = self.run_engine(*command, "--from", ACCEPTED, "--record", program=self.program, expect=4)
                self.assertIn("level E was observed", done.stderr)
                self.assertIn("engine doctor", done.stderr)
                self.assertEqual(done.stdout, "")
        self.assertEqual(self.attempts(), "")

    def test_practice_without_a_floor_is_judged_and_the_report_says_how_weak_it_was(self):
        done = self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--format", "json", program=self.program,
                               expect=0)
        self.assertEqual(json.loads(done.stdout)["isolation"]["level"], "E")

    def test_doctor_tells_a_script_whether_the_floor_is_reached(self):
        self.run_engine("doctor", "--require-isolation", "C", program=self.program, expect=4)
        self.run_engine("doctor", program=self.program, expect=0)


class Verify(Content):
    """Over a package with as few mistakes and accepted variants as one may have: the whole proof, quickly."""

    def setUp(self):
        super().setUp()
        mistakes = sorted((self.package / "mistakes").glob("*"), key=lambda file: file.stem != "reads-column")
        accepted = sorted((self.package / "accepted").glob("*.cpp"))
        kept = [file for file in mistakes if "--- reference/" in file.read_text()][:10]
        for file in set(mistakes) - set(kept) | set(accepted[4:]):
            file.unlink()
        kept = {file.stem for file in kept}
        shutil.rmtree(self.package / "witnesses")
        self.edit("kills.json", lambda data: data.update(
            witnesses={}, mistakes={name: entry for name, entry in data["mistakes"].items() if name in kept}))

        def forget_others(data):
            for question in data["questions"]:
                for answer in question.get("options", []) + question.get("misconceptions", []):
                    if answer.get("mistake") not in kept:
                        answer.pop("mistake", None)

        self.edit("questions.json", forget_others)

    def verify(self, expect):
        done = self.run_engine("verify", "token-lookup", "--no-mutants", program=self.program, expect=expect)
        return done.stdout

    def test_a_sound_package_has_a_kill_matrix_without_a_gap(self):
        out = self.verify(0)
        self.assertRegex(out, r"reads-column.* x")
        self.assertIn("1 problem, 16 judgements", out)
        self.assertTrue(out.rstrip().endswith(": sound"), out)

    def test_a_mistake_that_survives_a_test_that_always_fails_is_a_gap(self):
        self.edit("kills.json",
                  lambda data: data["mistakes"]["reads-column"]["always"].append("no ids mean no rows"))
        out = self.verify(3)
        self.assertIn("move 'no ids mean no rows' of reads-column from always to sometimes", out)
        self.assertTrue(out.rstrip().endswith(": not sound"), out)

    def test_a_mistake_is_judged_as_it_is_now_not_as_it_was_built(self):
        right = (SOURCE / "reference/token-lookup/lookup.cpp").read_text()
        file = self.package / "mistakes/reads-column.diff"
        header = [f"// {line}" for line in file.read_text().split("--- ")[0].splitlines(True)]
        file.unlink()
        file.with_suffix(".cpp").write_text("".join(header) + right)
        out = self.verify(3)
        self.assertIn("of reads-column from always to sometimes: it passed", out)

    def test_an_accepted_variant_that_is_wrong_is_a_gap(self):
        for file in (self.package / "accepted").glob("*.cpp"):
            file.unlink()
        (self.package / "accepted/not-really.cpp").write_text("// accepted: it is not\n" + WRONG.read_text())
        self.assertIn("not-really", self.verify(3))


# The tests of Content would run again in them.
for name in [name for name in dir(Content) if name.startswith("test_")]:
    setattr(Floor, name, None)
    setattr(Verify, name, None)


if __name__ == "__main__":
    main()
