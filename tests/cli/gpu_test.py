"""`--device cuda` and `auto`, with a stand-in for the CUDA Toolkit and the GPU (tests/standin), which can be told to fail.
What is refused and what is judged, with the sentence; and this machine as it is."""

import json
import os
import pathlib
import time

from classroom import FIRST_ROW, Classroom
from standin import RIGHT, RIGHT_FILE, STANDIN, StandIn
from support import main


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

    def test_nvcc_finds_a_compiler_that_lies_elsewhere(self):
        elsewhere = self.away / "opt/bin/g++"
        elsewhere.parent.mkdir(parents=True)
        elsewhere.write_text('#!/bin/sh\nexec /usr/bin/g++ "$@"\n')
        elsewhere.chmod(0o755)
        self.use("nvcc-12.4", compiler=str(elsewhere))
        report = self.report("test", "cuda-lookup", "--device", "cuda", expect=0)
        self.assertEqual((report["device"], report["verdict"]), ("cuda", "accepted"))

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
    def refused(self, words, *arguments):
        done = self.engine("test", "cuda-lookup", "--device", "cuda", *arguments, expect=4)
        self.assertEqual(done.stdout, "")
        last = done.stderr.strip().splitlines()[-1]
        self.assertIn("not judged", last)
        self.assertIn(words, last)
        self.assertIn("--device emulated", last)

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

    def test_an_old_toolkit_is_named_and_not_asked(self):
        def said(nvcc):
            self.use(nvcc)
            return " ".join(self.engine("submit-build", "cuda-lookup", "--device", "emulated", expect=0).stdout.split())

        out = said("nvcc-11.8")
        self.assertIn("Only the emulator has compiled the file: ", out)
        self.assertIn("is of CUDA 11.8.0", out)
        self.assertIn("compiled by nvcc 12.4", said("nvcc-12.4"))

    def test_what_takes_the_documented_device_is_right(self):
        if not os.access("/usr/local/cuda/bin/nvcc", os.X_OK):
            self.skipTest("there is no nvcc")
        self.submit(RIGHT + "\n__global__ void add_vector(float4* to) {\n    atomicAdd(to, make_float4(1, 2, 3, 4));\n}\n")
        done = self.run_engine("submit-build", "cuda-lookup", "--device", "emulated", expect=0)
        self.assertIn("compiled by nvcc", " ".join(done.stdout.split()))

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


