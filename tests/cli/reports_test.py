"""Reports: each format where it was asked for, whole or not at all."""

import datetime
import fcntl
import itertools
import json
import os
import resource
import subprocess
import time
import xml.etree.ElementTree as tree

from support import ACCEPTED, ENGINE, SLEEPING, SOURCE, WRONG, Workspace, main

TEST = ("test", "token-lookup", "--from", ACCEPTED)


def read(file):
    return json.loads(file.read_text())


def timeless(report):
    """A report without what may differ between two runs of one seed."""
    for test in report["tests"]:
        test.pop("duration_us")
    return {key: value for key, value in report.items() if key not in ("timing_ms", "attempt", "started")}


class Formats(Workspace):
    def test_json_on_stdout_is_json_and_nothing_else(self):
        report = json.loads(self.run_engine(*TEST, "--record", "--format", "json", expect=0).stdout)
        self.assertEqual((report["schema"], report["verdict"]), ("engine.report/1", "accepted"))
        self.assertEqual(report["attempt"], 1)

    def linked(self):
        """A submission that is there and cannot be read."""
        folder = self.folder / "linked"
        folder.mkdir()
        (folder / "lookup.cpp").symlink_to(ACCEPTED)
        return folder

    def test_after_a_compile_error_every_test_is_there_and_skipped(self):
        broken = self.folder / "broken.cpp"
        broken.write_text("this is not C++\n")
        for file in (broken, self.linked()):
            report = json.loads(self.run_engine("submit-build", "token-lookup", "--from", file, "--format", "json",
                                                expect=1).stdout)
            self.assertEqual((report["verdict"], report["graded"]), ("compile_error", True))
            self.assertEqual(sum(test["max_points"] for test in report["tests"]), report["score"]["max"])
            self.assertEqual({test["verdict"] for test in report["tests"]}, {"skipped"})
        practice = json.loads(self.run_engine("test", "token-lookup", "--from", broken, "--format", "json",
                                              expect=1).stdout)
        self.assertFalse(practice["graded"])
        self.assertEqual({test["visibility"] for test in practice["tests"]}, {"visible"})

    def test_a_report_says_what_a_test_is_about_and_where_it_crashed(self):
        crashes = self.folder / "crashes.cpp"
        crashes.write_text(ACCEPTED.read_text().replace("Matrix<float> out) {", "Matrix<float> out) {\n"
                                                        "    *reinterpret_cast<volatile int*>(8) = 1;", 1))
        lines = crashes.read_text().splitlines()
        line = next(i for i, text in enumerate(lines, 1) if "volatile int" in text)
        for command in ("test", "submit-build"):
            report = json.loads(self.run_engine(command, "token-lookup", "--from", crashes, "--format", "json",
                                                expect=1).stdout)
            first = report["tests"][0]
            self.assertEqual(first["concept"], "embedding table")
            self.assertEqual(first["place"], {"file": "lookup.cpp", "line": line})
            self.assertEqual((report["stage"], report["graded"]), ("build", command == "submit-build"))
            self.assertRegex(report["engine"], r"^\d+\.\d+\.\d+(\+[0-9a-f]+)?$")
            for test in report["tests"]:
                self.assertEqual("place" in test, test["visibility"] == "visible")

    def test_an_output_makes_its_folder(self):
        self.run_engine(*TEST, "--format", "json", "--output", "report/of/today/r.json", expect=0)
        self.assertEqual(read(self.folder / "report/of/today/r.json")["verdict"], "accepted")
        self.assertEqual([file.name for file in (self.folder / "report/of/today").iterdir()], ["r.json"])
        (self.folder / "file").write_text("")
        done = self.run_engine(*TEST, "--format", "json", "--output", "file/r.json", expect=4)
        self.assertIn("cannot write the report", done.stderr)

    def test_every_kind_of_report_fits_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        check = jsonschema.Draft7Validator(json.loads((SOURCE / "schemas/report.schema.json").read_text()))
        broken = self.folder / "broken.cpp"
        broken.write_text("this is not C++\n")
        for command, file in (("test", ACCEPTED), ("submit-build", ACCEPTED), ("submit-build", WRONG),
                              ("submit-build", broken), ("submit-build", self.lookup),
                              ("submit-build", self.linked())):
            with self.subTest(f"{command} {file}"):
                done = self.run_engine(command, "token-lookup", "--from", file, "--format", "json")
                self.assertEqual([error.message for error in check.iter_errors(json.loads(done.stdout))], [])

    def test_junit_is_well_formed_and_counts_right(self):
        done = self.run_engine("test", "token-lookup", "--from", WRONG, "--format", "junit", expect=1)
        root = tree.fromstring(done.stdout)
        self.assertEqual(len(root.findall(".//testcase")), int(root.get("tests")))
        self.assertEqual(len(root.findall(".//failure")), int(root.get("failures")))
        self.assertGreater(int(root.get("failures")), 0)

    def test_a_page_and_the_terminal_have_a_picture_of_a_visible_mismatch_and_none_of_a_hidden_one(self):
        done = self.run_engine("test", "token-lookup", "--from", WRONG, "--format", "html", "--output", "r.html",
                               expect=1)
        page = (self.folder / "r.html").read_text()
        self.assertIn("<figcaption>expected</figcaption><svg", page)
        self.assertIn("<figcaption>difference</figcaption><svg", page)
        self.assertNotIn("<script", page)
        self.assertIn("difference: up to", done.stdout)
        self.run_engine("submit-build", "token-lookup", "--from", WRONG, "--format", "html", "--output", "all.html",
                        expect=1)
        hidden = [line for line in (self.folder / "all.html").read_text().splitlines() if "(hidden)" in line]
        self.assertTrue(hidden)
        self.assertFalse([line for line in hidden if "svg" in line])

    def test_a_page_of_an_accepted_run_has_no_picture(self):
        page = self.run_engine(*TEST, "--format", "html", expect=0).stdout
        self.assertTrue(page.startswith("<!doctype html>"))
        self.assertNotIn("<svg", page)

    def test_two_formats_at_once(self):
        self.run_engine(*TEST, "--format", "json", "--output", "r.json", "--format", "junit", "--output", "r.xml",
                        expect=0)
        self.assertEqual(read(self.folder / "r.json")["verdict"], "accepted")
        self.assertEqual(tree.parse(self.folder / "r.xml").getroot().tag, "testsuites")

    def test_with_a_file_the_console_still_speaks(self):
        out = self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0).stdout
        self.assertIn("Accepted", out)

    def test_a_file_for_one_and_stdout_for_the_other(self):
        done = self.run_engine(*TEST, "--format", "junit", "--output", "r.xml", "--format", "json", expect=0)
        self.assertEqual(json.loads(done.stdout)["verdict"], "accepted")
        self.assertTrue((self.folder / "r.xml").exists())

    def test_dev_stdout_is_a_file_like_any_other(self):
        done = self.run_engine(*TEST, "--format", "junit", "--output", "/dev/stdout", "--format", "json", "--output",
                               "r.json", expect=0)
        self.assertIn("</testsuites>", done.stdout)

    def test_dev_stdout_stays_what_it_is_when_stdout_is_a_file(self):
        before = os.readlink("/dev/stdout")

        def put_back():
            if not os.path.islink("/dev/stdout"):
                os.unlink("/dev/stdout")
                os.symlink(before, "/dev/stdout")

        self.addCleanup(put_back)
        for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            with self.subTest(name), open(self.folder / "all", "w") as file:
                self.run_engine(*TEST, "--format", "junit", "--output", name, expect=0, stdout=file)
                text = (self.folder / "all").read_text()
                self.assertLess(text.index("</testsuites>"), text.index("Accepted"))
        self.assertEqual(os.readlink("/dev/stdout"), before)

    def test_a_link_stays_and_the_file_behind_it_gets_the_report(self):
        (self.folder / "behind.json").write_text("old")
        (self.folder / "r.json").symlink_to("behind.json")
        self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0)
        self.assertTrue((self.folder / "r.json").is_symlink())
        self.assertEqual(read(self.folder / "behind.json")["verdict"], "accepted")

    def test_an_existing_report_is_replaced(self):
        (self.folder / "r.json").write_text("old")
        self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0)
        self.assertEqual(read(self.folder / "r.json")["verdict"], "accepted")

    def test_hidden_tests_appear_by_name_and_verdict_only(self):
        done = self.run_engine("submit-build", "token-lookup", "--from", WRONG, "--format", "json", expect=1)
        hidden = [test for test in json.loads(done.stdout)["tests"] if test["visibility"] == "hidden"]
        self.assertTrue(hidden)
        for test in hidden:
            self.assertFalse({"message", "mismatch", "output"} & set(test))


