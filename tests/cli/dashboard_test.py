"""The dashboard of a class, as a browser shows it."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

from classroom import LOOKUP, Classroom
from support import main

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")

# Uses the page as a person would, and leaves what was seen in its title.
USE = r"""<script>{
const rows = () => [...document.querySelector('#students tbody').rows].filter(row => !row.hidden)
  .map(row => row.cells[0].textContent);
const press = title => [...document.querySelectorAll('#students thead button')]
  .find(button => button.textContent === title).click();
const seen = {before: rows()};
press('Grade'); seen.up = rows();
press('Grade'); seen.down = rows();
seen.sort = document.querySelector('#students th[aria-sort]').getAttribute('aria-sort');
const filter = document.getElementById('filter');
filter.value = 'wrong_ANSWER'; filter.dispatchEvent(new Event('input')); seen.filtered = rows();
filter.value = ''; filter.dispatchEvent(new Event('input')); seen.all = rows().length;
document.title = JSON.stringify(seen);
}</script>"""


class Dashboard(Classroom):
    def setUp(self):
        super().setUp()
        self.hand_in("s10", self.wrong)
        self.hand_in("s9", LOOKUP)
        self.hand_in("s8", self.starter)
        self.grade(*self.assign(seed=7), "--export", "dashboard", "--output", "class.html")
        self.page = (self.folder / "class.html").read_text()

    def test_it_needs_nothing_but_itself(self):
        self.assertNotRegex(self.page, r"(src|href)=|https?://|url\(|@import")

    @unittest.skipUnless(BROWSER, "chromium is not installed")
    def test_it_sorts_and_filters(self):
        (self.folder / "used.html").write_text(self.page + USE)
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                               f"--user-data-dir={self.temporary_folder()}", (self.folder / "used.html").as_uri()],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120, check=True)
        seen = json.loads(re.search(r"<title>(.*?)</title>", done.stdout).group(1).replace("&quot;", '"'))
        self.assertEqual(seen["before"], ["s10", "s8", "s9"])
        self.assertEqual(seen["up"], ["s8", "s10", "s9"])
        self.assertEqual(seen["down"], ["s9", "s10", "s8"])
        self.assertEqual(seen["sort"], "descending")
        self.assertEqual(seen["filtered"], ["s10"])
        self.assertEqual(seen["all"], 3)


if __name__ == "__main__":
    main()