class Checking(StandIn):
    """compute-sanitizer's stand-in reports what the file `sanitizer` has for a tool once the program below it has printed a
    line, so that what it finds can be the doing of one test."""

    BEGIN = "    if (ids.empty() || out.cols == 0) return {};\n"
    PLACE = "    at copy_rows(float *)+0x70 in lookup.cu:12\n"

    def setUp(self):
        super().setUp()
        self.report_faults("")
        self.addCleanup(self.report_faults, "")

    @staticmethod
    def report_faults(lines, mode="works"):
        (STANDIN / "state/sanitizer").write_text(mode + "\n" + lines)

    def submit_one_that_is_reported(self, when="ids.size() == 4"):
        self.submit(RIGHT.replace(self.BEGIN, self.BEGIN + f'#ifdef STANDIN_NVCC\n    if ({when}) std::puts("standin: fault");\n#endif\n')
                    .replace("#include", "#include <cstdio>\n#include", 1))

    def graded(self, expect=0):
        return self.report("submit-build", "cuda-lookup", expect=expect)

    def account(self):
        report = self.graded()
        self.assertEqual(report["verdict"], "accepted")
        account = report["gpu"]["compute_sanitizer"]
        out = " ".join(self.engine("submit-build", "cuda-lookup", expect=0).stdout.split())
        return account["ran"], account["reason"], out

    def test_a_program_in_which_nothing_is_found_is_accepted_and_the_tools_are_named(self):
        account = self.graded()["gpu"]["compute_sanitizer"]
        self.assertEqual(account, {"version": "2024.1.1.0", "reason": "",
                                   "ran": ["memcheck", "racecheck", "initcheck", "synccheck"]})
        out = " ".join(self.engine("submit-build", "cuda-lookup", expect=0).stdout.split())
        self.assertIn("compute-sanitizer 2024.1.1.0)", out)
        self.assertNotIn("could not run", out)

    def test_a_practice_run_does_not_wait_for_it(self):
        report = self.report("test", "cuda-lookup", "--device", "cuda", expect=0)
        self.assertIsNone(report["gpu"]["compute_sanitizer"])

    def test_what_each_tool_finds_costs_the_test_in_which_it_was_found_and_has_its_line(self):
        summary = "ERROR SUMMARY: 1 error\n"
        races = "RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n"
        self.submit_one_that_is_reported()
        for tool, kind, head, end in (
                ("memcheck", "out_of_bounds", "Invalid __global__ read of size 4 bytes\n" + "@" + self.PLACE, summary),
                ("racecheck", "race_in_block", "Error: Race reported between Write access at f(int *)+0x9 in lookup.cu:12\n"
                 "@    and Read access at f(int *)+0x10 in lookup.cu:14 [8 hazards]\n", races),
                ("initcheck", "uninitialized_read", "Uninitialized __global__ memory read of size 4 bytes\n@" + self.PLACE, summary),
                ("synccheck", "divergent_barrier", "Barrier error detected. Divergent thread(s) in block.\n@" + self.PLACE, summary)):
            with self.subTest(tool=tool):
                lines = (f"{tool} " + head + "@ " + end).replace("@", tool + " ")
                self.report_faults(lines)
                report = self.graded(expect=1)
                self.assertEqual(report["verdict"], "run_time_error")
                failing = [test["name"] for test in report["tests"] if test["verdict"] != "accepted"]
                self.assertTrue(failing)
                self.assertLess(len(failing), len(report["tests"]), "tests without a call of four ids pass")
                finding = report["sanitizer"]["findings"][0]
                self.assertEqual((finding["kind"], finding["file"], finding["line"]), (kind, "lookup.cu", 12))
                self.assertIn(finding["test"], failing)
                self.assertIn(f"seen by compute-sanitizer ({tool}) on Stand-in GPU", finding["text"])
                self.assertEqual(report["gpu"]["compute_sanitizer"]["ran"], ["memcheck", "racecheck", "initcheck", "synccheck"])
        out = self.engine("submit-build", "cuda-lookup", expect=1).stdout
        self.assertIn("lookup.cu:12: divergent_barrier", " ".join(out.split()))
        page = self.engine("submit-build", "cuda-lookup", "--format", "html", expect=1).stdout
        self.assertIn("divergent_barrier at lookup.cu:12", page)

    def test_one_that_cannot_run_costs_nothing_and_is_never_passed_over_in_silence(self):
        for mode, words in (("refuses", "memcheck: Unable to find injection library libsanitizer-collection.so"),
                            ("crashes", "memcheck: it was ended by a signal (Aborted) before the first test"),
                            ("garbage", "memcheck: it ended with status 0 before the first test"),
                            ("endless", "memcheck: too much was printed before the first test")):
            with self.subTest(mode=mode):
                self.report_faults("", mode)
                ran, reason, out = self.account()
                self.assertEqual(ran, [])
                self.assertEqual(reason, words + "; the tools after it were not tried")
                self.assertIn("compute-sanitizer could not run: " + words, out)

    def test_one_that_hangs_is_given_up_once(self):
        self.report_faults("", "hangs")
        begun = time.monotonic()
        account = self.graded()["gpu"]["compute_sanitizer"]
        self.assertIn("memcheck: it did not start the program in time", account["reason"])
        self.assertLess(time.monotonic() - begun, 120)

    def test_a_tool_that_ends_without_a_summary_or_whose_errors_cannot_be_read(self):
        self.submit_one_that_is_reported()
        self.report_faults("initcheck ERROR SUMMARY: 3 errors\nsynccheck zap\n")
        ran, reason, out = self.account()
        self.assertEqual(ran, ["memcheck", "racecheck"])
        self.assertEqual(reason, "initcheck: it counted 3 errors, and none could be read; "
                                 "synccheck: it ended without a summary; 1 of its lines could not be read")
        self.assertIn("compute-sanitizer could not run all of its tools: initcheck", out)

    def test_one_that_is_missing_or_too_old_is_named_by_report_and_doctor(self):
        self.assertIn("compute-sanitizer: 2024.1.1.0", self.engine("doctor", expect=0).stdout)
        self.report_faults("", "old")
        self.assertIn("is of 2021.2.0.0; it takes 2022.4", self.engine("doctor", expect=0).stdout)
        ran, reason, out = self.account()
        self.assertEqual(ran, [])
        self.assertIn("is of 2021.2.0.0", reason)
        self.report_faults("", "mute")
        self.assertIn("does not tell its version", self.engine("doctor", expect=0).stdout)
        self.use("nvcc-12.4", compute_sanitizer="/nowhere/compute-sanitizer")
        self.assertIn("compute-sanitizer: none: it is not installed here", self.engine("doctor", expect=0).stdout)
        ran, reason, out = self.account()
        self.assertEqual(reason, "it is not installed here")
        self.assertIn("compute-sanitizer could not run: it is not installed here", out)

    def test_what_the_submission_prints_is_neither_a_summary_nor_a_pass(self):
        self.submit(RIGHT.replace(self.BEGIN, self.BEGIN + '#ifdef STANDIN_NVCC\n    std::puts("standin: fault");\n'
                                  '    std::puts("========= ERROR SUMMARY: 0 errors");\n#endif\n')
                    .replace("#include", "#include <cstdio>\n#include", 1))
        self.report_faults("memcheck Invalid __global__ read of size 4 bytes\nmemcheck" + self.PLACE +
                           "memcheck ERROR SUMMARY: 1 error\n")
        self.assertEqual(self.graded(expect=1)["verdict"], "run_time_error")


