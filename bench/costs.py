"""What each problem's right program costs to judge, in units of the bare loop: one compile at -O2, a link with a suite built
beforehand, and a run of that suite, without any protection. The loop is the same for all problems (token-lookup's), and takes
turns with what is measured."""

import atexit
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCEPTED = ROOT / "bench/results/costs.json"
SEED = 1  # calls are exact for a seed, so all runs use one
GROWN = 1.25
COMMANDS = {"test": ["test"], "submit": ["submit-build", "--no-questions"]}
FIGURES = ("wall", "cpu", "faults", "calls")


class Group:
    """A control group that counts the CPU time of all that runs in it. Without one (only root may make it), what is left is
    the time of processes that were waited for, and workers that died with their namespace are missing."""

    def __init__(self):
        self.folder = None
        for root, file in (("cpuacct", "cpuacct.usage"), ("unified", "cpu.stat"), ("", "cpu.stat")):
            folder = pathlib.Path("/sys/fs/cgroup", root, f"engine-bench-{os.getpid()}")
            try:
                folder.mkdir()
            except OSError:
                continue
            if (folder / file).exists() and (folder / "cgroup.procs").exists():
                self.folder, self.file = folder, folder / file
                atexit.register(folder.rmdir)
                return
            folder.rmdir()

    def enter(self):
        if self.folder:
            (self.folder / "cgroup.procs").write_text("0")

    def seconds(self):
        if not self.folder:
            return None
        text = self.file.read_text()
        return int(text) / 1e9 if text.strip().isdigit() else int(text.split("usage_usec")[1].split()[0]) / 1e6


GROUP = Group()


@dataclasses.dataclass
class Spent:
    """One run of a command with everything that it started; page faults are those of processes that were waited for."""

    wall_s: float
    cpu_s: float
    faults: int
    said: bytes


def spend(command, **more):
    before, begin = GROUP.seconds(), time.perf_counter()
    running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               preexec_fn=GROUP.enter, **more)
    said = running.stdout.read()
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if running.returncode != 0:
        sys.exit(f"bench: {command} ended with {running.returncode}:\n{said.decode(errors='replace')}")
    cpu = usage.ru_utime + usage.ru_stime if before is None else GROUP.seconds() - before
    return Spent(wall, cpu, usage.ru_minflt + usage.ru_majflt, said)


class BareLoop:
    """g++ -O2 -c, a link by mold with the plain suite, and a run of it."""

    def __init__(self, folder, submission):
        self.folder, self.submission, self.edits = folder, submission, 0
        folder.mkdir()
        exercise = ROOT / "exercises/token-lookup"
        self.compiler = ["g++", "-std=c++20", "-O2", "-I", exercise, "-I", ROOT / "exercises"]
        (folder / "main.cpp").write_text("#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n")
        for source, name, more in (("main.cpp", "main.o", []), (ROOT / "bench/plain_suite.cpp", "suite.o", []),
                                   (ROOT / "reference/token-lookup/lookup.cpp", "reference.o", ["-Dexercise=reference"])):
            subprocess.run([*self.compiler, *more, "-c", source, "-o", name], cwd=folder, check=True)

    def run(self):
        self.edits += 1
        (self.folder / "lookup.cpp").write_text(f"{self.submission.read_text()}\n// edit {self.edits}\n")
        steps = ([*self.compiler, "-c", "lookup.cpp", "-o", "lookup.o"],
                 ["g++", "-fuse-ld=mold", "main.o", "suite.o", "reference.o", "lookup.o", "-o", "suite"],
                 [self.folder / "suite"])
        parts = [spend(step, cwd=self.folder) for step in steps]
        return Spent(sum(p.wall_s for p in parts), sum(p.cpu_s for p in parts), sum(p.faults for p in parts), b"")


def problems():
    return json.loads((ROOT / "problems/curriculum.json").read_text())["problems"]


def reference(problem):
    """Next to a kernel is what its results are compared with, in plain C++."""
    return sorted((ROOT / "reference" / problem).glob("*.c*"))[-1]


