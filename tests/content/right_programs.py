"""Whether the accepted programs of problems are accepted with many seeds, and beside others that keep the machine busy.

Prints a line for each program that is not, and for each seed how many are. Ends with 1 where one is not, so that a suite
that refuses a right program once in twenty times, or a limit of time that neighbours push it over, is seen. A seed takes about
ten minutes on two cores, and twenty beside four neighbours."""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Ends with this process, however it ends.
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(1_000_000))"


@contextlib.contextmanager
def neighbours(number):
    """Programs that use a core each; schedulers take each for another user's, since it has a session of its own."""
    started = [subprocess.Popen([sys.executable, "-c", BUSY], start_new_session=True) for _ in range(number)]
    try:
        yield
    finally:
        for each in started:
            each.kill()
            each.wait()


def programs(problem="*"):
    return sorted(ROOT.glob(f"problems/{problem}/accepted/*.c*"))


def count(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def judge(engine, workspace, problem, file, seed):
    """The report of a graded run; empty if the engine could not judge."""
    source = pathlib.Path(workspace) / f"{problem}-{file.name}"
    source.write_bytes(file.read_bytes())
    done = subprocess.run([engine, "submit-build", problem, "--from", source, "--format", "json", "--seed", str(seed),
                           "--no-questions"],
                          cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode in (0, 1) else {}


def judge_all(engine, workspace, files, seed):
    """How many are accepted."""
    def one(file):
        problem = file.parents[1].name
        report = judge(engine, workspace, problem, file, seed)
        if report.get("verdict") == "accepted":
            return True
        failed = [test["name"] for test in report.get("tests", []) if test["verdict"] != "accepted"]
        print(f"seed {seed}: {problem}/{file.name}: {report.get('verdict', 'not judged')}: {'; '.join(failed)}", flush=True)
        return False

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sum(pool.map(one, files))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="e.g. build/release/app/engine")
    parser.add_argument("problems", nargs="*", metavar="ID", help="all, unless some are named")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=count, default=1, help="how many")
    parser.add_argument("--minutes", type=float, help="no seed is begun later than that")
    parser.add_argument("--neighbours", type=int, default=0, help="programs beside it that use a core each")
    options = parser.parse_intermixed_args()
    files = []
    for problem in options.problems or ["*"]:
        files += programs(problem)
        if not programs(problem):
            parser.error(f"no accepted program belongs to {problem}")
    engine, refused, begun = os.path.abspath(options.engine), 0, time.monotonic()
    with tempfile.TemporaryDirectory() as workspace, neighbours(options.neighbours):
        subprocess.run([engine, "init", workspace], check=True, capture_output=True)
        for seed in range(options.first, options.first + options.seeds):
            start = time.monotonic()
            if options.minutes and start - begun > options.minutes * 60:
                print(f"seeds {seed} to {options.first + options.seeds - 1}: left out after {options.minutes:g} minutes")
                break
            accepted = judge_all(engine, workspace, files, seed)
            refused += len(files) - accepted
            print(f"seed {seed}: {accepted} of {len(files)} accepted, {time.monotonic() - start:.0f} s", flush=True)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
