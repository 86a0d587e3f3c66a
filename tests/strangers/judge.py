"""What becomes of strangers' programs: python3 tests/strangers/judge.py ENGINE [ID…]

Each is judged once, as a submission, with one seed. Prints a line for each program that was judged otherwise than its
first line claims, and the figures of each problem. Ends with 1 where a right program was refused."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import programs

SEED = "7"


def judge(engine, workspace, problem, file, text, seed=SEED):
    """The report of one program; empty where the engine could not judge."""
    suffix = ".cu" if "cuda_runtime.h" in text or "<<<" in text else ".cpp"
    source = pathlib.Path(workspace) / f"{problem}-{file.stem}{suffix}"
    source.write_text(text)
    done = subprocess.run([engine, "submit-build", problem, "--from", source, "--format", "json",
                           "--seed", str(seed), "--no-questions"],
                          cwd=workspace, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return {}
    return json.loads(done.stdout)


def says_something(report):
    """A name, a line, or what failing calls share: something that a learner can act on."""
    lines = any(finding.get("line") for finding in report["sanitizer"]["findings"])
    errors = not report["compile"]["ok"]
    return bool(report["diagnosis"]) or bool(report["failing_calls"]) or lines or errors


class Figures:
    def __init__(self):
        self.wrong = self.refused = self.named = self.told = self.right = self.right_refused = self.unjudged = 0

    def add(self, is_wrong, report):
        if not report:
            self.unjudged += 1
            return
        accepted = report["verdict"] == "accepted"
        if not is_wrong:
            self.right += 1
            self.right_refused += not accepted
            return
        self.wrong += 1
        if not accepted:
            self.refused += 1
            self.named += bool(report["diagnosis"])
            self.told += says_something(report)

    def merge(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self):
        text = (f"{self.refused} of {self.wrong} wrong programs refused, {self.named} of these named, "
                f"{self.told} told something; {self.right_refused} of {self.right} right ones refused")
        return text + (f"; {self.unjudged} could not be judged" if self.unjudged else "")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    engine = os.path.abspath(sys.argv[1])
    problems = sys.argv[2:] or programs.problems()
    everything = Figures()
    with tempfile.TemporaryDirectory() as workspace, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        subprocess.run([engine, "init", workspace], check=True, capture_output=True)
        for problem in problems:
            figures = Figures()
            files = programs.all_of(problem)
            texts = [programs.read(file) for file in files]
            reports = pool.map(lambda file, text: judge(engine, workspace, problem, file, text), files, texts)
            for file, text, report in zip(files, texts, reports):
                claim = text.splitlines()[0]
                is_wrong = claim.startswith("// wrong")
                figures.add(is_wrong, report)
                if not report or (report["verdict"] == "accepted") == is_wrong:
                    verdict = report.get("verdict", "not judged")
                    print(f"{verdict}: {problem}/{file.name}: {claim.removeprefix('// ')}", flush=True)
            print(f"{problem}: {figures}", flush=True)
            everything.merge(figures)
    print(f"all: {everything}")
    sys.exit(1 if everything.right_refused or everything.unjudged else 0)


if __name__ == "__main__":
    main()
