"""`--device cuda` and `auto`, with a stand-in for the CUDA Toolkit and the GPU (tests/standin), which can be told to fail.
What is refused and what is judged, with the sentence; and this machine as it is."""

import json
import os
import pathlib
import shutil
import time

from support import ENGINE, SOURCE, Workspace, main

STANDIN = pathlib.Path(os.environ.get("ENGINE_STANDIN", ""))
RIGHT = (SOURCE / "problems/cuda-lookup/accepted/grid-stride.cu").read_text()


class StandIn(Workspace):
    def setUp(self):
        super().setUp()
        if not (STANDIN / "lib64/libcudart_static.a").is_file():
            self.skipTest("the stand-in is not built")
        self.away = self.temporary_folder()
        self.program = self.away / "engine"
        try:
            os.link(ENGINE, self.program)
        except OSError:
            shutil.copy(ENGINE, self.program)
        self.use("nvcc-12.4")
        self.submit(RIGHT)
        self.mode("works")
        (STANDIN / "state/gone").unlink(missing_ok=True)

    def use(self, nvcc):
        layout = self.layout_for_elsewhere()
        layout["nvcc"] = str(STANDIN / "bin" / nvcc)
        layout["gpu_files"] = [str(STANDIN / "state")]
        (self.away / "layout.json").write_text(json.dumps(layout))

    @staticmethod
    def mode(name):
        (STANDIN / "state/mode").write_text(name + "\n")

    def submit(self, text):
        folder = self.folder / "exercises/cuda-lookup"
        (folder / "lookup.cu").write_text(text)

    def engine(self, *arguments, expect):
        return self.run_engine(*arguments, program=self.program, expect=expect)

    def report(self, *arguments, expect):
        return json.loads(self.engine(*arguments, "--format", "json", expect=expect).stdout)

    def refused(self, words, *arguments):
        done = self.engine("test", "cuda-lookup", "--device", "cuda", *arguments, expect=4)
        self.assertEqual(done.stdout, "")
        last = done.stderr.strip().splitlines()[-1]
        self.assertIn("not judged", last)
        self.assertIn(words, last)
        self.assertIn("--device emulated", last)


class Choosing(StandIn):
    def test_a_gpu_is_used_where_it_is_asked_for_and_named(self):
        report = self.report("test", "cuda-lookup", "--device", "cuda", expect=0)
        self.assertEqual(report["device"], "cuda")
        self.assertEqual((report["gpu"]["name"], report["gpu"]["capability"]), ("Stand-in GPU", "9.0"))
        self.assertEqual(report["gpu"]["driver"], "CUDA 12.0")
        self.assertEqual(report["gpu"]["isolation"]["level"], "G")
        self.assertIn("socket: EPERM", report["gpu"]["isolation"]["observed"])
        out = self.engine("test", "cuda-lookup", "--device", "cuda", expect=0).stdout
        self.assertIn("emulated and on Stand-in GPU (driver CUDA 12.0, compute capability 9.0)", " ".join(out.split()))

    def test_auto_takes_it_for_a_graded_run_and_leaves_practice_to_the_emulator(self):
        self.assertEqual(self.report("test", "cuda-lookup", expect=0)["device"], "emulated")
        graded = self.report("submit-build", "cuda-lookup", expect=0)
        self.assertEqual(graded["device"], "cuda")
        self.assertEqual(graded["verdict"], "accepted")

    def test_auto_takes_the_emulator_where_there_is_none(self):
        self.mode("no_gpu")
        report = self.report("submit-build", "cuda-lookup", expect=0)
        self.assertEqual(report["device"], "emulated")
        self.assertNotIn("gpu", report)

    def test_who_requires_an_isolation_level_is_not_given_a_driver(self):
        done = self.engine("test", "cuda-lookup", "--device", "cuda", "--require-isolation", "C", expect=4)
        self.assertIn("an isolation level is required", done.stderr)
        self.assertEqual(
            self.report("submit-build", "cuda-lookup", "--require-isolation", "C", expect=0)["device"], "emulated")

    def test_doctor_names_gpu_and_level(self):
        out = self.engine("doctor", expect=0).stdout
        self.assertIn("GPU: Stand-in GPU, driver CUDA 12.0, compute capability 9.0", out)
        self.assertIn("level G", out)
        self.mode("no_driver")
        self.assertIn("GPU: none: no NVIDIA driver is installed", self.engine("doctor", expect=0).stdout)