def measure(bench, problem, loop):
    """{"test": {figure: value}, "submit": {...}}: medians, wall and CPU as ratios to the bare loop, faults and calls as they are."""
    source = reference(problem)
    file = bench.folder / source.name
    spend([bench.program, "prepare", problem], cwd=bench.folder, env=bench.environment)
    found = {}
    for name, command in COMMANDS.items():
        ratios = {figure: [] for figure in FIGURES}
        for _ in range(bench.runs + 1):
            bench.edit(file, source=source)
            report = bench.folder / "report.json"
            spent = spend([bench.program, *command, problem, "--from", file, "--seed", str(SEED), "--format", "json",
                           "--output", report], cwd=bench.folder, env=bench.environment)
            bare = loop.run()
            ratios["wall"].append(spent.wall_s / bare.wall_s)
            ratios["cpu"].append(spent.cpu_s / bare.cpu_s)
            ratios["faults"].append(spent.faults)
            ratios["calls"].append(json.loads(report.read_text())["worker_calls"])
        found[name] = {figure: statistics.median(values[1:]) for figure, values in ratios.items()}  # the first is a warm-up
    return found


def rounded(figure, value):
    return round(value, 2) if figure in ("wall", "cpu") else round(value)


def table(bench, asked):
    """Measures, prints a line a problem, and returns {problem: figures}."""
    loop = BareLoop(bench.folder / "bare", bench.submission)
    loop.run()
    unit = [loop.run() for _ in range(3)]
    print(f"\nA right program's price. 1 = the bare loop: {statistics.median(u.wall_s for u in unit) * 1000:.0f} ms, "
          f"{statistics.median(u.cpu_s for u in unit):.2f} CPU-s, {statistics.median(u.faults for u in unit):,.0f} page faults\n")
    columns = (("test: wall", 10, 2), ("CPU", 6, 2), ("faults", 9, 0), ("calls", 7, 0),
               ("submit: wall", 12, 2), ("CPU", 6, 2), ("faults", 9, 0), ("calls", 7, 0))
    print(f"| {'problem':<28} | " + " | ".join(f"{name:>{width}}" for name, width, _ in columns) + " |")
    print(f"|{'-' * 30}|" + "|".join(f"{'-' * (width + 1)}:" for _, width, _ in columns) + "|")
    found = {}
    for problem in asked:
        figures = found[problem] = measure(bench, problem, loop)
        values = [figures[name][figure] for name in COMMANDS for figure in FIGURES]
        cells = [f"{value:>{width},.{digits}f}" for value, (_, width, digits) in zip(values, columns)]
        print(f"| {problem:<28} | {' | '.join(cells)} |", flush=True)
    return found


def read_accepted():
    return json.loads(ACCEPTED.read_text())["problems"] if ACCEPTED.exists() else {}


def accept(found):
    """Merges what was measured into the accepted values."""
    merged = {**read_accepted(), **{problem: {name: {figure: rounded(figure, value) for figure, value in figures.items()}
                                              for name, figures in commands.items()} for problem, commands in found.items()}}
    ordered = {problem: merged[problem] for problem in problems() if problem in merged}
    ACCEPTED.write_text(json.dumps({"schema": "engine.costs/1", "seed": SEED, "problems": ordered}, indent=1) + "\n")


def compare(found):
    """Prints each figure that is more than a quarter above its accepted value."""
    accepted, grown = read_accepted(), []
    for problem, commands in found.items():
        for name, figures in commands.items():
            for figure, value in figures.items():
                before = accepted.get(problem, {}).get(name, {}).get(figure)
                if before is None:
                    grown.append(f"{problem}, {name}, {figure}: no accepted value")
                elif value > before * GROWN:
                    grown.append(f"{problem}, {name}, {figure}: {rounded(figure, value):,}, accepted {before:,}")
    print("\n" + ("\n".join(["Grown by more than a quarter:", *grown]) if grown else "Nothing has grown by more than a quarter."))