class Pairs(Workspace):
    """A file belongs to the format before it."""

    def test_three_formats_with_two_files_in_every_order(self):
        for order in itertools.permutations((("json", "r.json"), ("junit", "r.xml"), ("console", None))):
            with self.subTest(order):
                arguments = [word for name, file in order
                             for word in ("--format", name, *(("--output", file) if file else ()))]
                done = self.run_engine(*TEST, *arguments, expect=0)
                self.assertIn("Accepted", done.stdout)
                self.assertEqual(read(self.folder / "r.json")["verdict"], "accepted")
                self.assertEqual(tree.parse(self.folder / "r.xml").getroot().tag, "testsuites")
                (self.folder / "r.json").unlink()
                (self.folder / "r.xml").unlink()

    def test_a_dash_is_stdout(self):
        done = self.run_engine(*TEST, "--format", "json", "--output", "-", "--format", "junit", "--output", "r.xml",
                               expect=0)
        self.assertEqual(json.loads(done.stdout)["verdict"], "accepted")
        self.assertFalse((self.folder / "-").exists())

    def test_what_does_not_pair_is_wrong_usage_before_the_slow_work(self):
        for arguments in (["--output", "a", "--format", "json"],
                          ["--format", "json", "--output", "a", "--output", "b"],
                          ["--format", "json", "--output", "a", "--format", "junit", "--output", "./a"],
                          ["--format", "json", "--output", "-", "--format", "junit"],
                          ["--format", "json", "--output", ""]):
            with self.subTest(arguments):
                done = self.run_engine(*TEST, *arguments, expect=2)
                self.assertEqual(done.stdout, "")
                self.assertEqual(sorted(self.folder.glob(".engine-report-*")), [])
                self.assertFalse((self.folder / "a").exists())

    def test_no_report_replaces_the_submission_or_the_progress(self):
        code = self.lookup.read_text()
        link = self.folder / "link.json"
        link.symlink_to(self.lookup)
        self.run_engine("test", "token-lookup", expect=1)
        progress = self.database.read_bytes()
        for file in (self.lookup, link, self.database):
            with self.subTest(file):
                done = self.run_engine("test", "token-lookup", "--format", "json", "--output", file, expect=2)
                self.assertIn("name another file", done.stderr)
        self.run_engine("test", "token-lookup", "--from", self.lookup.parent, "--format", "json", "--output",
                        self.lookup, expect=2)
        self.assertEqual(self.lookup.read_text(), code)
        self.assertEqual(self.database.read_bytes(), progress)