class Refusing(StandIn):
    def test_each_way_in_which_there_is_no_gpu_has_its_sentence(self):
        for mode, words in (
                ("no_driver", "no NVIDIA driver is installed"),
                ("old_driver", "the driver knows CUDA 11.8, and nvcc makes programs for CUDA 12"),
                ("no_gpu", "the NVIDIA driver finds no GPU"),
                ("busy", "another program has the GPU to itself"),
                ("no_memory", "the GPU has no memory left"),
                ("unsupported", "nvcc 12.4.0 makes no code for compute capability 6.1"),
                ("crashes", "ended our program before it could say anything")):
            with self.subTest(mode=mode):
                self.mode(mode)
                self.refused(words)

    def test_a_gpu_that_hangs_is_given_up(self):
        self.mode("hangs")
        begun = time.monotonic()
        self.refused("gave no answer within 20 s")
        self.assertLess(time.monotonic() - begun, 60)

    def test_no_toolkit_and_an_old_one(self):
        self.use("nvcc-11.8")
        self.refused("is of CUDA 11.8.0, which does not know C++20")
        self.use("nvcc-of-nobody")
        self.refused("there is no nvcc here")

    def test_this_machine_says_what_it_has(self):
        done = self.run_engine("test", "cuda-lookup", "--device", "cuda")
        if done.returncode == 4:
            self.assertIn("there is no GPU to run on: ", done.stderr)
        else:
            self.assertIn("compute capability", done.stdout)


