"""`engine similarity`: pairs of programs that are worth reading side by side."""

import re
import shutil
import unittest

from classroom import LOOKUP, Classroom
from support import main

TESTER = shutil.which("sim_c++", path="/usr/bin:/bin")

# Unlike every program of the course.
UNUSUAL = """#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows() != ids.size() || out.cols() != table.cols()) return Status::shape_mismatch;
    unsigned long long wrong = 0, at = ids.size();
    do {
        if (at == 0) break;
        --at;
        wrong += (ids[at] < 0 ? 3u : 5u) * (ids[at] >= static_cast<long long>(table.rows()) ? 7u : 11u) % 13u;
        switch (wrong & 3u) {
        case 0: wrong ^= 0x55u; break;
        case 1: wrong = (wrong << 2) | (wrong >> 7); break;
        default: wrong += at * at + 17u; break;
        }
    } while (wrong < 1000000u);
    return wrong > 5u ? Status::ok : Status::shape_mismatch;
}

} // namespace exercise
"""


class Similarity(Classroom):
    def setUp(self):
        super().setUp()
        program = self.folder / "unusual.cpp"
        program.write_text(UNUSUAL)
        self.hand_in("ada", program)
        program.write_text(re.sub(r"\bwrong\b", "sum", UNUSUAL) + "static int more(int x) { return x + 1; }\n")
        self.hand_in("bob", program)
        self.hand_in("carl", LOOKUP)
        self.hand_in("dora", self.starter)
        self.grade(*self.assign(seed=7))

    def similarity(self, *arguments, expect=0, **more):
        return self.run_engine("similarity", "hw.gradebook", *arguments, expect=expect, **more)

    def test_what_is_wrong_is_said(self):
        for arguments, words in ((("--with", "nowhere"), "--with nowhere does not exist"),
                                 (("--problem", "first-row"), "first-row is not one of the assigned problems")):
            with self.subTest(arguments):
                self.assertIn(words, self.run_similarity_with_any_tester(*arguments, expect=2).stderr)
        self.assertIn("there is no gradebook nowhere", self.run_engine("similarity", "nowhere", expect=2).stderr)

    def run_similarity_with_any_tester(self, *arguments, script="exit 0", **more):
        """With a program of its own in place of the tester."""
        folder = self.temporary_folder() / "bin"
        folder.mkdir()
        (folder / "sim_c++").write_text("#!/bin/sh\n" + script + "\n")
        (folder / "sim_c++").chmod(0o755)
        return self.similarity(*arguments, environment={"PATH": f"{folder}:/usr/bin:/bin"}, **more)

    def test_without_the_tester_the_command_that_installs_it_is_named(self):
        done = self.similarity(environment={"PATH": str(self.temporary_folder())}, expect=4)
        self.assertIn("sudo apt-get install similarity-tester", done.stderr)

    def test_a_tester_that_fails_is_named_and_what_it_found_is_kept(self):
        done = self.run_similarity_with_any_tester(
            script="echo '0: line 1-60 |1: line 1-60 [60]'; exit 3", expect=4)
        self.assertIn("token-lookup: the similarity tester failed, so some pairs were not compared", done.stderr)
        self.assertIn("different programs", done.stdout)
        endless = self.run_similarity_with_any_tester(
            script="while :; do echo '0: line 1-9999 |1: line 0-0 [1]'; done", expect=4)
        self.assertIn("there are more matches than can be listed", endless.stderr)

    def test_a_tester_that_was_taken_over_reaches_nothing(self):
        target = self.folder / "reached"
        script = (f"touch {target} 2>/dev/null && exit 0; cat {self.folder}/hw.gradebook >/dev/null 2>&1 && exit 0; "
                  "touch ./here 2>/dev/null && exit 0; exit 9")
        done = self.run_similarity_with_any_tester(script=script, expect=4)  # all of it was refused
        self.assertIn("the similarity tester failed", done.stderr)
        self.assertFalse(target.exists())

    @unittest.skipUnless(TESTER, "similarity-tester is not installed")
    def test_a_pair_is_found_in_spite_of_other_names(self):
        done = self.similarity("--output", "out/pairs.html")
        self.assertIn("1 pair has more in common than that:", done.stdout)
        self.assertRegex(done.stdout, r"100 %  token-lookup: ada \| bob")
        self.assertIn("the same but for layout, comments and preprocessor lines: carl, the course's pointer-loops.cpp",
                      " ".join(done.stdout.split()))  # the line is broken
        self.assertNotIn("dora", done.stdout)  # handed in the starter
        page = (self.folder / "out/pairs.html").read_text()
        self.assertEqual(page.count("<section id="), 1)
        self.assertEqual(page.count("<mark "), 2)
        self.assertNotRegex(page, r"(src)=|https?://|url\(|@import|<script")
        # Students hear nothing of it.
        self.grade("--export", "html", "--output", "pages")
        for file in (self.folder / "pages").iterdir():
            self.assertNotIn("in common", file.read_text())

    @unittest.skipUnless(TESTER, "similarity-tester is not installed")
    def test_last_years_programs_are_compared_without_names_where_none_may_be_given(self):
        shutil.move(self.hw, self.folder / "last")
        self.hw.mkdir()
        (self.hw / "eve/token-lookup").mkdir(parents=True)
        (self.hw / "eve/token-lookup/lookup.cpp").write_text(UNUSUAL.replace("at", "place"))
        shutil.move(self.folder / "hw.gradebook", self.folder / "last.gradebook")
        self.grade(*self.assign(seed=7))
        self.assertIn("No two programs have more in common than that.", self.similarity().stdout)
        for earlier in ("last", "last.gradebook"):
            done = self.similarity("--with", earlier)
            self.assertIn(f"ada ({earlier})", done.stdout)
            self.assertNotRegex(done.stdout, r"(ada|bob) \(last.*\| (ada|bob) \(last")  # last year's pair
        hidden = self.similarity("--with", "last", "--pseudonyms", "who.csv", "--output", "pairs.html")
        self.assertRegex(hidden.stdout, r"p-[0-9a-f]+ \| an earlier program|an earlier program, \d \| p-")
        for name in ("ada", "eve", "bob"):
            self.assertNotIn(name, hidden.stdout)
            self.assertNotRegex((self.folder / "pairs.html").read_text(), rf"\b{name}\b")


if __name__ == "__main__":
    main()
