"""Where the machine does not give what the engine would like: a verdict all the same where that is possible, and words
that help where it is not."""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading

from support import ACCEPTED, ENGINE, NOBODY, SLEEPING, WRONG, Workspace, descendants, main, wait_until

TEST = ("test", "token-lookup", "--from", ACCEPTED, "--record")


class Database(Workspace):
    def setUp(self):
        super().setUp()
        self.run_engine(*TEST, expect=0)

    def refused(self, *words, before=None, commands=(TEST, ("status",), ("hint",), ())):
        """Every command that needs it refuses it with these words, and leaves it as it was."""
        before = before or self.database.read_bytes()
        for command in commands:
            with self.subTest(command):
                done = self.run_engine(*command, expect=4)
                self.assertEqual(done.stdout, "")
                for word in (str(self.database), *words):
                    self.assertIn(word, done.stderr)
        self.assertEqual(self.database.read_bytes(), before)

    def test_a_locked_one_costs_a_warning_and_not_the_verdict(self):
        other = sqlite3.connect(self.database, isolation_level=None)
        for lock in ("EXCLUSIVE", "IMMEDIATE"):
            with self.subTest(lock):
                other.execute(f"BEGIN {lock}")
                done = self.run_engine(*TEST, "--format", "json", "--output", "r.json", "--format", "console", expect=0)
                other.execute("ROLLBACK")
                self.assertIn("Accepted", done.stdout)
                self.assertEqual(done.stderr.count("this attempt was not kept"), 1, done.stderr)
                self.assertIn("another program holds it", done.stderr)
                self.assertEqual(json.loads((self.folder / "r.json").read_text())["attempt"], 0)
        other.close()
        self.assertIn("1 attempt", self.attempts())

    def test_one_that_is_let_go_of_within_seconds_costs_nothing(self):
        other = sqlite3.connect(self.database, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN EXCLUSIVE")
        let_go = threading.Timer(2, other.execute, ["ROLLBACK"])
        let_go.start()
        done = self.run_engine(*TEST, expect=0)
        let_go.join()
        other.close()
        self.assertEqual(done.stderr, "")
        self.assertIn("2 attempts", self.attempts())

    def test_one_that_goes_bad_while_judging_costs_a_warning_and_not_the_verdict(self):
        (self.folder / "slow.cpp").write_text(SLEEPING)
        running = self.start_engine("test", "token-lookup", "--record", "--from", "slow.cpp")
        self.assertTrue(wait_until(lambda: len(descendants(running.pid)) > 1), "no worker seen")
        self.database.write_bytes(b"not a database any more, but long enough to look at " * 100)
        out, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 1, err)
        self.assertIn("wrong answer", out)
        self.assertIn("this attempt was not kept", err)

    def test_a_locked_one_is_waited_for_and_then_refused_by_what_needs_it(self):
        # Read before it is locked: closing the file would drop this process's locks on it.
        before = self.database.read_bytes()
        other = sqlite3.connect(self.database, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        self.refused("another program holds it", "fuser", before=before, commands=(("status",), ("hint",), ("test",)))
        other.execute("ROLLBACK")
        other.close()
        self.run_engine("status", expect=0)

    def test_a_damaged_one_is_left_alone_and_can_be_moved_aside_as_advised(self):
        self.database.write_bytes(b"not a database at all, but long enough to look at " * 100)
        self.refused("left as it is", "mv --")
        advice = self.run_engine("status", expect=4).stderr.splitlines()[-1].strip()
        subprocess.run(["sh", "-c", advice], check=True)
        self.assertIn("0 of", self.run_engine("status", expect=0).stdout)

    def test_one_with_a_damaged_page_is_left_alone(self):
        data = bytearray(self.database.read_bytes())
        data[100:200] = b"\xff" * 100
        self.database.write_bytes(data)
        self.refused("left as it is")

    def test_one_of_a_newer_engine_is_left_alone(self):
        with sqlite3.connect(self.database) as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
        self.refused("a newer engine wrote it", "version 99")

    def test_another_programs_database_is_left_alone(self):
        self.database.unlink()
        with sqlite3.connect(self.database) as connection:
            connection.execute("CREATE TABLE theirs (x)")
        connection.close()
        self.refused("left as it is")

    def test_a_damaged_one_is_found_before_the_slow_work(self):
        self.database.write_bytes(b"damaged " * 1000)
        done = self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--record", "--format", "json", "--output",
                               "r.json", expect=4)
        self.assertNotIn("preparing", done.stderr)
        self.assertFalse((self.folder / "r.json").exists())


    def test_what_needs_no_progress_goes_on_without_it(self):
        self.database.write_bytes(b"not a database at all, but long enough to look at " * 100)
        before = self.database.read_bytes()
        for command in (("list",), ("show",)):
            with self.subTest(command):
                done = self.run_engine(*command, expect=0)
                self.assertEqual(done.stderr.count("left as it is"), 1, done.stderr)
                self.assertIn("first-row", done.stdout)
        for command in (("show", "dropout"), ("help",), ("test", "token-lookup", "--from", ACCEPTED),
                        ("completion", "bash")):
            with self.subTest(command):
                self.assertNotIn("left as it is", self.run_engine(*command, expect=0).stderr)
        self.assertEqual(self.database.read_bytes(), before)


