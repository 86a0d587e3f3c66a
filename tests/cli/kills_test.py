"""Which tests fail for which mistake: measured, checked, and moved where a seed contradicts."""

import json
import re
import shutil

from support import SourceTree, main

KEPT = ("reads-column", "refuses-no-ids")
SURE = "four ids pick four rows"


class Kills(SourceTree):
    """A small copy of a package: two mistakes and no accepted variants, so that little is judged."""

    def setUp(self):
        super().setUp()
        self.package = self.tree / "problems/token-lookup"
        for file in (self.package / "mistakes").iterdir():
            if file.stem not in KEPT:
                file.unlink()
        shutil.rmtree(self.package / "accepted")
        shutil.rmtree(self.package / "witnesses")
        questions = json.loads((self.package / "questions.json").read_text())
        for question in questions["questions"]:
            for choice in question.get("options", []) + question.get("misconceptions", []):
                choice.pop("mistake", None)
        (self.package / "questions.json").write_text(json.dumps(questions))
        # Without the adversities: two hundred seeds of those take minutes.
        suite = self.package / "suite.cpp"
        suite.write_text(suite.read_text().split('TEST_CASE("lookup at every boundary')[0])
        manifest = json.loads((self.package / "problem.json").read_text())
        manifest["tests"] = [test for test in manifest["tests"] if f'TEST_CASE("{test["name"]}"' in suite.read_text()]
        (self.package / "problem.json").write_text(json.dumps(manifest))
        self.file = self.package / "kills.json"
        self.file.unlink()

    def verify(self, *arguments):
        return self.engine("verify", "--no-mutants", "token-lookup", *arguments, expect=3).stdout  # it is too small

    def kills(self):
        return json.loads(self.file.read_text())

    def edit(self, change):
        kills = self.kills()
        change(kills["mistakes"])
        self.file.write_text(json.dumps(kills))

    def test_accept_measures_and_verify_agrees(self):
        # Without the file, one sentence says all.
        told = [line for line in self.verify().splitlines() if re.search("kills.json|gap: (mistake|add|move) ", line)]
        self.assertEqual(told, ["  gap: problems/token-lookup/kills.json says nothing of 2 mistakes: the command verify "
                                "--accept token-lookup measures which tests they fail"])

        out = self.verify("--accept")
        kills = self.kills()
        self.assertEqual((kills["seeds"]["first"], kills["seeds"]["count"]), (1, 200))
        self.assertEqual(set(kills["mistakes"]), set(KEPT))
        for name, test in zip(KEPT, (SURE, "no ids mean no rows")):
            self.assertIn(test, kills["mistakes"][name]["always"])
        self.assertNotIn(SURE, kills["mistakes"]["refuses-no-ids"]["always"])
        self.assertEqual(len(self.file.read_text().splitlines()), 8)
        for text in (out, self.verify()):
            self.assertNotIn("kills.json", text)
            self.assertNotIn("sometimes", text)

        # A seed of the file's own: what differs is a gap. Any other: a line, and no gap.
        measured = self.file.read_text()

        def spoil(mistakes):
            mistakes["reads-column"]["always"].remove(SURE)
            mistakes["refuses-no-ids"]["always"].append(SURE)

        self.edit(spoil)
        add = f"add '{SURE}' of reads-column to sometimes: it failed with seed "
        move = f"move '{SURE}' of refuses-no-ids from always to sometimes: it passed with seed "
        out = self.verify()
        self.assertIn(f"gap: {add}1\n", out)
        self.assertIn(f"gap: {move}1\n", out)
        self.assertIn("kills.json: measure again with --accept\n", out)
        out = self.verify("--seed", "4711")
        self.assertIn(f"note: {add}4711\n", out)
        self.assertIn(f"note: {move}4711\n", out)
        self.assertIn("kills.json: move them with --accept, or measure again without a seed\n", out)
        self.assertIn("is not recognised", out)
        out = self.verify("--seeds", "2")
        self.assertIn(f"gap: {add}1\n", out)

        # Moved, it stays so: nothing is printed, whatever the seed.
        out = self.verify("--seed", "4711", "--accept")
        self.assertIn(f"done: {move}4711\n", out)
        self.assertNotIn("gap: move", out)
        self.assertNotIn("is not recognised", out)
        moved = self.kills()["mistakes"]
        self.assertIn(SURE, moved["reads-column"]["sometimes"])
        self.assertIn(SURE, moved["refuses-no-ids"]["sometimes"])
        self.assertNotIn(SURE, moved["refuses-no-ids"]["always"])
        self.assertNotIn("sometimes", self.verify("--seeds", "2"))

        # Measured again, a test that fails by a constructed input fails always.
        self.verify("--accept")
        self.assertEqual(self.file.read_text(), measured)

        # A mistake that the file does not know is measured, too, and the other one is left as it is.
        self.edit(lambda mistakes: mistakes.pop("refuses-no-ids"))
        self.edit(lambda mistakes: mistakes["reads-column"].update(always=[], sometimes=[SURE]))
        self.verify("--seed", "4711", "--accept")
        kills = self.kills()["mistakes"]
        self.assertEqual(kills["refuses-no-ids"], json.loads(measured)["mistakes"]["refuses-no-ids"])
        self.assertEqual(kills["reads-column"]["always"], [])
        self.assertIn(SURE, kills["reads-column"]["sometimes"])

    def test_seeds_must_be_a_number_of_them(self):
        for count in ("0", "-1", "many"):
            self.engine("verify", "token-lookup", "--seeds", count, expect=2)
        self.assertFalse(self.file.exists())


if __name__ == "__main__":
    main()
