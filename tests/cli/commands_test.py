"""Each command once, the way a learner or an author meets it."""

import json
import shutil
import subprocess

from support import ACCEPTED, ENGINE, PROBLEMS, SOURCE, WRONG, Workspace, main

FIRST_ROW = SOURCE / "problems/first-row/accepted/algorithm.cpp"


class Reading(Workspace):
    def test_alone_it_says_where_you_are_and_what_is_next(self):
        out = " ".join(self.run_engine(expect=0).stdout.split())
        self.assertIn("first-row", out)
        self.assertIn("engine show", out)
        self.assertIn("exercises/first-row/row.cpp", out)

    def test_from_a_folder_below_it_finds_the_workspace(self):
        out = self.run_engine(expect=0, cwd=self.folder / "exercises/first-row").stdout
        self.assertIn("in   row.cpp\n", out)

    def test_list_has_every_problem_in_order_and_marks_the_current_one(self):
        wanted = json.loads((self.curriculum()).read_text())["problems"]
        lines = [line for line in self.run_engine("list", expect=0).stdout.splitlines() if " min" in line]
        self.assertEqual([line[5:].split()[0] for line in lines], wanted)
        self.assertEqual([line.startswith(">") for line in lines], [True] + [False] * (len(lines) - 1))

    def test_show_renders_the_statement_and_what_the_manifest_knows(self):
        out = self.run_engine("show", "token-lookup", expect=0).stdout
        for text in ("Six rows, three columns", "What you will be able to do", "four ids pick four rows", "hidden",
                     "Read more", "exercises/token-lookup/lookup.cpp"):
            self.assertIn(text, out)

    def test_show_without_an_id_shows_the_problem_the_learner_is_at(self):
        self.assertEqual(self.run_engine("show").stdout, self.run_engine("show", "first-row").stdout)

    def test_hints_climb_four_rungs_and_stay_at_the_last(self):
        rungs = [self.run_engine("hint", "token-lookup", expect=0).stdout for _ in range(5)]
        for number, rung in enumerate(rungs[:4], 1):
            self.assertIn(f"hint {number} of 4", rung)
        self.assertEqual(rungs[3], rungs[4])
        self.assertIn("4 hints", self.attempts())

    def test_doctor_says_what_this_machine_can_do(self):
        out = self.run_engine("doctor", expect=0).stdout
        self.assertRegex(out, r"Isolation: level [A-E]")
        facts = json.loads(self.run_engine("doctor", "--format", "json", expect=0).stdout)
        self.assertEqual(facts["schema"], "engine.doctor/1")
        self.assertIn(facts["isolation"]["level"], "ABCDE")
        self.assertTrue(facts["toolchain"]["compiler"])

    def curriculum(self):
        return ENGINE.parent / self.layout()["problems"] / "curriculum.json"


