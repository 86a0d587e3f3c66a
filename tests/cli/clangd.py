"""clangd over files, for the tests of editors."""

import concurrent.futures
import os
import shutil
import subprocess

from support import SOURCE, Workspace

PROBLEMS = sorted(path.parent.name for path in (SOURCE / "problems").glob("*/problem.json"))


class Clangd(Workspace):
    def setUp(self):
        super().setUp()
        self.clangd = shutil.which("clangd")
        if self.clangd is None:
            self.skipTest("clangd is not installed")

    def errors(self, file):
        """Parses it as an editor does; tries no features, which take most of the time."""
        done = subprocess.run([self.clangd, f"--check={file}", "--check-lines=1"], cwd=self.folder,
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=300, check=False)
        found = [line for line in done.stderr.splitlines() if line.startswith("E[")]
        if done.returncode != 0 and not found:
            found = [done.stderr[-500:]]
        return [f"{file}: {line}" for line in found]

    def assert_no_errors(self, files):
        files = list(files)
        self.assertGreater(len(files), 0)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.assertEqual([error for found in pool.map(self.errors, files) for error in found], [])
