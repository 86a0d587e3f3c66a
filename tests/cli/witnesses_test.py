"""Witnesses: wrong programs that a suite must refuse, judged and measured without the rest of the package."""

import json
import shutil

from support import SourceTree, main

NAME = "last-row-is-an-error"
SURE = "four ids pick four rows"
REFUSES_THE_LAST_ROW = """Fault: The last row counts as out of range.
Origin: round 1
--- reference/token-lookup/lookup.cpp
+++ witnesses/last-row-is-an-error
@@ -10,1 +10,1 @@
-        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
+        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) + 1 >= table.rows)
"""


class Witnesses(SourceTree):
    """A copy of a package whose only witness is a new one."""

    def setUp(self):
        super().setUp()
        self.package = self.tree / "problems/token-lookup"
        shutil.rmtree(self.package / "witnesses", ignore_errors=True)
        (self.package / "witnesses").mkdir()
        self.file = self.package / f"witnesses/{NAME}.diff"
        self.file.write_text(REFUSES_THE_LAST_ROW)
        self.kills = self.package / "kills.json"
        content = json.loads(self.kills.read_text())
        content.pop("witnesses", None)
        self.kills.write_text(json.dumps(content))

    def verify(self, *arguments, expect):
        return self.engine("verify", "--witnesses", "token-lookup", *arguments, expect=expect).stdout

    def test_a_witness_is_measured_and_then_judged(self):
        self.assertIn("  gap: problems/token-lookup/kills.json says nothing of 1 witness: the command verify --accept "
                      "token-lookup measures which tests refuse it\n", self.verify(expect=3))
        out = self.verify("--accept", expect=0)
        self.assertIn("token-lookup: sound\n", out)
        self.assertIn(" 1 witnesses, ", out)
        content = json.loads(self.kills.read_text())
        self.assertIn(SURE, content["witnesses"][NAME])
        self.assertIn("reads-column", content["mistakes"])
        self.assertNotIn("killed by test", self.verify(expect=0))

        # A test that passes is a gap, whatever the others say.
        content["witnesses"][NAME] = [SURE, "no ids mean no rows"]
        self.kills.write_text(json.dumps(content))
        self.assertIn(f"gap: witness {NAME} problems/token-lookup/witnesses/{NAME}.diff is not refused by 'no ids mean no "
                      "rows', which kills.json names: measure again with --accept\n", self.verify(expect=3))

        # With --accept, one that does not need a thorough run must not say so.
        self.file.write_text(REFUSES_THE_LAST_ROW.replace("\n---", "\nDepth: thorough\n---", 1))
        self.assertIn(f"{NAME}.diff is refused by a graded run already: take \"Depth: thorough\" out\n",
                      self.verify("--accept", expect=3))

    def test_what_is_accepted_or_does_not_compile_or_apply_is_a_gap_with_its_file(self):
        at = "problems/token-lookup/witnesses/"
        (self.package / "witnesses/right.cpp").write_text(
            "// Fault: none\n// Origin: round 1\n" + (self.tree / "reference/token-lookup/lookup.cpp").read_text())
        (self.package / "witnesses/broken.cpp").write_text("// Fault: none\n// Origin: round 1\nint broken\n")
        self.file.write_text(REFUSES_THE_LAST_ROW.replace("ids[i] < 0", "ids[i] < 1"))
        out = self.verify(expect=3)
        self.assertIn(f"gap: witness right {at}right.cpp is accepted by a graded run\n", out)
        self.assertIn(f"gap: witness broken {at}broken.cpp: does not compile: line 1: ", out)
        self.assertNotIn("kills.json says nothing", out)
        self.assertIn(f"gap: cannot read {at}{NAME}.diff: line 6: the diff does not apply: ", out)


if __name__ == "__main__":
    main()