class Judging(StandIn):
    """The stand-in's nvcc defines a name of its own, so that a file can be another program on the GPU."""

    def only_on_the_gpu(self, statement):
        begin = "    if (ids.empty() || out.cols == 0) return {};\n"
        self.assertIn(begin, RIGHT)
        self.submit(RIGHT.replace(begin, begin + "#ifdef STANDIN_NVCC\n    if (ids.size() == 4)\n" + statement + "\n#endif\n"))

    def first_failure(self):
        report = self.report("test", "cuda-lookup", "--device", "cuda", expect=1)
        failing = [test for test in report["tests"] if test["verdict"] != "accepted"]
        passed = [test for test in report["tests"] if test["verdict"] == "accepted"]
        self.assertTrue(passed, "a test without a call of four ids runs as well")
        return failing[0]

    def test_what_is_wrong_there_alone_fails_and_says_where(self):
        self.only_on_the_gpu("        return {};")
        test = self.first_failure()
        self.assertEqual(test["verdict"], "wrong_answer")
        self.assertIn("this was seen on the GPU (Stand-in GPU); on the emulator the test passes", test["message"])

    def test_an_illegal_address_fails_its_test_and_not_the_next(self):
        self.only_on_the_gpu("        copy_rows<<<1, 1, 0, stream>>>(table, ids, DeviceMatrix<float>{nullptr, 1, 1, 1});")
        test = self.first_failure()
        self.assertEqual(test["verdict"], "run_time_error")
        self.assertIn("cudaErrorIllegalAddress", test["message"])

    def test_a_call_that_never_ends_is_ended(self):
        self.only_on_the_gpu("        for (volatile bool on = true; on;) {}")
        self.assertEqual(self.first_failure()["verdict"], "time_limit_exceeded")

    def test_a_file_that_nvcc_refuses_does_not_compile(self):
        self.only_on_the_gpu("#error only the emulator takes this")
        report = self.report("test", "cuda-lookup", "--device", "cuda", expect=1)
        self.assertEqual(report["verdict"], "compile_error")

    def test_a_gpu_that_is_lost_meanwhile_is_nothing_to_grade_by(self):
        self.mode("lost")
        running = self.start_engine("test", "cuda-lookup", "--device", "cuda", program=self.program)
        self.wait_for_a_worker_of(running.pid)
        (STANDIN / "state/gone").touch()
        out, err = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 4, out + err)
        self.assertIn("the GPU stopped working: the NVIDIA driver finds no GPU", err)

    def wait_for_a_worker_of(self, engine):
        """The first one begins when the GPU has been found: it is a process of a driver, which the engine has started."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if any("driver of" in self.command(child) and self.children(child) for child in self.children(engine)):
                return
            time.sleep(0.005)
        self.fail("no worker began")

    @staticmethod
    def command(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
        except OSError:
            return ""

    @staticmethod
    def children(pid):
        found = []
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += task.read_text().split()
            except OSError:
                continue
        return found


class Measuring(StandIn):
    def bench(self, *arguments, expect=0):
        return self.engine("bench", "cuda-lookup", *arguments, expect=expect)

    def measured(self, *arguments, expect=0):
        return json.loads(self.bench("--format", "json", *arguments, expect=expect).stdout)["measured"]

    def test_a_call_has_its_time_beside_its_traffic(self):
        measured = self.measured()
        call, = measured["calls"]
        self.assertEqual((call["function"], call["trouble"], call["kernels"]), ("lookup", "", ["copy_rows"]))
        self.assertGreaterEqual(call["moved_bytes"], call["minimum_bytes"])
        self.assertEqual(call["time"]["calls"], 15)
        self.assertGreater(call["time"]["us"], 0)
        self.assertGreater(call["time"]["bytes"], 96 * 256 * 4)
        self.assertAlmostEqual(call["time"]["share_of_copy"], call["time"]["copy_us"] / call["time"]["us"], places=4)
        self.assertGreater(measured["copy_bytes_a_second"], 0)
        out = " ".join(self.bench().stdout.split())
        self.assertRegex(out, r"lookup moves 1\.\d\d times the bytes that it has to, so it could be as fast as \d+ % of a copy")
        self.assertRegex(out, r"µs a call, \+- [\d.]+ % \(15 calls\); [\d.]+ GB/s of the [\d.]+ KiB it has to move: \d+ % of a copy")

    def test_the_clock_is_the_drivers_and_runs_while_the_submission_does(self):
        usual = self.measured()["calls"][0]["time"]["us"]
        self.submit(RIGHT.replace("    if (ids.empty()", "    for (const auto end = std::chrono::steady_clock::now() + "
                                  "std::chrono::milliseconds(20); std::chrono::steady_clock::now() < end;) {}\n"
                                  "    if (ids.empty()").replace("#include", "#include <chrono>\n#include", 1))
        slow = self.measured()["calls"][0]["time"]["us"]
        self.assertGreater(slow, 20000)
        self.assertGreater(slow, usual)

    def test_a_wrong_answer_has_no_time(self):
        self.submit(RIGHT.replace("    if (ids.empty() || out.cols == 0) return {};\n",
                                  "    if (ids.empty() || out.cols == 0) return {};\n#ifdef STANDIN_NVCC\n"
                                  "    if (ids.size() == 96) return {};\n#endif\n"))
        call, = self.measured(expect=1)["calls"]
        self.assertIsNone(call["time"])
        self.assertIn("this was seen on the GPU", call["trouble"])
        self.assertIn("not measured", self.bench(expect=1).stdout)

    def test_without_a_gpu_traffic_is_counted_and_nothing_timed(self):
        self.mode("no_gpu")
        measured = self.measured()
        self.assertIsNone(measured["calls"][0]["time"])
        self.assertEqual(measured["copy_bytes_a_second"], 0)
        self.assertIn("Nothing was timed: that takes a GPU", self.bench().stdout)
        self.bench("--device", "cuda", expect=4)

    def test_the_roofline_is_an_image_of_its_own(self):
        file = self.folder / "roofline.svg"
        self.bench("--format", "svg", "--output", file)
        svg = file.read_text()
        self.assertTrue(svg.startswith("<svg "))
        self.assertIn("Stand-in GPU", svg)
        self.assertRegex(svg, r"lookup, 65,536 ids of GPT-2: \d+ % of \d+ %")


if __name__ == "__main__":
    main()
