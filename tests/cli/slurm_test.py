"""`engine grade --executor slurm`, on a real Slurm of one node."""

import os
import pathlib
import signal
import unittest

import slurm_node
from classroom import FIRST_ROW, LOOKUP, Classroom
from standin import RIGHT_FILE, StandIn
from support import alive, main, wait_until

NOT_HERE = slurm_node.why_not()
COUNT = 10


@unittest.skipIf(NOT_HERE, NOT_HERE)
class Cluster(Classroom):
    def setUp(self):
        super().setUp()
        self.node = slurm_node.OneNode(self.temporary_folder() / "slurm")
        self.addCleanup(self.node.stop)
        self.node.start()
        self.environment = {**self.environment, **{key: self.node.environment[key] for key in ("PATH", "SLURM_CONF")}}
        for i in range(COUNT):
            self.hand_in(f"s{i}", self.wrong if i % 2 else LOOKUP, more=f"\n// {i}\n")
        self.common = self.assign(seed=7)

    def through_slurm(self, *arguments, **more):
        return self.grade(*self.common, "--executor", "slurm", *arguments, **more)

    def start(self):
        return self.start_engine("grade", "hw", *self.common, "--executor", "slurm")

    def check_complete(self):
        """All have the grades that this machine alone gives them, and no file is left."""
        self.grade(*self.common, "--gradebook", "local")
        self.assertEqual(self.verdicts(), self.verdicts("local"))
        self.assertEqual(len(self.verdicts()), COUNT)
        self.assertEqual([path.name for path in self.folder.glob("*.slurm")], [])

    def tasks(self):
        """Processes of tasks that are judging."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else [b""]
            except OSError:
                continue
            # sbatch and the script have the same words behind them
            is_task = words[0].endswith(b"/engine") and b"grade-task" in words
            if is_task and str(self.folder).encode() in b" ".join(words):
                found.append(int(entry.name))
        return found

    def test_grades_are_those_of_this_machine(self):
        done = self.through_slurm()
        self.assertIn(f"{COUNT} judged now", done.stdout)
        self.check_complete()
        self.assertIn("0 judged now", self.through_slurm().stdout)

    def test_a_task_that_is_killed_is_handed_in_again(self):
        running = self.start()
        self.assertTrue(wait_until(self.tasks, 120), "no task was seen")
        os.kill(self.tasks()[0], signal.SIGKILL)
        out, err = running.communicate(timeout=280)
        self.assertEqual(running.returncode, 0, err)
        self.assertIn(f"{COUNT} judged now", out)
        self.check_complete()

    def test_a_run_that_is_killed_takes_over_what_its_tasks_have_done(self):
        running = self.start()
        self.assertTrue(wait_until(lambda: self.locked_count() >= 1, 120), "no judgement was kept")
        running.kill()
        running.communicate()
        kept = self.rows("SELECT count(*) FROM judgement")[0][0]
        done = self.through_slurm()
        self.assertIn(f"{COUNT - kept} judged now", done.stdout)
        self.check_complete()
        self.assertTrue(wait_until(lambda: not self.node.jobs(), 60), self.node.jobs())

    def test_an_interrupted_run_cancels_its_job(self):
        running = self.start()
        self.assertTrue(wait_until(self.tasks, 120), "no task was seen")
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, err)
        self.assertTrue(wait_until(lambda: not self.node.jobs() and not self.tasks(), 60), self.node.jobs())

    def test_a_node_that_is_too_weak_judges_nothing(self):
        self.node.stop()
        prolog = self.folder / "prolog.sh"
        prolog.write_text("#!/bin/sh\necho export ENGINE_ISOLATION_CEILING=C\n")
        prolog.chmod(0o755)
        self.node = slurm_node.OneNode(self.temporary_folder() / "weak", f"TaskProlog={prolog}\n")
        self.addCleanup(self.node.stop)
        self.node.start()
        self.environment["SLURM_CONF"] = self.node.environment["SLURM_CONF"]
        done = self.through_slurm(expect=4)  # there is no other node
        self.assertIn("the node localhost gets no tasks: not judged: isolation level B is required", done.stderr)
        self.assertEqual(self.rows("SELECT count(*) FROM judgement"), [(0,)])
        self.through_slurm("--require-isolation", "C")
        self.assertEqual(self.rows("SELECT DISTINCT isolation FROM judgement"), [("C",)])

    def test_a_slurm_that_is_down_is_named(self):
        self.node.stop()
        done = self.through_slurm(expect=4, environment={"SLURM_TIMEOUT": "1"})
        self.assertIn("Slurm did not take the job", done.stderr)
        self.assertEqual({state for _, _, state, _, _ in self.verdicts()}, {"waiting"})


@unittest.skipIf(NOT_HERE, NOT_HERE)
class ClusterWithGpu(Classroom, StandIn):
    """The GPU is a stand-in; Slurm's is a device that it counts."""

    def setUp(self):
        super().setUp()
        self.node = slurm_node.OneNode(self.temporary_folder() / "slurm")
        self.addCleanup(self.node.stop)
        self.node.start()
        self.environment = {**self.environment, **{key: self.node.environment[key] for key in ("PATH", "SLURM_CONF")}}
        self.hand_in("ada", RIGHT_FILE, "cuda-lookup/lookup.cu")
        self.hand_in("ada", FIRST_ROW, "first-row/row.cpp")
        self.common = self.assign(problems=[{"id": "cuda-lookup"}, {"id": "first-row"}], device="cuda")

    def through_slurm(self, *arguments, **more):
        return self.grade(*self.common, "--executor", "slurm", *arguments, program=self.program, **more)

    def test_work_that_needs_a_gpu_goes_where_there_are_some(self):
        self.through_slurm("--gpu-partition", "gpus")
        self.assertEqual(self.rows("SELECT problem, json_extract(report, '$.device') FROM judgement ORDER BY 1"),
                         [("cuda-lookup", "cuda"), ("first-row", "cpu")])

    def test_a_partition_that_does_not_exist_keeps_the_rest(self):
        done = self.through_slurm("--gpu-partition", "nowhere", expect=4)
        self.assertIn("Slurm did not take the job", done.stderr)
        self.assertEqual(self.rows("SELECT problem FROM judgement"), [("first-row",)])


class NoCluster(Classroom):
    def test_without_slurm_that_is_said(self):
        self.hand_in("ada", LOOKUP)
        self.hand_in("bob", FIRST_ROW, "row.cpp")
        empty = self.temporary_folder()
        done = self.grade("--executor", "slurm", environment={"PATH": str(empty)}, expect=4)
        self.assertIn("there is no sbatch", done.stderr)


if __name__ == "__main__":
    main()