class Record(Workspace):
    """workspace.json, of which only `init` needs more than the version."""

    def setUp(self):
        super().setUp()
        self.run_engine("init", ".", expect=0)
        self.record = self.folder / ".engine/workspace.json"
        self.whole = self.record.read_text()

    def test_one_that_cannot_be_read_costs_a_warning_and_stops_nothing(self):
        for text, words in (("", "is empty, as a copy on a full disk is"),
                            (self.whole[:100], "ends in the middle, as a copy on a full disk does"),
                            ("[]\n", "is damaged"), (self.whole.replace("engine.workspace/1", "x"), "is damaged")):
            self.record.write_text(text)
            for command in (("list",), ("show",), ("show", "dropout"), ("select", "dropout"), ("status",), ("hint",), (),
                            TEST, ("test", "token-lookup", "--from", ACCEPTED)):
                with self.subTest(words, command=command):
                    done = self.run_engine(*command, expect=0)
                    self.assertEqual(done.stderr.count(words), 1, done.stderr)
                    self.assertIn("init ", done.stderr)
            self.assertEqual(self.record.read_text(), text)
        self.assertIn("4 attempts", self.attempts())

    def test_init_writes_it_anew(self):
        (self.folder / "README.md").write_text("mine\n")
        for text in ("", "{", "[]"):
            self.record.write_text(text)
            done = self.run_engine("init", ".", expect=0)
            self.assertIn("workspace.json: was damaged, and is written anew", done.stdout)
            self.assertEqual(self.run_engine("list", expect=0).stderr, "")
            self.assertEqual((self.folder / "README.md").read_text(), "mine\n")
            files = json.loads(self.record.read_text())["files"]
            self.assertNotIn("README.md", files)
            self.assertLessEqual({*json.loads(self.whole)["files"].items()} - {*files.items()},
                                 {("README.md", json.loads(self.whole)["files"]["README.md"])})

    def test_a_folder_in_its_place(self):
        self.record.unlink()
        self.record.mkdir()
        self.assertIn("is not a file", self.run_engine("list", expect=0).stderr)
        self.assertIn("cannot write", self.run_engine("init", ".", expect=4).stderr)


