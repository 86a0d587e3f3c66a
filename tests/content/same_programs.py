"""same_programs.py REVISION [ENGINE]: whether every mistake is the program that it was at a revision at which mistakes
were whole files, token by token: comments, blanks and line breaks may differ, where a directive ends may not. What the
headers say of each must be the same too, and so must the tests in kills.json where it was not measured yet. With the
built program ENGINE, what `engine mistake` prints is compared instead of what this script reads.

Run it in a checkout that has the revision. Prints each difference; exit code 1 where there is one."""

import json
import pathlib
import re
import subprocess
import sys

import mistakes

ROOT = pathlib.Path(__file__).resolve().parents[2]

TOKEN = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
      | (?P<newline>\n)
      | (?P<blank>[ \t\r\f\v]+|\\\n)
      | (?P<raw>(?:u8|u|U|L)?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
      | (?P<text>(?:u8|u|U|L)?"(?:\\.|[^"\\\n])*"|(?:u8|u|U|L)?'(?:\\.|[^'\\\n])*')
      | (?P<number>\.?\d(?:[eEpP][+-]|'[0-9A-Za-z_]|[\w.])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<other>.)""",
    re.S | re.X)


def tokens(source):
    """The tokens of C++ or CUDA; a directive ends with a line break."""
    found, directive, fresh = [], False, True
    for match in TOKEN.finditer(source):
        kind, text = match.lastgroup, match.group()
        if kind == "newline":
            if directive:
                found.append("\n")
            directive, fresh = False, True
        elif kind not in ("blank", "comment"):
            directive = directive or (fresh and text == "#")
            fresh = False
            found.append(text)
    return found


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def old_mistakes(revision):
    """(problem, name) -> text of the file."""
    found = {}
    for path in git("ls-tree", "-r", "--name-only", revision, "problems").splitlines():
        match = re.fullmatch(r"problems/([^/]+)/mistakes/([^/]+)\.(?:cpp|cu)", path)
        if match:
            found[match.groups()] = git("show", f"{revision}:{path}")
    return found


def old_header(text):
    """The fields of the comment with which mistakes began, and the code."""
    fields, last, lines = {}, None, text.splitlines(True)
    while lines and lines[0].startswith("//"):
        line = lines.pop(0)[2:]
        if line.startswith("   "):
            fields[last] += " " + line.strip()
        else:
            last, _, value = line.strip().partition(":")
            fields[last] = value.strip()
    return fields, "".join(lines)


def names(text):
    return sorted(name.strip() for name in text.split(";")) if text else []


def compare(problem, name, text, engine):
    """What differs, in words."""
    folder = ROOT / "problems" / problem
    file = next((folder / "mistakes").glob(name + ".*"), None)
    if file is None:
        return ["is not there any more"]
    was, old = old_header(text)
    fields, new = mistakes.program(file, ROOT)
    if engine:
        new = subprocess.run([engine, "mistake", problem, name], cwd=ROOT, check=True, capture_output=True,
                             text=True).stdout
    found = []
    if tokens(old) != tokens(new):
        at = next((i for i, (a, b) in enumerate(zip(tokens(old), tokens(new))) if a != b), "the end")
        found.append(f"is another program from token {at} on")
    for key in ("says", "hint", "symptom"):
        if was[key].split() != fields[key.capitalize()].split():
            found.append(f"has another {key}")
    kills = json.loads((folder / "kills.json").read_text())
    if kills["seeds"]["count"] == 0:
        entry = kills["mistakes"][name]
        if names(was["fails"]) != sorted(entry["always"]) or names(was.get("finds")) != sorted(entry.get("finds", [])):
            found.append("has other tests or findings")
    return found


def main():
    engine = str(pathlib.Path(sys.argv[2]).resolve()) if len(sys.argv) > 2 else None
    old = old_mistakes(sys.argv[1])
    count = sum(len(tokens(text)) for text in old.values())
    differences = [f"problems/{problem}/mistakes/{name} {what}"
                   for (problem, name), text in old.items() for what in compare(problem, name, text, engine)]
    new = {(file.parents[1].name, file.stem) for file in ROOT.glob("problems/*/mistakes/*")}
    print("\n".join(differences + [f"{len(old)} mistakes of {count} tokens, {len(new - set(old))} new ones, "
                                   f"{len(differences)} differences"]))
    return 1 if differences or not old else 0


if __name__ == "__main__":
    sys.exit(main())