class Contents(Workspace):
    """What a report says about what was judged."""

    def report(self, *arguments, **more):
        return json.loads(self.run_engine("test", "token-lookup", "--format", "json", *arguments, **more).stdout)

    def test_the_submission_the_problem_and_the_time_are_named(self):
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        first, second, other = (self.report("--from", file) for file in (ACCEPTED, ACCEPTED, WRONG))
        self.assertRegex(first["submission"]["hash"], r"\A[0-9a-f]{64}\Z")
        self.assertEqual(first["submission"]["hash"], second["submission"]["hash"])
        self.assertNotEqual(first["submission"]["hash"], other["submission"]["hash"])
        self.assertEqual(first["submission"]["file"], str(ACCEPTED))
        self.assertRegex(first["problem"]["version"], r"\A[0-9a-f]{64}\Z")
        self.assertEqual(first["problem"]["version"], other["problem"]["version"])
        started = datetime.datetime.fromisoformat(first["started"].replace("Z", "+00:00"))
        self.assertLessEqual(before, started)
        self.assertLessEqual(started, datetime.datetime.now(datetime.timezone.utc))

    def test_the_same_code_has_the_same_hash_wherever_it_lies(self):
        copy = self.folder / "mine.cpp"
        copy.write_text(ACCEPTED.read_text())
        self.assertEqual(self.report("--from", copy)["submission"]["hash"],
                         self.report("--from", ACCEPTED)["submission"]["hash"])

    def test_what_could_not_be_read_has_none(self):
        (self.folder / "lookup.cpp").mkdir()
        self.assertEqual(self.report("--from", self.folder, expect=1)["submission"]["hash"], "")


class Leftovers(Workspace):
    def test_what_a_killed_engine_left_is_swept_and_blocks_nothing(self):
        (self.folder / ".engine-report-killed").write_text("half")
        (self.folder / ".engine-reports").write_text("the learner's own")
        held = self.folder / ".engine-report-in-use"
        with open(held, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0)
            self.assertEqual(sorted(path.name for path in self.folder.glob(".engine-*")),
                             [".engine-report-in-use", ".engine-reports"])
        self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0)
        self.assertFalse(held.exists())

    def test_a_report_is_as_readable_as_the_users_other_files(self):
        for mask, mode in ((0o022, 0o644), (0o077, 0o600)):
            self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=0,
                            preexec_fn=lambda mask=mask: os.umask(mask))
            self.assertEqual((self.folder / "r.json").stat().st_mode & 0o777, mode)


