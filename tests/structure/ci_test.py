"""Whatever no CI job builds or runs breaks sooner or later, so every script and every benchmark is in one."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Scripts that CI does not run itself, each for its reason.
BY_HAND = {
    "bench/gpu/torch_embedding.py": "bench/gpu/run starts it, on a GPU",
    "cmake/unicode_ranges.py": "writes a table when there is a new version of Unicode",
    "tests/package/clean_root": "makes a root of Debian over the network",
}


def tracked():
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split("\0")[:-1]
    return [file for file in files if (ROOT / file).is_file()]


def is_script(file):
    with open(ROOT / file, "rb") as opened:
        return file.endswith((".py", ".sh")) or opened.read(2) == b"#!"


def unused(scripts, users):
    """Scripts that no text of `users` (by file) names; tests are listed without `_test`, modules without their ending."""
    def named(script, text):
        path = pathlib.Path(script)
        words = {path.name, path.stem, path.stem.removesuffix("_test")} if script.startswith("tests/") else {
            script, f"import {path.stem}"}
        return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for word in words)

    return {script for script in scripts
            if not any(named(script, text) for user, text in users.items() if user != script)}


class Ci(unittest.TestCase):
    def setUp(self):
        scripts = [file for file in tracked() if is_script(file)]
        self.of_tests = [file for file in scripts if file.startswith("tests/") and not file.startswith("tests/fixtures/")]
        self.others = [file for file in scripts if not file.startswith(("tests/", ".ci/")) and file != "engine"]
        self.ci = {file: (ROOT / file).read_text() for file in (".ci/run", ".ci/whole")}

    def test_every_script_is_run(self):
        self.assertIn("bench/plants", self.others)
        users = self.ci | {file: (ROOT / file).read_text() for file in self.others if file in "".join(self.ci.values())}
        self.assertEqual(unused(self.others, users), {file for file in BY_HAND if not file.startswith("tests/")})

    def test_every_script_of_the_tests_is_run(self):
        users = self.ci | {file: (ROOT / file).read_text() for file in self.of_tests + self.others
                           if not file.startswith("tests/structure/")}  # which name scripts without running them
        users |= {file: (ROOT / file).read_text() for file in tracked() if file.endswith("CMakeLists.txt")}
        self.assertEqual(unused(self.of_tests, users), {file for file in BY_HAND if file.startswith("tests/")})

    def test_a_script_that_is_run_nowhere_is_found(self):
        self.assertEqual(unused(["bench/run", "bench/runs"], {".ci/run": "part benchmarks bench/run --runs 1"}), {"bench/runs"})
        self.assertEqual(unused(["tests/cli/try_test.py", "tests/cli/tried_test.py"], {"CMakeLists.txt": "foreach(name try)"}),
                         {"tests/cli/tried_test.py"})

    def test_every_program_of_the_benchmark_is_run_by_it(self):
        run = (ROOT / "bench/run").read_text()
        programs = [path.stem for path in (ROOT / "bench").iterdir() if path.suffix in (".cpp", ".cu")]
        self.assertIn("proxy_call", programs)
        self.assertEqual([program for program in programs if program not in run], [])


if __name__ == "__main__":
    unittest.main()
