"""Strangers' programs. One that shares most of its lines with another is stored as its difference from that."""

import difflib
import pathlib
import re

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SUFFIXES = (".cpp", ".cu", ".diff")
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def applied(base, hunks):
    """The lines that a unified difference makes of `base`; raises ValueError where it does not apply to the letter."""
    result, at = [], 0
    for line in hunks:
        if match := HUNK.match(line):
            start = int(match[1]) - (0 if match[2] == "0" else 1)
            result += base[at:start]
            at = start
        elif line[0] in " -\n":  # an empty line stands for itself
            text = line[1:] or line
            if at >= len(base) or base[at] != text:
                raise ValueError(f"line {at + 1} of the base is not {text!r}")
            if line[0] != "-":
                result.append(text)
            at += 1
        else:
            result.append(line[1:])
    return result + base[at:]


def read(path):
    """The text of a program; its first line says whether it is right, and what is wrong with it otherwise."""
    lines = path.read_text().splitlines(keepends=True)
    if path.suffix == ".diff":
        base = ROOT / lines[0].removeprefix("--- ").rstrip("\n")
        lines = applied(base.read_text().splitlines(keepends=True), lines[2:])
    return "".join(lines)


def problems():
    return sorted(folder.name for folder in HERE.iterdir() if any(folder.glob("r*.c*")))


def all_of(problem):
    """The files of a problem's programs."""
    return sorted(path for path in (HERE / problem).iterdir() if path.suffix in SUFFIXES)


def difference(path, base):
    """The program in `path` as its difference from `base`, both files of this repository."""
    texts = [each.read_text().splitlines(keepends=True) for each in (base, path)]
    lines = difflib.unified_diff(*texts, str(base.relative_to(ROOT)), path.stem, n=2)
    return "".join("\n" if line == " \n" else line for line in lines)
