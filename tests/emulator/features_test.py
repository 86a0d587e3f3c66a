#!/usr/bin/env python3
"""Walks the tables of docs/cuda.md row by row.

usage: features_test.py ROOT CXX NVCC REWRITE PROGRAM...
The first table says what works: each of its rows is a feature that the programs try, and nvcc accepts the files that they are
made of. The second says what is refused: each row is a file of features/refused, which the emulator refuses with the words of
the row, and which nvcc judges as the row says. Without nvcc its half is left out, and said to be.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root, cxx, nvcc, rewrite = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
programs = sys.argv[5:]
folder = root / "tests/emulator/features"
failures = []


def fail(text):
    failures.append(text)
    print("FAILED:", text)


def rows(heading):
    """The rows of the table under a heading, as lists of cells."""
    text = (root / "docs/cuda.md").read_text()
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def run(*command):
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def nvcc_accepts(source, scratch, options=()):
    code, said = run(nvcc, "-std=c++20", "-arch=sm_90", *options, "-I", folder.parent, "-cubin", source, "-o", scratch / "o")
    return code == 0, said


def emulator_says(source, scratch):
    """Empty where the emulator accepts a file, else what the learner reads."""
    code, said = run(rewrite, source, scratch / "a.cpp")
    if code != 0:
        return said
    include = root / "validator/emulator/include"
    code, said = run(cxx, "-std=c++20", "-fsyntax-only", "-isystem", include, "-include", "cuda_runtime.h", scratch / "a.cpp")
    return said if code != 0 else ""


def supported(scratch):
    tried = {}
    for program in programs:
        code, said = run(program)
        build = program.rsplit("_", 1)[1]
        for name, outcome in re.findall(r"^(\S+) (works|fails)$", said, re.M):
            tried.setdefault(name, {})[build] = outcome
        if code != 0:
            fail(f"{program}:\n{said}")
    named = [row[0].strip("`") for row in rows("What works")]
    for name in named:
        if tried.get(name) != {"plain": "works", "traced": "works"}:
            fail(f"docs/cuda.md says that {name} works: {tried.get(name)}")
    for name in set(tried) - set(named):
        fail(f"docs/cuda.md does not have the feature {name}")
    if nvcc:
        for source in sorted(folder.glob("*.cu")):
            accepted, said = nvcc_accepts(source, scratch)
            if not accepted:
                fail(f"nvcc refuses {source}:\n{said}")
    return len(named)


def refused(scratch):
    table = {row[0].strip("`"): row for row in rows("What is refused")}
    files = {path.stem: path for path in (folder / "refused").glob("*.cu")}
    for name in set(table) ^ set(files):
        fail(f"{name} is in only one of docs/cuda.md and features/refused")
    judged = {"legal": 0, "refused": 0}
    for name in sorted(set(table) & set(files)):
        first, second = files[name].read_text().splitlines()[:2]
        legal, words = first.removeprefix("// nvcc: "), second.removeprefix("// told: ")
        _, _, row_legal, row_words = table[name]
        if (row_legal, row_words) != (legal, words):
            fail(f"{name}: the row says {row_legal}, {row_words}; the file says {legal}, {words}")
        said = " ".join(emulator_says(files[name], scratch).split())
        if words not in said:
            fail(f"{name}: no word of '{words}' in: {said[:600] or 'nothing, it compiles'}")
        judged["refused" if legal == "refused" else "legal"] += 1
        if nvcc:
            options = ["-rdc=true"] if "-rdc" in legal else []
            accepted, said = nvcc_accepts(files[name], scratch, options)
            if accepted != (legal != "refused"):
                fail(f"{name}: nvcc {'accepts' if accepted else 'refuses'} it\n{said[:600]}")
    return judged


nvcc = nvcc if os.access(nvcc, os.X_OK) else ""
with tempfile.TemporaryDirectory() as made:
    works = supported(pathlib.Path(made))
    judged = refused(pathlib.Path(made))
print(f"{works} features work; refused: {judged['legal']} that are legal, {judged['refused']} that are not"
      + ("" if nvcc else "; there is no nvcc to say what is legal"))
sys.exit(1 if failures else 0)
