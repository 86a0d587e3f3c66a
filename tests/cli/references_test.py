"""The reference of every problem gets full points, with no more calls than were accepted. What else a package claims is shown
by `verify`, which takes too long for each run of the tests."""

import json

from support import SOURCE, Workspace, main

# Next to a kernel is what its results are compared with, in plain C++.
REFERENCES = [sorted(folder.glob("*.c*"))[-1] for folder in sorted((SOURCE / "reference").iterdir()) if folder.is_dir()]
COSTS = json.loads((SOURCE / "bench/results/costs.json").read_text())


class References(Workspace):
    def test_there_is_one_for_each_problem(self):
        problems = {path.parent.name for path in (SOURCE / "problems").glob("*/problem.json")}
        self.assertEqual({path.parent.name for path in REFERENCES}, problems)
        self.assertEqual(set(COSTS["problems"]), problems)

    def test_each_is_accepted_at_its_price(self):
        for file in REFERENCES:
            problem = file.parent.name
            with self.subTest(problem):
                report = self.folder / "report.json"
                done = self.run_engine("submit-build", problem, "--from", file, "--no-questions", "--seed", COSTS["seed"],
                                       "--format", "json", "--output", report)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                judged = json.loads(report.read_text())
                self.assertEqual(judged["score"], {"points": 20, "max": 20})
                self.assertLessEqual(
                    judged["worker_calls"], COSTS["problems"][problem]["submit"]["calls"],
                    "more calls than accepted: see `bench/run --only costs --problem ID --compare`; if they are worth it, --accept")


if __name__ == "__main__":
    main()
