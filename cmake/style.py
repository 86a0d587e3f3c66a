#!/usr/bin/env python3
"""Checks the style of the repository: layout by clang-format, shell scripts by shellcheck, static checks by clang-tidy.

clang-tidy reads each folder as one unit, since most of its time goes to headers, and only the units that have changed since it
found nothing in them: cmake/tidy.passed has a key for each, made of the preprocessed text. Units that pass are added to it;
commit the file. A tool that is not installed is named, and its check is skipped."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/tidy"
PASSED = ROOT / "cmake/tidy.passed"
SOURCE = re.compile(r"\.(cpp|h|cu|cuh|hpp)$|^validator/emulator/include/cuda/std/")
# Files whose layout is not ours to choose, each for its reason.
LAYOUT_KEPT = [
    (r"^problems/[^/]+/witnesses/", "programs as they were handed in"),
    (r"^tests/hostile/programs/79", "the attack is in how the text is laid out"),
    (r"^tests/emulator/accesses/", "a table of kernels, one a line"),
    (r"^tests/unit/subject/fixture/contract\.h$", "a contract is read line by line there"),
]
# An #include of a .cpp file is how a unit is put together.
NOT_IN_UNITS = "-bugprone-suspicious-include"
# Clang does not know all of GCC's options.
NAMES_OF_GCC = ["-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"]


def tracked(*patterns):
    return subprocess.run(["git", "ls-files", "-z", *patterns], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                          text=True).stdout.split("\0")[:-1]


def tool(name):
    """The program, in the version of Debian 12 if there are several."""
    found = shutil.which(f"{name}-14") or shutil.which(name)
    if not found:
        print(f"{name}: skipped, not installed")
    return found


def run_all(commands):
    """Runs commands side by side; yields each index with its exit status and output."""
    def one(index):
        done = subprocess.run(commands[index], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", check=False)
        return index, done.returncode, done.stdout

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for future in concurrent.futures.as_completed([pool.submit(one, index) for index in range(len(commands))]):
            yield future.result()


def laid_out():
    kept = re.compile("|".join(pattern for pattern, _ in LAYOUT_KEPT))
    return [file for file in tracked() if SOURCE.search(file) and not kept.search(file)]


def check_layout(fix):
    program, files = tool("clang-format"), laid_out()
    if not program:
        return True
    how = ["-i"] if fix else ["--dry-run", "--Werror"]
    batches = [[program, *how, *files[start:start + 50]] for start in range(0, len(files), 50)]
    wrong = "".join(output for _, status, output in run_all(batches) if status)
    print(wrong + ("clang-format: run cmake/style.py --fix" if wrong else f"clang-format: {len(files)} files, nothing to change"))
    return not wrong


def shell_scripts():
    def is_shell(file):
        with open(ROOT / file, "rb") as opened:
            return re.match(rb"#!\s*/bin/(ba|da)?sh\b", opened.readline())

    # A template (nvcc.in) is a script once it is configured.
    return [file for file in tracked() if not file.endswith(".in") and (ROOT / file).is_file() and is_shell(file)]


def check_shell():
    program, files = tool("shellcheck"), shell_scripts()
    if not program:
        return True
    wrong = "".join(output for _, status, output in run_all([[program, "--external-sources", *files]]) if status)
    print(wrong or f"shellcheck: {len(files)} scripts, nothing found")
    return not wrong


def units():
    """Name and compile command of every unit of app/ and validator/."""
    configured = subprocess.run(["cmake", "--preset", "dev", "-B", BUILD, "-DENGINE_UNITY=ON",
                                 "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_CXX_COMPILER_LAUNCHER="],
                                cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if configured.returncode:
        sys.exit(f"{configured.stdout}cmake/style.py: the build folder for clang-tidy cannot be configured, as said above")
    found = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source, words = entry["file"], shlex.split(entry["command"])
        target = re.search(r"CMakeFiles/([^/]+)\.dir/", entry["command"]).group(1)
        folder = source.removeprefix(f"{BUILD}/").removeprefix(f"{ROOT}/")
        if not folder.startswith(("app/", "validator/")) or "/shim/" in folder:
            continue  # tests, generated files, submissions, and what is compiled as a submission is
        at = words.index("-o")
        # A file of several targets counts once.
        name = target if "/Unity/" in folder else folder
        found[name] = words[:at] + words[words.index("-c") + 2:] + [source]
    return found


def key(command):
    """Of the preprocessed text, as far as it comes from the repository: without paths, comments and blanks."""
    done = subprocess.run([*command[:-1], "-w", "-E", command[-1]], cwd=BUILD, stdout=subprocess.PIPE, text=True,
                          errors="replace", check=True)
    return text_key(done.stdout, command)


def text_key(text, command):
    digest = hashlib.sha256(" ".join(word for word in command[1:] if word.startswith(("-D", "-std="))).replace(
        str(ROOT), "").encode())
    own = False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            own = os.path.normpath(BUILD / marker.group(1)).startswith(f"{ROOT}/")
        elif own and line.strip():
            digest.update(" ".join(line.replace(str(ROOT), "").split()).encode() + b"\n")
    return digest.hexdigest()[:16]


def judged_by(program):
    """What the keys depend on besides: the checks, and the version that makes them."""
    version = re.search(r"version (\d+)", subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True,
                                                         check=True).stdout)
    return hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + version.group(1).encode()).hexdigest()[:16]


def read_passed(checks):
    lines = PASSED.read_text().splitlines() if PASSED.exists() else []
    return dict(reversed(line.split(" ", 1)) for line in lines[1:]) if lines[:1] == [checks] else {}


def write_passed(checks, passed):
    PASSED.write_text("".join(f"{line}\n" for line in [checks, *(f"{passed[name]} {name}" for name in sorted(passed))]))


def check_tidy(whole, at_most):
    program = tool("clang-tidy")
    if not program:
        return True
    checks, commands = judged_by(program), units()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        keys = dict(zip(commands, pool.map(key, commands.values())))
    passed = {name: value for name, value in read_passed(checks).items() if keys.get(name) == value}
    changed = sorted(set(keys) - (set() if whole else set(passed)), key=lambda name: keys[name])
    due = changed[:at_most]
    failed = []
    for index, status, output in run_all([[program, "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
                                           f"--checks={NOT_IN_UNITS}", *(f"--extra-arg={word}" for word in NAMES_OF_GCC),
                                           commands[name][-1], "--", *commands[name][1:-1]] for name in due]):
        if status:
            failed.append(due[index])
            passed.pop(due[index], None)
            print(re.sub(r"^\d+ warnings? generated\.\n", "", output, flags=re.M), flush=True)
        else:
            passed[due[index]] = keys[due[index]]
        write_passed(checks, passed)  # at once, so that an interruption loses nothing
    print(f"clang-tidy: {len(keys)} units, {len(due)} looked at, {len(changed) - len(due)} changed ones left for --whole, "
          f"{len(failed)} with findings" + "".join(f"\n    {name}" for name in sorted(failed)))
    return not failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="change the layout in place of reporting it")
    parser.add_argument("--whole", action="store_true", help="clang-tidy reads every unit, changed or not")
    parser.add_argument("--at-most", type=int, metavar="N", help="clang-tidy reads no more than N units")
    parser.add_argument("--only", choices=["layout", "shell", "tidy"], help="one of the checks")
    options = parser.parse_args()
    checks = {"layout": lambda: check_layout(options.fix), "shell": check_shell,
              "tidy": lambda: check_tidy(options.whole, options.at_most)}
    outcomes = [check() for name, check in checks.items() if options.only in (None, name)]
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
