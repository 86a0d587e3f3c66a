"""The reference of every problem gets full points. What else a package claims is shown by `verify`, which takes too long
for each run of the tests."""

from support import SOURCE, Workspace, main

# Beside a kernel lies what its results are compared with, in plain C++.
REFERENCES = [sorted(folder.glob("*.c*"))[-1] for folder in sorted((SOURCE / "reference").iterdir()) if folder.is_dir()]


class References(Workspace):
    def test_there_is_one_for_each_problem(self):
        problems = {path.parent.name for path in (SOURCE / "problems").glob("*/problem.json")}
        self.assertEqual({path.parent.name for path in REFERENCES}, problems)

    def test_each_is_accepted(self):
        for file in REFERENCES:
            problem = file.parent.name
            with self.subTest(problem):
                done = self.run_engine("submit-build", problem, "--from", file, "--no-questions")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn("Accepted: 20 of 20 points", done.stdout)


if __name__ == "__main__":
    main()