class Machine(Workspace):
    """What a machine may lack, and the words on it."""

    def in_namespace(self, *flags):
        prefix = (shutil.which("unshare") or "unshare", *flags)
        if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("no namespace can be made here")
        return prefix

    def test_without_proc(self):
        prefix = (*self.in_namespace("-m"), "sh", "-c", 'umount -l /proc && exec "$@"', "sh")
        if subprocess.run([*prefix, "true"], check=False, capture_output=True).returncode != 0:
            self.skipTest("/proc cannot be unmounted here")
        done = self.run_engine("list", prefix=prefix, expect=4)
        self.assertIn("is /proc mounted?", done.stderr)
        self.assertIn("mount -t proc proc /proc", done.stderr)

    def test_with_few_descriptors(self):
        prefix = ("sh", "-c", 'ulimit -n 32 && exec "$@"', "sh")
        self.assertEqual(self.run_engine("list", prefix=prefix, expect=0).stderr, "")
        for command in (("doctor",), TEST):
            self.assertIn("ulimit -n 1024", self.run_engine(*command, prefix=prefix, expect=4).stderr)
        self.assertNotIn("ulimit", self.run_engine("nosuch", prefix=prefix, expect=2).stderr)

    def test_as_root_of_a_namespace_without_other_users(self):
        if os.geteuid() != 0:
            self.skipTest("only root becomes another user")
        done = self.run_engine("doctor", prefix=self.in_namespace("-Ur"), expect=4)
        self.assertIn("from outside of the namespace", done.stderr)

    def on_small_disk(self, *command, expect, size="1m", fill=True, environment=None):
        """Runs it with a disk at ./disk that is full."""
        (self.folder / "disk").mkdir(exist_ok=True)
        script = f'mount -t tmpfs -o size={size} none disk || exit 77\n'
        if fill:
            script += 'cp -r exercises disk && mkdir disk/.engine; cat /dev/zero > disk/fill 2>/dev/null\n'
        prefix = (*self.in_namespace("-m"), "sh", "-c", script + 'cd "$PLACE" && exec "$@"', "sh")
        done = self.run_engine(*command, prefix=prefix,
                               environment={"PLACE": str(self.folder / "disk"), **(environment or {})})
        if done.returncode == 77:
            self.skipTest("no disk can be mounted here")
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_a_workspace_on_a_full_disk(self):
        for command in (("try", "token-lookup"), ("reset", "dropout"), ("init", ".")):
            with self.subTest(command):
                done = self.on_small_disk(*command, expect=4)
                self.assertIn("No space left on device; free some space there, then try again", done.stderr)
        done = self.on_small_disk("test", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.assertIn("disk has room", done.stderr)
        self.on_small_disk("list", expect=0)

    def test_a_cache_and_a_temporary_folder_on_a_full_disk(self):
        disk = str(self.folder / "disk")
        here = {"PLACE": str(self.folder)}
        done = self.on_small_disk(*TEST, expect=4, environment={**here, "XDG_CACHE_HOME": disk, "TMPDIR": disk})
        self.assertIn("on a disk with space left", done.stderr)
        self.assertIn("free some space there or point XDG_CACHE_HOME elsewhere", done.stderr)
        self.on_small_disk(*TEST, expect=0, environment={**here, "TMPDIR": disk})


class WeakIsolation(Workspace):
    """Level C: no namespaces, as in most containers."""

    def setUp(self):
        super().setUp()
        self.environment["ENGINE_ISOLATION_CEILING"] = "C"
        level = json.loads(self.run_engine("doctor", "--format", "json", expect=0).stdout)["isolation"]["level"]
        if level != "C":
            self.skipTest(f"this machine offers level {level} at most")

    def test_a_verdict_names_the_level_and_a_stronger_one_is_refused_in_words(self):
        self.assertIn("isolation C", self.run_engine(*TEST, "-v", expect=0).stdout)
        for floor in ("A", "B"):
            with self.subTest(floor):
                done = self.run_engine(*TEST, "--require-isolation", floor, expect=4)
                self.assertEqual(done.stdout, "")
                self.assertIn(f"isolation level {floor} is required, and level C was observed here", done.stderr)
                self.assertIn("doctor says what is missing", done.stderr)
        self.assertIn("1 attempt", self.attempts())
        self.assertIn("ENGINE_ISOLATION_CEILING holds it back", self.run_engine("doctor", expect=0).stdout)
        self.run_engine(*TEST, "--require-isolation", "C", expect=0)

    def test_a_submission_reads_no_file_of_the_user_and_opens_no_socket(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret\n")
        secret.chmod(0o644)
        submission = self.folder / "curious.cpp"
        text = ACCEPTED.read_text().replace('#include "contract.h"\n', """#include "contract.h"
#include <fcntl.h>
#include <sys/socket.h>
""", 1)
        # The call is right only if what is asked is true. The second question is the control: its answer shows.
        refused = f'open("{secret}", O_RDONLY) < 0 && socket(AF_INET, SOCK_STREAM, 0) < 0'
        for question, code in ((refused, 0), (f"!({refused})", 1)):
            with self.subTest(question):
                submission.write_text(text.replace("    if (out.cols",
                                                   f"    if (!({question})) return {{}};\n    if (out.cols", 1))
                self.assertNotEqual(submission.read_text(), text)
                self.run_engine("test", "token-lookup", "--from", submission, expect=code)


class Unprivileged(Workspace):
    """As a user for whom permissions count."""

    @classmethod
    def setUpClass(cls):
        cls.as_root = os.geteuid() == 0
        cls.cache = pathlib.Path(tempfile.mkdtemp(prefix="engine-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.cache, ignore_errors=True)
        if cls.as_root:
            os.chown(cls.cache, NOBODY, NOBODY)

    def setUp(self):
        super().setUp()
        self.environment["XDG_CACHE_HOME"] = str(self.cache)
        self.prefix = ()
        if self.as_root:
            if not shutil.which("setpriv"):
                self.skipTest("root may write everywhere, and setpriv is not installed")
            self.prefix = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
            if subprocess.run([*self.prefix, "test", "-x", ENGINE], check=False).returncode != 0:
                self.skipTest("another user may not reach the program in this build folder")

    def run_engine(self, *arguments, **more):
        return super().run_engine(*arguments, prefix=self.prefix, **more)

    def one_warning(self, done, *words):
        warnings = [line for line in done.stderr.splitlines() if line.startswith("engine: ")]
        self.assertEqual(len(warnings), 1, done.stderr)
        for word in words:
            self.assertIn(word, warnings[0])

    def test_a_workspace_that_cannot_be_written_costs_one_warning_and_no_verdict(self):
        self.folder.chmod(0o555)
        self.one_warning(self.run_engine(*TEST, expect=0), "progress", "not be kept")
        self.one_warning(self.run_engine("test", "token-lookup", "--from", WRONG, "--record", expect=1), "progress")
        self.one_warning(self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--record", expect=0),
                         "progress")
        for command in (["list"], ["status"], ["hint"], []):
            self.run_engine(*command, expect=0)

    def test_a_progress_database_that_may_only_be_read_is_read(self):
        self.give_folder_away()
        self.run_engine("submit-build", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.database.chmod(0o444)
        self.database.parent.chmod(0o555)
        self.assertIn("accepted", self.attempts())
        self.one_warning(self.run_engine(*TEST, expect=0), "not kept")

    def test_a_cache_that_cannot_be_written_costs_one_warning_and_no_verdict(self):
        self.give_folder_away()
        closed = self.temporary_folder()
        closed.chmod(0o555)
        before = set(pathlib.Path(tempfile.gettempdir()).glob("engine-cache-*"))
        done = self.run_engine(*TEST, expect=0, environment={"XDG_CACHE_HOME": str(closed)})
        self.one_warning(done, str(closed), "XDG_CACHE_HOME")
        self.assertIn("1 attempt", self.attempts())
        self.assertEqual(set(pathlib.Path(tempfile.gettempdir()).glob("engine-cache-*")) - before, set())

    def test_a_submission_that_may_not_be_read_is_one_that_cannot_be_compiled(self):
        self.give_folder_away()
        secret = self.folder / "secret.cpp"
        shutil.copy(ACCEPTED, secret)
        secret.chmod(0)
        if self.as_root:
            os.chown(secret, 0, 0)
        out = self.run_engine("test", "token-lookup", "--from", secret, expect=1).stdout
        self.assertIn("cannot be read (Permission denied)", " ".join(out.split()))

    def test_a_report_where_nothing_may_be_written_ends_with_4(self):
        self.folder.chmod(0o555)
        done = self.run_engine(*TEST, "--format", "json", "--output", "r.json", expect=4)
        self.assertIn("Permission denied", done.stderr)

    def give_folder_away(self):
        if self.as_root:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)


class Cache(Workspace):
    def setUp(self):
        super().setUp()
        self.cache = self.temporary_folder()
        self.environment["XDG_CACHE_HOME"] = str(self.cache)

    def entries(self):
        return list((self.cache / "engine").glob("*.worker"))

    def test_a_cache_in_a_place_that_is_no_folder_costs_one_warning(self):
        for place in ("/dev/null/cache", str(self.lookup)):
            with self.subTest(place):
                done = self.run_engine(*TEST, expect=0, environment={"XDG_CACHE_HOME": place})
                self.assertEqual(done.stderr.count("XDG_CACHE_HOME"), 1, done.stderr)

    def test_no_home_at_all_costs_one_warning(self):
        del self.environment["XDG_CACHE_HOME"], self.environment["HOME"]
        done = self.run_engine(*TEST, expect=0)
        self.assertEqual(done.stderr.count("XDG_CACHE_HOME"), 2, done.stderr)  # why, and what to set

    def test_the_second_run_compiles_nothing_and_says_the_same(self):
        first = self.run_engine(*TEST, "--seed", 5, expect=0)
        second = self.run_engine(*TEST, "--seed", 5, "--timings", expect=0)
        (where_time_went,) = [line for line in second.stdout.splitlines() if "from the cache" in line]
        self.assertTrue(where_time_went.startswith("compile and link from the cache"), where_time_went)
        self.assertEqual(first.stdout.replace("attempt 1", "attempt 2").splitlines(),
                         [line for line in second.stdout.splitlines() if line != where_time_went])

    def test_a_damaged_entry_is_rebuilt(self):
        self.run_engine(*TEST, expect=0)
        (entry,) = self.entries()
        whole = entry.read_bytes()
        middle = len(whole) // 2
        for damaged in (whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:], whole[:1000], b"",
                        b"#!/bin/sh\nexit 0\n"):
            with self.subTest(len(damaged)):
                entry.chmod(0o755)
                entry.write_bytes(damaged)
                done = self.run_engine(*TEST, "--timings", expect=0)
                self.assertNotIn("from the cache", done.stdout)
                self.assertEqual(entry.read_bytes(), whole)

    def test_an_entry_that_is_a_folder_or_a_link_does_no_harm(self):
        self.run_engine(*TEST, expect=0)
        (entry,) = self.entries()
        victim = self.folder / "victim"
        victim.write_text("mine")
        entry.unlink()
        entry.symlink_to(victim)
        self.run_engine(*TEST, expect=0)
        self.assertEqual(victim.read_text(), "mine")

    def test_a_damaged_letter_in_what_was_found_out_once_is_found_out_again(self):
        self.run_engine(*TEST, expect=0)
        memos = list((self.cache / "engine").glob("*.json"))
        self.assertEqual({memo.name.split("-")[0] for memo in memos}, {"toolchain", "isolation.json"})
        for memo in memos:
            whole = memo.read_bytes()
            for word in (b"/usr/bin", b'"mold"', b'"level"'):
                if word in whole:
                    with self.subTest(memo.name, word=word):
                        at = whole.index(word) + 2
                        memo.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
                        self.run_engine(*TEST, expect=0)
                        self.assertNotEqual(memo.read_bytes()[at], whole[at] ^ 1)

    def test_damaged_headers_are_prepared_anew(self):
        self.run_engine(*TEST, expect=0)
        (self.entries()[0]).unlink()
        for file in (self.cache / "engine").rglob("*.gch"):
            file.write_bytes(b"not a precompiled header")
        self.run_engine(*TEST, expect=0)


if __name__ == "__main__":
    main()
