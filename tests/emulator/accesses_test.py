#!/usr/bin/env python3
"""Vector accesses as the hardware makes them: what a trace counts for each kernel of accesses/accesses.cu is what the table there
says, and, where nvcc is present, that is what the PTX does.

usage: accesses_test.py SOURCE NVCC PROGRAM
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

source, nvcc, program = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
failures = []
expected = {}

run = subprocess.run([program], capture_output=True, text=True)
for line in run.stdout.splitlines():
    name, wanted, seen = re.fullmatch(r"(\w+): (.*), seen: (.*)", line).groups()
    expected[name] = wanted
    if wanted != seen:
        failures.append(f"{name}: a trace counts {seen}, not {wanted}")
if run.returncode not in (0, 1) or len(expected) < 30:
    failures.append(f"{program} ended with {run.returncode}: {run.stderr}")


def accesses_in(body):
    """Those of a kernel's PTX, in the words of the table."""
    moved = {"ld": [], "st": []}
    for kind, lanes, bits in re.findall(r"\b(ld|st)\.global[.\w:]*?(?:\.v(\d))?\.[bfus](\d+)\b", body):
        moved[kind].append(int(lanes or 1) * int(bits) // 8)
    return " ".join([*map(str, sorted(moved["ld"])), "->", *map(str, sorted(moved["st"]))])


if os.access(nvcc, os.X_OK):
    with tempfile.TemporaryDirectory() as scratch:
        ptx = pathlib.Path(scratch, "accesses.ptx")
        subprocess.run([nvcc, "-std=c++20", "-arch=sm_90", "-ptx", "-I", source.parent.parent, source, "-o", ptx], check=True, capture_output=True)
        kernels = re.findall(r"\.entry (\S+?)\((.*?)\n\}", ptx.read_text(), re.S)
    for name, wanted in expected.items():
        bodies = [body for entry, body in kernels if f"{len(name)}{name}E" in entry]
        found = [accesses_in(body) for body in bodies]
        if found != [wanted]:
            failures.append(f"{name}: nvcc makes {found}, not {wanted}")
    print(f"{len(expected)} kernels, as nvcc compiles them")
else:
    print(f"{len(expected)} kernels; there is no nvcc to compare them with")

print("\n".join(failures))
sys.exit(1 if failures else 0)