class Judging(Workspace):
    def test_a_mistake_is_named(self):
        shutil.copy(WRONG, self.lookup)
        out = " ".join(self.run_engine("test", "token-lookup", expect=1).stdout.split())
        self.assertIn("You read column", out)
        self.assertIn("expected", out)

    def test_test_runs_the_visible_tests_and_leaves_the_problem_open(self):
        out = " ".join(self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--record", expect=0).stdout.split())
        self.assertNotIn("hidden", out)
        self.assertIn("engine submit-build", out)
        self.assertIn("1 attempt", self.attempts())
        self.assertNotIn("accepted,", self.attempts())

    def test_submit_build_grades_and_says_what_comes_next(self):
        shutil.copy(FIRST_ROW, self.folder / "exercises/first-row/row.cpp")
        self.run_engine("submit-build", expect=0)
        self.run_engine("next", expect=0)
        shutil.copy(ACCEPTED, self.lookup)
        out = " ".join(self.run_engine("submit-build", expect=0).stdout.split())
        self.assertIn("20 of 20 points", out)
        self.assertIn("hidden", out)
        self.assertIn(f"2 of {len(PROBLEMS)} problems accepted", out)
        self.assertIn("Next: Any shape, any width, any stride (gather-any-shape)", out)
        # A pipe reads how many questions there are and which command asks them, not the questions.
        self.assertRegex(out, r"Answer the \d+ questions about it: \S*engine submit-justification token-lookup, "
                              r"then continue with: \S*engine next$")
        self.assertNotIn("a)", out)
        self.assertIn("accepted, best 20 of 20 points, 1 attempt", self.attempts())

    def test_timings_are_shown_when_asked_for(self):
        done = self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--timings", expect=0)
        self.assertRegex(done.stdout, r"(?m)^(compile|cached).* total [\d.]+ m?s$")

    def test_from_takes_a_file_or_a_folder_with_the_right_name_in_it(self):
        shutil.copy(ACCEPTED, self.folder / "mine.cpp")
        handed_in = self.folder / "handed in"
        handed_in.mkdir()
        shutil.copy(ACCEPTED, handed_in / "lookup.cpp")
        self.run_engine("test", "token-lookup", "--from", "mine.cpp", expect=0)
        self.run_engine("test", "token-lookup", "--from", handed_in, expect=0)

    def test_from_takes_a_folder_with_one_source_and_names_what_else_lies_there(self):
        folder = self.folder / "handed in"
        folder.mkdir()
        shutil.copy(ACCEPTED, folder / "mine.cpp")
        done = self.run_engine("test", "token-lookup", "--from", folder, expect=0)
        self.assertIn("handed in/mine.cpp", self.report_of("token-lookup", folder)["submission"]["file"])
        shutil.copy(ACCEPTED, folder / "another.cpp")
        done = self.run_engine("test", "token-lookup", "--from", folder, expect=2)
        words = " ".join(done.stderr.split())
        self.assertIn("the folder has another.cpp and mine.cpp, and token-lookup is judged from lookup.cpp", words)
        shutil.copy(ACCEPTED, folder / "lookup.cpp")
        done = self.run_engine("test", "token-lookup", "--from", folder, expect=0)
        self.assertIn("another.cpp and mine.cpp are left out", done.stderr)

    def report_of(self, problem, place):
        return json.loads(self.run_engine("test", problem, "--from", place, "--format", "json").stdout)

    def test_only_own_work_is_an_attempt_and_opens_the_solution(self):
        elsewhere = self.folder / "elsewhere.cpp"
        shutil.copy(ACCEPTED, elsewhere)
        link = self.folder / "exercises/link.cpp"
        link.symlink_to(elsewhere)
        for place in (ACCEPTED, elsewhere):
            done = self.run_engine("submit-build", "token-lookup", "--from", place, "--no-questions", expect=0)
            self.assertIn("is not recorded; --record keeps it", done.stderr)
        self.run_engine("submit-build", "token-lookup", "--from", link, expect=1)
        self.assertEqual(self.attempts(), "")
        self.run_engine("solution", "token-lookup", expect=2)
        shutil.copy(ACCEPTED, self.lookup)
        done = self.run_engine("submit-build", "token-lookup", "--from", self.lookup, "--no-questions", expect=0)
        self.assertNotIn("recorded", done.stderr)
        self.assertIn("accepted, best 20 of 20 points, 1 attempt", self.attempts())
        self.run_engine("solution", "token-lookup", expect=0)

    def test_no_link_is_followed_below_a_workspace_or_what_is_handed_in(self):
        secret = self.folder / "secret.cpp"
        secret.write_text("#error the secret\n")
        self.lookup.unlink()
        self.lookup.symlink_to(secret)
        handed_in = self.temporary_folder()
        (handed_in / "lookup.cpp").symlink_to(secret)
        for arguments in ((), ("--from", handed_in), ("--from", handed_in / "lookup.cpp")):
            with self.subTest(arguments):
                done = self.run_engine("test", "token-lookup", *arguments, expect=1)
                self.assertIn("links are not followed", " ".join(done.stdout.split()))
                self.assertNotIn("the secret", done.stdout)

    def test_a_path_that_cannot_be_looked_at_is_wrong_usage(self):
        loop = self.folder / "loop"
        loop.symlink_to("loop")
        for path in ("x" * 5000, loop, self.lookup / "below"):
            self.assertIn("--from", self.run_engine("test", "token-lookup", "--from", path, expect=2).stderr)

    def test_what_one_test_case_leaves_behind_harms_no_other(self):
        # More changes of size than one case makes, fewer than all make together: in the checked build one worker
        # serves them all.
        text = ACCEPTED.read_text().replace(
            "Status lookup(", "static int changes = 0;\nstatic std::size_t rows = 0;\nStatus lookup(").replace(
            "Matrix<float> out) {", "Matrix<float> out) {\n    if (rows != ids.size() && ++changes > 120)"
            " return {Code::shape_mismatch};\n    rows = ids.size();")
        self.assertEqual(2, text.count("changes"))
        (self.folder / "remembers.cpp").write_text(text)
        self.run_engine("submit-build", "token-lookup", "--from", "remembers.cpp", expect=0)

    def test_from_refuses_a_path_that_is_not_there(self):
        done = self.run_engine("test", "token-lookup", "--from", "nowhere.cpp", expect=2)
        self.assertIn("nowhere.cpp", done.stderr)

    def test_a_folder_without_the_file_is_no_submission_and_gets_no_grade(self):
        (self.folder / "empty").mkdir()
        before = self.attempts()
        for command in ("test", "submit-build", "submit-fix", "visualize"):
            with self.subTest(command):
                done = self.run_engine(command, "token-lookup", "--from", "empty", expect=2)
                self.assertIn("empty/lookup.cpp does not exist; token-lookup is judged from lookup.cpp: put it there",
                              done.stderr)
                self.assertEqual(done.stdout, "")
        done = self.run_engine("bench", "cuda-lookup", "--from", "empty", expect=2)
        self.assertIn("cuda-lookup is judged from lookup.cu", done.stderr)
        done = self.run_engine("debug", "token-lookup", "--from", "empty", "--test", "four ids pick four rows", expect=2)
        self.assertIn("does not exist", done.stderr)
        done = self.run_engine("submit-build", "token-lookup", "--from", "empty", "--record", "--format", "json",
                               "--output", "r/r.json", expect=2)
        self.assertFalse((self.folder / "r").exists())
        self.assertEqual(self.attempts(), before)

    def test_a_deleted_file_is_no_submission_and_comes_back_with_reset(self):
        self.lookup.unlink()
        before = self.attempts()
        for command in (("test",), ("submit-build",), ("try", "--demo", "toy-table")):
            with self.subTest(command):
                done = self.run_engine(command[0], "token-lookup", *command[1:], expect=2)
                self.assertIn("lookup.cpp does not exist;", done.stderr)
                self.assertIn("reset token-lookup puts the starter back", done.stderr)
        self.assertEqual(self.attempts(), before)
        self.run_engine("reset", "token-lookup", expect=0)
        self.run_engine("test", "token-lookup", expect=1)

    def test_verify_is_content_for_authors(self):
        done = self.run_engine("verify", "token-lokup", expect=2)
        self.assertIn("did you mean", done.stderr)


class Solution(Workspace):
    def test_it_is_refused_before_and_shown_after_acceptance(self):
        done = self.run_engine("solution", "token-lookup", expect=2)
        self.assertIn("engine submit-build token-lookup", done.stderr)
        self.assertEqual(done.stdout, "")
        self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.run_engine("solution", "token-lookup", expect=2)  # practice opens nothing
        self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.assertIn("Status lookup(", self.run_engine("solution", "token-lookup", expect=0).stdout)


class Bench(Workspace):
    def test_it_is_for_cuda_problems(self):
        done = self.run_engine("bench", "token-lookup", expect=2)
        self.assertIn("token-lookup is a C++ problem", done.stderr)

    def test_it_counts_each_line_of_each_kernel_and_keeps_no_attempt(self):
        done = self.run_engine("bench", "cuda-lookup", "--from", SOURCE / "reference/cuda-lookup/lookup.cu", expect=0)
        self.assertRegex(done.stdout, r"moved [\d.]+ \w+, 1\.\d\d times the [\d.]+ \w+ that it had to")
        self.assertRegex(done.stdout, r"lookup\.cu:\d+ load of global memory: [\d,]+ warp requests?, [\d.]+ sectors each")
        self.assertIn("Nothing was timed: that takes a GPU.", done.stdout)
        self.assertNotRegex(self.run_engine("list").stdout, r"cuda-lookup +\d+ min +begun")

    def test_each_cuda_problem_has_calls_to_measure_and_its_reference_passes_them(self):
        for problem in ("first-kernel", "cuda-lookup", "cuda-input-embedding", "cuda-backward-atomic",
                        "cuda-backward-deterministic", "gpt2-input-stage"):
            with self.subTest(problem=problem):
                file, = (SOURCE / "reference" / problem).glob("*.cu")
                done = self.run_engine("bench", problem, "--from", file, "--format", "json", expect=0)
                calls = json.loads(done.stdout)["measured"]["calls"]
                self.assertTrue(calls)
                for call in calls:
                    self.assertEqual(call["trouble"], "", call["title"])
                    self.assertGreater(call["minimum_bytes"], 0, call["title"])
                    self.assertGreater(call["moved_bytes"], 0, call["title"])
                    self.assertTrue(call["kernels"], call["title"])


class Reset(Workspace):
    def test_the_starter_comes_back_and_each_file_is_kept(self):
        starter = self.lookup.read_text()
        for text in ("first\n", "second\n"):  # both within a second
            self.lookup.write_text(text)
            out = self.run_engine("reset", "token-lookup", expect=0).stdout
            self.assertIn("is kept as", out)
        self.assertEqual(self.lookup.read_text(), starter)
        self.assertEqual(sorted(file.read_text() for file in self.lookup.parent.glob("*.bak")), ["first\n", "second\n"])

    def test_a_missing_file_comes_back_without_a_backup(self):
        shutil.rmtree(self.lookup.parent)
        self.assertNotIn("is kept as", self.run_engine("reset", "token-lookup", expect=0).stdout)
        self.assertIn("not_implemented", self.lookup.read_text())

    def test_a_link_is_kept_and_what_it_points_at_stays_untouched(self):
        elsewhere = self.folder / "elsewhere.cpp"
        elsewhere.write_text("mine\n")
        self.lookup.unlink()
        self.lookup.symlink_to(elsewhere)
        self.run_engine("reset", "token-lookup", expect=0)
        self.assertEqual(elsewhere.read_text(), "mine\n")
        self.assertFalse(self.lookup.is_symlink())

    def test_the_starter_can_be_edited_again(self):
        self.run_engine("reset", "token-lookup", expect=0)
        self.assertTrue(self.lookup.stat().st_mode & 0o200)


class Completion(Workspace):
    def complete(self, *words):
        """What bash offers for the last word."""
        script = self.run_engine("completion", "bash", expect=0).stdout
        (self.folder / "completion").write_text(script)
        line = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(
            ["bash", "--norc", "-c",
             f"source ./completion; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _engine; echo ${{COMPREPLY[@]}}"],
            cwd=self.folder, text=True, capture_output=True, check=True, env=self.environment)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_commands_problems_options_and_values(self):
        self.assertEqual(self.complete("engine", "sub"), ["submit-build", "submit-justification", "submit-fix"])
        self.assertEqual(self.complete("engine", "test", "tok"), ["token-lookup"])
        self.assertEqual(self.complete("engine", "test", "--requ"), ["--require-isolation"])
        self.assertEqual(self.complete("engine", "test", "--format", "j"), ["json", "junit"])
        self.assertEqual(self.complete("engine", "test", "--from", "exer"), ["exercises"])
        self.assertEqual(self.complete("engine", "zzz"), [])

    def test_every_format_it_offers_is_one(self):
        for name in self.complete("engine", "test", "--format", ""):
            self.run_engine("test", "token-lookup", "--from", ACCEPTED, "--format", name, expect=0)

    def test_zsh_accepts_its_script(self):
        script = self.run_engine("completion", "zsh", expect=0).stdout
        self.assertTrue(script.startswith("#compdef engine"))
        zsh = shutil.which("zsh")
        if not zsh:
            self.skipTest("zsh is not installed")
        done = subprocess.run([zsh, "-n"], input=script, text=True, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    main()
