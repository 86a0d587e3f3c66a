"""Where a learner is, and the ways to name a problem."""

import shutil

from support import PROBLEMS, SOURCE, Workspace, main

ACCEPTED = SOURCE / "problems/first-row/accepted/algorithm.cpp"


class Moving(Workspace):
    def flat(self, *arguments, **more):
        done = self.run_engine(*arguments, **more)
        return " ".join((done.stdout + done.stderr).split())

    def accept_first(self):
        shutil.copy(ACCEPTED, self.folder / "exercises/first-row/row.cpp")
        self.run_engine("submit-build", expect=0)

    def test_select_moves_and_next_does_not_leave_what_is_open(self):
        self.assertIn("(dropout)", self.flat("select", "dropout", expect=0))
        self.assertIn("(dropout)", self.flat(expect=0))
        out = self.flat("next", expect=0)
        self.assertIn("dropout is not accepted yet. To leave it for later:", out)
        self.assertIn("engine select embedding-backward", out)
        self.assertIn("(dropout)", self.flat(expect=0))

    def test_after_acceptance_one_stays_until_next(self):
        self.accept_first()
        out = self.flat(expect=0)
        self.assertIn("(first-row)", out)
        self.assertIn("submit-justification first-row", out)
        self.assertIn("engine next", out)
        self.assertIn("(token-lookup)", self.flat("next", expect=0))
        self.assertIn("(token-lookup)", self.flat(expect=0))

    def test_questions_without_an_answer_are_named_until_they_are_answered(self):
        for command in ("list", "status"):
            self.assertNotIn("Questions wait", self.flat(command, expect=0))
        self.accept_first()
        for command in ("list", "status", "next"):
            out = self.flat(command, expect=0)
            self.assertIn("Questions wait for you in first-row: ", out)
            self.assertIn("engine submit-justification first-row", out)

    def test_list_says_what_problems_are_about_and_where_cuda_begins(self):
        out = self.flat("list", expect=0)
        self.assertIn("token-lookup 30 min copy the row of each id, refuse bad ids", out)
        self.assertIn("engine select first-kernel", out)
        self.run_engine("test", "first-kernel", expect=1)
        self.assertNotIn("engine select first-kernel", self.flat("list", expect=0))

    def test_the_solution_straight_after_acceptance_is_of_that_problem(self):
        self.assertIn("is shown once your own solution is accepted", self.flat("solution", expect=2))
        self.accept_first()
        self.assertIn("void copy_row(", self.flat("solution", expect=0))

    def test_next_skips_what_is_accepted(self):
        self.accept_first()
        self.run_engine("select", "gpt2-input-stage", expect=0)
        self.assertIn("engine select token-lookup", self.flat("next", expect=0))

    def test_a_number_or_a_path_is_as_good_as_an_id(self):
        for word in ("9", "exercises/dropout/dropout.cpp", "exercises/dropout", "./exercises/dropout/",
                     self.folder / "exercises/dropout/dropout.cpp"):
            for command in ("select", "show", "test"):
                with self.subTest((command, word)):
                    self.assertIn("dropout", self.flat(command, word, expect=1 if command == "test" else 0))

    def test_several_names_of_one_problem_are_one_problem(self):
        out = self.run_engine("prepare", "1", "first-row", "exercises/first-row", expect=0).stdout
        self.assertEqual(out, "first-row: ready\n")
        self.assertIn("there is no problem called '0'", self.flat("verify", "0", expect=2))

    def test_the_current_folder_says_which_problem_is_meant(self):
        out = self.flat("test", cwd=self.folder / "exercises/dropout", expect=1)
        self.assertIn("(dropout)", out)
        self.assertIn("(dropout)", self.flat("test", "dropout.cpp", cwd=self.folder / "exercises/dropout", expect=1))
        self.assertIn("(first-row)", self.flat("test", expect=1))

    def test_what_names_no_problem_is_told_with_what_to_do(self):
        (self.folder / "notes.txt").touch()
        for word, told in ((str(len(PROBLEMS) + 1), f"there is no problem called '{len(PROBLEMS) + 1}'; "), ("0", "there is no problem called '0'; "),
                           ("dropuot", "did you mean dropout?"),
                           ("notes.txt", "notes.txt is not in any of your exercises; to judge a file from elsewhere:"),
                           ("exercises/dropout/gone.cpp", "there is no problem called 'exercises/dropout/gone.cpp'")):
            with self.subTest(word):
                self.assertIn(told, self.flat("test", word, expect=2))

    def test_a_selection_that_is_damaged_or_unknown_is_as_good_as_none(self):
        self.run_engine("select", "dropout", expect=0)
        for text in ("", "dropout", "no-such-problem\n", "x" * 100_000):
            with self.subTest(text[:20]):
                (self.folder / ".engine/selected").write_text(text)
                self.assertIn("(first-row)", self.flat(expect=0))


if __name__ == "__main__":
    main()
