#!/usr/bin/env python3
"""Compares every constant of the emulator's headers with the CUDA Toolkit's.

usage: constants_test.py INCLUDE CXX NVCC
Macros with a value, enumerators and constants are taken from the headers as the compiler preprocesses them. One program
prints the bits of each, and is compiled once with the emulator's headers and once with the toolkit's.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

include, cxx, nvcc = sys.argv[1:]
HEADERS = ("cuda_runtime.h", "math_constants.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_profiler_api.h", "cooperative_groups.h")
# What says which toolkit this is, or that it is one.
OWN = re.compile(r"CUDA_EMULATOR|CUDART_VERSION|CUDA_VERSION|__CUDACC_VER|__CUDA_RUNTIME|__DRIVER_TYPES")

PROGRAM = """
#include <cstdio>
#include <cstring>
%(before)s
%(headers)s
template <class T> void show(const char* name, T value) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf("%%s %%zu %%llx\\n", name, sizeof value, bits);
}
int main() {
%(shows)s
}
"""
# Functions of the device, which the toolkit's macros for numbers call.
ON_HOST = """
static inline float as_float(int bits) { float x; std::memcpy(&x, &bits, sizeof x); return x; }
static inline double as_double(long long bits) { double x; std::memcpy(&x, &bits, sizeof x); return x; }
#define __int_as_float as_float
#define __longlong_as_double as_double
"""


def run(*command, text=None):
    return subprocess.run([str(c) for c in command], input=text, capture_output=True, text=True)


def preprocessed(*options):
    text = "".join(f"#include <{name}>\n" for name in HEADERS)
    done = run(cxx, "-std=c++20", "-E", *options, "-isystem", include, "-x", "c++", "-", text=text)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names():
    """Of macros and of enumerators and constants."""
    macros = {name for name, value in re.findall(r"^#define (\w+) (\S.*)$", preprocessed("-dM"), re.M)
              if re.match(r"(CUDA|cuda|CUDART_)\w+$", name) and not OWN.match(name) and "_attribute_" not in value}
    text = preprocessed("-P")
    values = set()
    for body in re.findall(r"\benum\s+cuda\w+\s*\{([^}]*)\}", text):
        values.update(re.findall(r"(\w+)\s*=", body))
    for line in re.findall(r"^constexpr unsigned int (cuda[^;]*);", text, re.M):
        values.update(re.findall(r"(\w+)\s*=", line))
    return macros, values


def printed(folder, where, before, wanted):
    shows = "\n".join(f'    show("{name}", {name});' for name in wanted)
    source = folder / "show.cpp"
    source.write_text(PROGRAM % {"before": before, "shows": shows,
                                 "headers": "".join(f"#include <{name}>\n" for name in HEADERS[:2])})
    done = run(cxx, "-std=c++20", "-w", "-fmax-errors=0", "-isystem", where, source, "-o", folder / "show")
    missing = set(re.findall(r"error: [‘'](\w+)[’'] was not declared", done.stderr))
    if missing:
        return missing, {}
    assert done.returncode == 0, done.stderr
    lines = run(folder / "show").stdout.splitlines()
    return missing, dict(line.split(" ", 1) for line in lines)


def toolkit_headers():
    """The folder in which nvcc itself looks for the toolkit's headers; nothing where they are not installed."""
    asked = run(nvcc, "--dryrun", "-x", "cu", "/dev/null").stderr
    folders = [*re.findall(r'-I([^"\s]+)', asked), "/usr/include"]
    return next((folder for folder in folders if (pathlib.Path(folder) / "cuda_runtime.h").exists()), None)


if not os.access(nvcc, os.X_OK):
    print("skipped: there is no nvcc")
    sys.exit(77)
toolkit = toolkit_headers()
if not toolkit:
    print("skipped: nvcc has no headers of the toolkit")
    sys.exit(77)
macros, values = names()
wanted = sorted(macros | values)
with tempfile.TemporaryDirectory() as made:
    folder = pathlib.Path(made)
    missing, theirs = printed(folder, toolkit, ON_HOST, wanted)
    if missing:
        _, theirs = printed(folder, toolkit, ON_HOST, [name for name in wanted if name not in missing])
    _, ours = printed(folder, include, "", wanted)
failed = 0
for name in wanted:
    if name in missing:
        print(f"FAILED: the toolkit has no {name}")
    elif ours[name] != theirs[name]:
        print(f"FAILED: {name}: size and bits are {ours[name]} here, {theirs[name]} with NVIDIA")
    else:
        continue
    failed += 1
print(f"{len(macros)} macros and {len(values)} enumerators and constants compared")
sys.exit(1 if failed or len(macros) < 40 or len(values) < 80 else 0)
