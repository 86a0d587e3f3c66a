#!/usr/bin/env python3
"""Draws the screens of README.md from a real terminal.

Each screen is what tmux shows after a command in a workspace of its own, as SVG. Seeds are fixed; run it again whenever
the screens have changed, and commit what it writes."""

import argparse
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
COLUMNS = 80
WIDTH, HEIGHT, MARGIN = 8.4, 18, 12
# Text and background of a look, as validator/text/sgr.h gives them.
COLOURS = {"30;42": ("#000000", "#25bc24"), "97;41": ("#ffffff", "#c23621")}

sys.path.insert(0, str(SOURCE / "tests/content"))
import mistakes  # noqa: E402


def screen(engine, folder, command):
    """The lines of the terminal, with their looks, once the command has ended."""
    server = ["tmux", "-L", f"screens-{uuid.uuid4().hex}", "-f", "/dev/null"]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PATH": f"{folder}/bin:/usr/bin:/bin"}
    for name in ("NO_COLOR", "ENGINE_PLAIN", "TMUX"):
        environment.pop(name, None)
    (folder / "bin").mkdir(exist_ok=True)
    if not (folder / "bin/engine").exists():
        (folder / "bin/engine").symlink_to(engine)
    done = " ".join([*server, "wait-for", "-S", "done"])
    try:
        subprocess.run([*server, "new-session", "-d", "-x", str(COLUMNS), "-y", "60",
                        f"echo '$ {command}'; {command}; {done}; exec sleep 60"],
                       cwd=folder / "work", env=environment, check=True)
        subprocess.run([*server, "wait-for", "done"], env=environment, check=True, timeout=300)
        time.sleep(0.2)
        text = subprocess.run([*server, "capture-pane", "-e", "-p"], env=environment, check=True, text=True,
                              capture_output=True).stdout
    finally:
        subprocess.run([*server, "kill-server"], env=environment, check=False, capture_output=True)
    return text.rstrip().split("\n")


def spans(line):
    """(look, text) pieces of a line; tmux says each change by its own numbers."""
    look, pieces = set(), []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if not part.startswith("\x1b["):
            if part:
                pieces.append((";".join(sorted(look)), part))
            continue
        for number in part[2:-1].split(";"):
            if number in ("", "0"):
                look = set()
            elif number in ("39", "49"):
                look = {other for other in look if other[0] != ("3" if number == "39" else "4") and other != "97"}
            else:
                look.add(number)
    return pieces


def svg(lines):
    width, height = COLUMNS * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img">',
           '<rect width="100%" height="100%" rx="6" fill="#1d1f21"/>',
           '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
           'fill="#e0e0e0">']
    for number, line in enumerate(lines):
        x, y = 0, MARGIN + (number + 1) * HEIGHT - 5
        for look, text in spans(line):
            at = MARGIN + x * WIDTH
            numbers = set(look.split(";"))
            pair = next((colours for key, colours in COLOURS.items() if set(key.split(";")) <= numbers), None)
            if pair:
                out.append(f'<rect x="{at:.1f}" y="{y - 13}" width="{len(text) * WIDTH:.1f}" height="{HEIGHT}" '
                           f'fill="{pair[1]}"/>')
            style = (f' fill="{pair[0]}"' if pair else "") + (' font-weight="bold"' if "1" in numbers else "")
            # Browsers collapse ordinary spaces, whatever white-space is set for the text.
            shown = html.escape(text).replace(" ", "\N{NO-BREAK SPACE}")
            out.append(f'<text x="{at:.1f}" y="{y}" textLength="{len(text) * WIDTH:.1f}"{style}>{shown}</text>')
            x += len(text)
    return "\n".join([*out, "</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", default=SOURCE / "build/release/app/engine", type=pathlib.Path,
                        help="the built program (default: that of the release preset, which ./engine builds)")
    parser.add_argument("--output", default=HERE, type=pathlib.Path, metavar="FOLDER",
                        help="where the screens are written (default: next to this script)")
    options = parser.parse_args()
    engine, output = options.engine.resolve(), options.output
    if not os.access(engine, os.X_OK):
        parser.error(f"there is no program {engine}: build it with ./engine doctor, or name another one")
    if not shutil.which("tmux"):
        parser.error("tmux is missing: install it with apt-get install tmux")
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([engine, "init", folder / "work"], check=True, stdout=subprocess.DEVNULL)
        lookup = folder / "work/exercises/token-lookup/lookup.cpp"
        _, wrong = mistakes.program(SOURCE / "problems/token-lookup/mistakes/reads-column.diff", SOURCE)
        lookup.write_text(wrong)
        (output / "wrong-answer.svg").write_text(svg(screen(engine, folder, "engine test token-lookup --seed 7")))
        shutil.copy(SOURCE / "problems/token-lookup/accepted/pointer-loops.cpp", lookup)
        (output / "accepted.svg").write_text(svg(screen(engine, folder, "engine submit-build token-lookup --no-questions --seed 7")))


if __name__ == "__main__":
    main()
