"""A terminal of a test's own, by tmux: what is on its screen, and keys to press."""

import shutil
import subprocess
import unittest
import uuid

from support import ENGINE, Workspace, wait_until

TMUX = shutil.which("tmux")


@unittest.skipUnless(TMUX, "tmux is not installed")
class Screen(Workspace):
    def open(self, *arguments, columns=80, rows=24, environment=None):
        """Runs the engine there; the screen stays after it has ended, with its exit code in the last line."""
        self.server = [TMUX, "-L", f"engine-{uuid.uuid4().hex}", "-f", "/dev/null"]
        self.addCleanup(subprocess.run, [*self.server, "kill-server"], capture_output=True, check=False)
        words = " ".join("'" + str(word) + "'" for word in (ENGINE, *arguments))
        # tmux has its own idea of TERM; the locale decides what it shows.
        self.settings = {**self.environment, "LC_ALL": "C.UTF-8", **(environment or {})}
        started = subprocess.run(
            [*self.server, "new-session", "-d", "-x", str(columns), "-y", str(rows),
             f"{words}; echo \"code $?\"; exec sleep 300"],
            cwd=self.folder, env=self.settings, capture_output=True, text=True, check=False)
        self.assertEqual(started.returncode, 0, started.stderr)

    def tmux(self, *arguments):
        return subprocess.run([*self.server, *arguments], env=self.settings, capture_output=True, text=True,
                              check=True).stdout

    def screen(self, with_history=False):
        return self.tmux("capture-pane", "-p", *(["-S", "-1000"] if with_history else []))

    def lines(self):
        return [line.rstrip() for line in self.screen().rstrip().split("\n")]

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def wait_for(self, words, seconds=60):
        """White space counts as a blank, so that it does not matter where a line ends."""
        def there():
            return " ".join(words.split()) in " ".join(self.screen(with_history=True).split())
        self.assertTrue(wait_until(there, seconds), f"{words!r} did not come:\n{self.screen()}")

    def wait_for_end(self, code):
        self.wait_for(f"code {code}")
