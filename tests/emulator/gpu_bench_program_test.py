"""gpu_bench_program_test.py FAST WRONG ROOT: bench/gpu/embedding.cu on the emulator, with the references and with a wrong kernel
in the fast one's place, and bench/gpu/run where it cannot measure. Nothing here looks at a time."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

FAST, WRONG, ROOT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, **more)


def script(file, text):
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = run(FAST, "--check", "--date", "2000-01-01")
        cls.document = json.loads(cls.done.stdout)

    def test_the_document_says_where_it_is_from(self):
        self.assertEqual(self.done.returncode, 0)
        self.assertEqual(self.document["schema"], "engine.bench.gpu/1")
        self.assertEqual(self.document["date"], "2000-01-01")
        self.assertIn("emulator", self.document["device"])

    def test_each_kernel_meets_each_shape_and_law(self):
        expected = {(shape, law, kernel) for shape in ("tiny", "odd") for law in ("uniform", "zipf", "equal")
                    for kernel in ("lookup", "embed f32", "embed bf16", "backward plain", "backward fast")
                    if law != "equal" or kernel.startswith("backward")}
        rows = self.document["rows"]
        self.assertEqual({(row["shape"], row["ids"], row["kernel"]) for row in rows}, expected)
        self.assertEqual(len(rows), len(expected))

    def test_bytes_follow_from_shape_and_distinct_ids(self):
        for row in self.document["rows"]:
            with self.subTest(row["kernel"], shape=row["shape"], ids=row["ids"]):
                C, T, U, N = row["C"], row["T"], row["distinct"], row["B"] * row["T"]
                self.assertTrue(1 <= U <= min(N, row["V"]))
                self.assertEqual(U == 1, row["ids"] == "equal")
                self.assertEqual(row["bytes"], {
                    "lookup": 4 * (U * C + N * C + N),
                    "embed f32": 4 * (U * C + T * C + N * C + N),
                    "embed bf16": 4 * (U * C + T * C + N) + 2 * N * C}.get(
                        row["kernel"], 4 * (N * C + 2 * U * C + 2 * T * C + 2 * N)))

    def test_ratios_are_those_of_the_times_beside_them(self):
        rows = self.document["rows"]
        fastest = max(row["bytes"] / row["copy_us"]["median"] for row in rows)
        for row in rows:
            us = row["us"]
            self.assertTrue(us["low"] <= us["median"] <= us["high"])
            self.assertAlmostEqual(row["share_of_copy"] / (row["copy_us"]["median"] / us["median"]), 1, places=4)
            self.assertAlmostEqual(row["times_lower_bound"] / (us["median"] * fastest / row["bytes"]), 1, places=4)

    def test_every_output_was_held_against_the_cpu(self):
        for row in self.document["rows"]:
            self.assertRegex(row["verified"], r"^(64 rows|[78] columns)$")


class Run(unittest.TestCase):
    """bench/gpu/run with a compiler that makes the emulator's program of whatever it gets."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools, self.results = pathlib.Path(folder.name) / "tools", pathlib.Path(folder.name) / "results"
        self.tools.mkdir()
        script(self.tools / "program", f'exec "{FAST}" --check "$@"')
        self.nvcc = script(self.tools / "nvcc", f'for last; do :; done; /bin/cp "{self.tools}/program" "$last"')

    def measure(self, *options):
        return run(sys.executable, ROOT / "bench/gpu/run", "--nvcc", self.nvcc, "--date", "2000-01-01", "--results",
                   self.results, *options, env={"PATH": str(self.tools)})

    def test_results_are_kept_whole_under_date_and_device(self):
        script(self.tools / "nvidia-smi", "echo 1.2.3")
        done = self.measure()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([file.name for file in self.results.iterdir()], ["2000-01-01-cuda-emulator-no-gpu.json"])
        document = json.loads(next(self.results.iterdir()).read_text())
        self.assertEqual(document["driver"], "1.2.3")
        self.assertIn("torch", document)
        self.assertEqual(len(document["rows"]), 24)
        self.assertIn("backward fast", done.stdout)

    def test_a_failed_measurement_leaves_nothing(self):
        script(self.tools / "nvidia-smi", "echo 1.2.3")
        done = self.measure("--shape", "S9")
        self.assertEqual(done.returncode, 2)
        self.assertFalse(self.results.exists())

    def test_no_gpu_is_one_sentence(self):
        done = self.measure()
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertEqual(done.stderr, "bench/gpu/run: no GPU answers: nvidia-smi finds none on this machine\n")

    def test_a_program_that_does_not_compile_is_said(self):
        script(self.tools / "nvidia-smi", "echo 1.2.3")
        script(self.tools / "nvcc", "exit 1")
        done = self.measure()
        self.assertEqual(done.returncode, 4)
        self.assertIn("does not compile", done.stderr)


class Refusals(unittest.TestCase):
    def sentence(self, done, code):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr.splitlines()[-1]

    def test_a_wrong_kernel_is_named_and_nothing_is_printed(self):
        said = self.sentence(run(WRONG, "--check", "--date", "2000-01-01"), 1)
        self.assertRegex(said, r"^embedding: backward fast, tiny, \w+: dwte\[\d+, \d+\] is \S+ and should be \S+$")

    def test_wrong_options(self):
        for options in (["--check"], ["--date"], ["--date", "2000-01-01", "--fast"],
                        ["--date", "2000-01-01", "--check", "--shape", "S9"]):
            self.assertRegex(self.sentence(run(FAST, *options), 2), "^embedding: ")

    def test_no_compiler_is_one_sentence(self):
        said = run(ROOT / "bench/gpu/run", "--nvcc", "/nonexistent/nvcc")
        self.assertRegex(self.sentence(said, 4), "^bench/gpu/run: there is no CUDA compiler at /nonexistent/nvcc: ")
        self.assertEqual(len(said.stderr.splitlines()), 1)

    def test_no_torch_is_an_exit_code(self):
        # -S: no installed packages
        self.assertEqual(run(sys.executable, "-S", "-I", ROOT / "bench/gpu/torch_embedding.py").returncode, 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