class Seeds(Workspace):
    def test_the_same_seed_gives_the_same_report_but_for_times(self):
        for command in ("test", "submit-build"):
            reports = [
                timeless(json.loads(self.run_engine(command, "token-lookup", "--from", WRONG, "--seed", 41,
                                                    "--format", "json", expect=1).stdout)) for _ in range(2)]
            self.assertEqual(reports[0], reports[1])
            self.assertEqual(reports[0]["seed"], 41)

    def test_without_a_seed_two_runs_differ_and_the_report_says_how_to_repeat(self):
        first, second = (json.loads(self.run_engine("test", "token-lookup", "--from", WRONG, "--format", "json").stdout)
                         for _ in range(2))
        self.assertNotEqual(first["seed"], second["seed"])
        again = json.loads(self.run_engine("test", "token-lookup", "--from", WRONG, "--format", "json", "--seed",
                                           first["seed"]).stdout)
        self.assertEqual(timeless(first), timeless(again))


class Refusals(Workspace):
    def leftovers(self):
        return sorted(file.name for file in self.folder.iterdir() if file.name not in ("exercises", ".engine"))

    def test_an_output_without_a_format_is_wrong_usage(self):
        done = self.run_engine(*TEST, "--output", "r.json", expect=2)
        self.assertIn("--format json --output", done.stderr)
        self.assertEqual(self.leftovers(), [])

    def test_a_pipe_that_nobody_reads_is_not_waited_for(self):
        os.mkfifo(self.folder / "pipe")
        done = self.run_engine(*TEST, "--format", "json", "--output", "pipe", expect=4)
        self.assertIn("a pipe without a reader", done.stderr)

    def test_a_pipe_with_a_reader_gets_the_report(self):
        os.mkfifo(self.folder / "pipe")
        reader = subprocess.Popen(["cat", "pipe"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        self.addCleanup(reader.kill)
        time.sleep(0.3)
        self.run_engine(*TEST, "--format", "json", "--output", "pipe", expect=0)
        self.assertEqual(json.loads(reader.communicate(timeout=10)[0])["verdict"], "accepted")

    def test_two_formats_for_one_stdout_are_wrong_usage(self):
        self.run_engine(*TEST, "--format", "json", "--format", "junit", expect=2)

    def test_a_folder_that_cannot_be_written_fails_before_the_slow_work_and_leaves_nothing(self):
        slow = self.folder / "exercises/slow.cpp"
        slow.write_text(SLEEPING)
        begin = time.monotonic()
        done = self.run_engine("test", "token-lookup", "--from", slow, "--format", "junit", "--output", "r.xml",
                               "--format", "json", "--output", "/proc/nowhere/r.json", expect=4)
        self.assertIn("/proc/nowhere/r.json", done.stderr)
        self.assertLess(time.monotonic() - begin, 3, "a run of this submission takes longer than that")
        self.assertEqual(self.leftovers(), [])
        self.assertEqual(self.attempts(), "")

    def test_a_folder_is_no_report_file(self):
        (self.folder / "reports").mkdir()
        self.run_engine(*TEST, "--format", "json", "--output", "reports", expect=4)
        self.assertEqual(list((self.folder / "reports").iterdir()), [])

    def test_a_full_device_is_an_error_of_the_environment(self):
        done = self.run_engine(*TEST, "--format", "json", "--output", "/dev/full", expect=4)
        self.assertIn("No space left", done.stderr)

    def test_a_file_that_may_not_grow_leaves_the_old_report(self):
        self.run_engine(*TEST, expect=0)  # what comes from the cache needs no room
        report = self.folder / "r.json"
        report.write_text("old")

        def no_large_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

        done = self.run_engine(*TEST, "--format", "json", "--output", report, expect=4, preexec_fn=no_large_files)
        self.assertIn("cannot write the report", done.stderr)
        self.assertEqual(report.read_text(), "old")
        self.assertEqual(self.leftovers(), ["r.json"])

    def test_a_full_disk_leaves_the_old_report(self):
        if os.geteuid() != 0:
            self.skipTest("only root may mount a small disk")
        disk = self.folder / "disk"
        disk.mkdir()
        # In a mount namespace of its own: the disk is gone when the shell ends.
        script = (f'mount -t tmpfs -o size=4k small disk && printf old >disk/r.json || exit 99; '
                  f'"{ENGINE}" test token-lookup --from "{ACCEPTED}" --format json --output disk/r.json; '
                  'echo "$?"; cat disk/r.json; ls -A disk | wc -l')
        done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=self.folder, env=self.environment, text=True,
                              capture_output=True, timeout=300, check=False)
        if done.returncode == 99 or "unshare" in done.stderr:
            self.skipTest(f"no small disk can be mounted here: {done.stderr.strip()}")
        self.assertEqual(done.stdout.split()[-2:], ["4", "old1"])
        self.assertIn("Accepted", done.stdout)  # the verdict was reached all the same
        self.assertIn("No space left", done.stderr)


if __name__ == "__main__":
    main()
