"""The approved pages in a browser: at the widths of a telephone and of a desktop, light and dark. Each page stands in a
frame of a page of this test's own, whose script looks at it: pages themselves have no scripts."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
PAGES = sorted([*FOLDER.glob("pictures/*.html"), *FOLDER.glob("expected/html/*.html")])
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
WIDTHS = (360, 1280)

LOOK = r"""
const problems = [], say = text => problems.push(text);
addEventListener("error", event => say("script error: " + event.message));

function parts(colour) {
    const numbers = colour.match(/[\d.]+/g).map(Number);
    return numbers.slice(0, 3).map(n => n / 255).map(n => n <= 0.03928 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
}
const luminance = colour => parts(colour).reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0);
function contrast(a, b) {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
}

function look(frame, where) {
    const page = frame.contentDocument, style = node => frame.contentWindow.getComputedStyle(node);
    const paper = style(page.body).backgroundColor;
    if (DARK !== (luminance(paper) < 0.5)) say(where + "the paper is " + paper);
    if (!page.title.trim()) say(where + "no title");
    if (page.documentElement.lang !== "en") say(where + "no language");
    if (page.querySelectorAll("h1").length !== 1) say(where + "not one heading");
    if (page.documentElement.scrollWidth > frame.clientWidth)
        say(where + "overflows: " + page.documentElement.scrollWidth);
    for (const svg of page.querySelectorAll("svg")) {
        if (svg.getAttribute("role") !== "img" || !svg.getAttribute("aria-label")) say(where + "a chart without words");
        const box = svg.getBoundingClientRect(), drawn = svg.getBBox();
        if (box.width < 100 || box.height < 30) say(where + "a chart of " + box.width + " x " + box.height);
        if (drawn.width === 0) say(where + "a chart without marks");
        for (const text of svg.querySelectorAll("text")) {
            const inner = text.getBoundingClientRect();
            if (inner.left < box.left - 1 || inner.right > box.right + 1 || inner.bottom > box.bottom + 1)
                say(where + "cut off: " + text.textContent);
        }
        for (const mark of svg.querySelectorAll(".line, .mark")) {
            const colour = mark.matches(".line") ? style(mark).stroke : style(mark).fill;
            if (contrast(colour, paper) < 3) say(where + "pale: " + mark.getAttribute("class"));
        }
    }
    for (const node of page.querySelectorAll("h1, h2, h3, p, td, th, figcaption, summary, pre, text")) {
        if (!node.textContent.trim()) continue;
        const colour = node.matches("text") ? style(node).fill : style(node).color;
        if (contrast(colour, paper) < 4.5) say(where + "pale: " + node.textContent.slice(0, 40));
    }
    for (const part of page.querySelectorAll("details, .scroll")) {
        const key = part.matches("details") ? part.querySelector("summary") : part;
        if (key.tabIndex < 0) say(where + "no key reaches " + key.textContent.slice(0, 40));
    }
}

async function main() {
    for (const [name, text] of Object.entries(PAGES))
        for (const width of WIDTHS) {
            const frame = document.createElement("iframe");
            frame.style.cssText = `width:${width}px;height:2000px;border:0`;
            frame.srcdoc = text;
            document.body.append(frame);
            await new Promise(loaded => frame.onload = loaded);
            look(frame, `${name} at ${width}: `);
            frame.remove();
        }
    document.body.textContent = "";
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = "RESULT" + btoa(unescape(encodeURIComponent(JSON.stringify(problems)))) + "END";
    document.body.append(result);
}
main();
"""


@unittest.skipUnless(BROWSER, "chromium is not installed")
class Browser(unittest.TestCase):
    def look(self, pages, dark):
        """What the browser finds wrong with the pages, by their names."""
        import base64
        import re
        script = (f"const DARK = {json.dumps(dark)}, WIDTHS = {json.dumps(WIDTHS)}, PAGES = "
                  f"{json.dumps(pages).replace('</', '<' + chr(92) + '/')};\n" + LOOK)
        with tempfile.TemporaryDirectory(prefix="engine-browser-") as folder:
            page = pathlib.Path(folder, "look.html")
            page.write_text(f'<!doctype html><meta charset="utf-8"><body><script>{script}</script></body>')
            done = subprocess.run(
                [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 f"--user-data-dir={folder}/profile", f"--blink-settings=preferredColorScheme={0 if dark else 1}",
                 "--window-size=1400,2100", "--virtual-time-budget=60000", "--dump-dom", page.as_uri()],
                env={**os.environ, "HOME": folder}, capture_output=True, text=True, timeout=240)
        found = re.search(r"RESULT([A-Za-z0-9+/=]*)END</pre>", done.stdout)
        self.assertIsNotNone(found, done.stdout[-500:] + done.stderr[-2000:])
        return json.loads(base64.b64decode(found[1]))

    def test_the_approved_pages_are_sound_in_both_colour_schemes(self):
        self.assertGreater(len(PAGES), 10)
        pages = {page.stem: page.read_text() for page in PAGES}
        for name, text in pages.items():
            for word in ("<script", "http:", "https:", "src=", "@import"):
                self.assertNotIn(word, text.replace("https://github.com", "") if name == "hostile" else text, name)
        for dark in (False, True):
            with self.subTest(dark=dark):
                self.assertEqual(self.look(pages, dark), [])

    def test_a_page_that_is_not_sound_is_found(self):
        broken = {"broken": "<!doctype html><html lang=en><body style='background:#fff'><h1>x</h1>"
                            "<p style='color:#ccc'>pale words</p><div style='width:2000px'>wide</div>"
                            "<svg width=200 height=50 viewBox='0 0 200 50'><text x=190 y=20>cut off</text></svg>"}
        found = " ".join(self.look(broken, False))
        for word in ("no title", "pale: pale words", "overflows", "without words", "cut off: cut off"):
            self.assertIn(word, found)


if __name__ == "__main__":
    if not BROWSER:
        print("skipped: chromium is not installed")
        sys.exit(77)
    unittest.main(verbosity=2)
