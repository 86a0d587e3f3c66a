"""Mistakes read without the engine: the program that a file of mistakes/ describes. Standard library only."""

import re

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*\n")


def split(text, is_diff):
    """The header's fields and the rest of the file."""
    lines = text.splitlines(True)
    fields, last, at = {}, None, 0
    while at < len(lines) and (not lines[at].startswith("--- ") if is_diff else lines[at].startswith("//")):
        line = lines[at] if is_diff else re.sub(r"^// ?", "", lines[at])
        if line.startswith(" "):
            fields[last] += " " + line.strip()
        else:
            last, _, value = line.partition(":")
            fields[last] = value.strip()
        at += 1
    return fields, "".join(lines[at:])


def hunks(patch):
    """How many lines of the base each hunk says to come before it, and its lines as (sign, text)."""
    lines = patch.splitlines(True)[2:]
    while lines:
        begin, count, _, changed = HUNK.fullmatch(lines.pop(0)).groups()
        begin, count, changed = int(begin), int(count or 1), int(changed or 1)
        edits, before = [], begin if count == 0 else begin - 1
        while count or changed:
            line = lines.pop(0)
            edits.append((" ", line) if line == "\n" else (line[0], line[1:]))
            count -= edits[-1][0] != "+"
            changed -= edits[-1][0] != "-"
        yield before, edits


def apply(patch, base):
    """What a unified diff makes of its base; each hunk is where it says, or at the only other place that it fits."""
    old, new, at = base.splitlines(True), [], 0
    for before, edits in hunks(patch):
        lines = [text for sign, text in edits if sign != "+"]
        places = [n for n in range(len(old)) if lines and old[n:n + len(lines)] == lines]
        if old[before:before + len(lines)] != lines:
            assert len(places) == 1, f"{lines!r} stand in lines {places} of the base"
            before = places[0]
        assert before >= at
        new += old[at:before] + [text for sign, text in edits if sign != "-"]
        at = before + len(lines)
    return "".join(new + old[at:])


def program(file, root):
    """The program of problems/<id>/mistakes/<name>.diff, or of a whole file there, with its header's fields."""
    fields, rest = split(file.read_text(), file.suffix == ".diff")
    if file.suffix != ".diff":
        return fields, rest
    base = (root / rest.partition("\n")[0].removeprefix("--- ")).read_text()
    return fields, re.sub(r"\A// accepted: .*\n", "", apply(rest, base))