class Grading(Classroom, StandIn):
    def setUp(self):
        super().setUp()
        self.hand_in("ada", RIGHT_FILE, "cuda-lookup/lookup.cu")
        self.hand_in("ada", FIRST_ROW, "first-row/row.cpp")
        self.assign(problems=[{"id": "cuda-lookup"}, {"id": "first-row"}], device="cuda")

    def grade(self, *arguments, **more):
        return super().grade(*arguments, program=self.program, **more)

    def devices(self):
        return self.rows("SELECT problem, json_extract(report, '$.device') FROM judgement ORDER BY 1")

    def test_an_assignment_can_ask_for_a_gpu_and_what_is_cxx_runs_without(self):
        self.grade("--assignment", "assignment.json")
        self.assertEqual(self.devices(), [("cuda-lookup", "cuda"), ("first-row", "cpu")])
        self.assertIn("0 judged now", self.grade().stdout)
        self.assign(problems=[{"id": "cuda-lookup"}, {"id": "first-row"}])
        self.grade("--assignment", "assignment.json")
        regraded = self.run_engine("regrade", "hw.gradebook", program=self.program, expect=0).stdout
        self.assertIn("1 of 2 works were judged under other circumstances, 1 judged again now", regraded)
        self.assertIn(("cuda-lookup", "emulated"), self.devices())

    def test_without_a_gpu_nothing_that_needs_one_is_judged(self):
        self.mode("no_gpu")
        done = self.grade("--assignment", "assignment.json", expect=4)
        self.assertEqual(self.devices(), [("first-row", "cpu")])
        self.assertIn("there is no GPU to run on", " ".join(done.stdout.split()))
        self.mode("works")
        self.grade()
        self.assertEqual(self.devices(), [("cuda-lookup", "cuda"), ("first-row", "cpu")])

    def test_who_requires_an_isolation_level_is_not_given_a_driver(self):
        done = self.grade("--assignment", "assignment.json", "--require-isolation", "C", expect=2)
        self.assertIn("leave out --require-isolation", done.stderr)


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
