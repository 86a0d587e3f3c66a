"""A bug to repair: planted in an accepted program or taken from the known mistakes, and its repair judged."""

import shutil
import sqlite3
import unittest

from support import ACCEPTED, SOURCE, WRONG, Workspace, main


class Harden(Workspace):
    def setUp(self):
        super().setUp()
        shutil.copy(ACCEPTED, self.lookup)
        self.broken = self.folder / "harden/token-lookup/lookup.cpp"

    def accept(self):
        self.run_engine("submit-build", "token-lookup", "--no-questions", expect=0)

    def harden(self, *arguments, expect=0):
        return self.run_engine("harden", "token-lookup", *arguments, expect=expect)

    def stages(self):
        with sqlite3.connect(self.database) as database:
            return [stage for stage, in database.execute("SELECT stage FROM stage ORDER BY stage")]

    def words(self, done):
        return " ".join(done.stdout.split())

    def test_the_whole_way(self):
        self.accept()
        done = self.harden("--seed", "1")
        self.assertNotIn("from the course", done.stderr)
        out = self.words(done)
        self.assertIn("harden/token-lookup/lookup.cpp has one bug. A user reports:", out)
        self.assertIn("I called lookup(", out)
        self.assertNotEqual(self.broken.read_text(), ACCEPTED.read_text())

        done = self.run_engine("submit-fix", "token-lookup", expect=1)
        self.assertIn("Change harden/token-lookup/lookup.cpp, then again:", self.words(done))
        self.assertRegex(done.stdout, r"✓ \d+ tests passed")
        self.assertNotIn("✗ four ids pick four rows", done.stdout)  # the worked example
        self.assertNotIn("harden", self.stages())

        shutil.copy(ACCEPTED, self.broken)
        self.assertIn("Repaired.", self.words(self.run_engine("submit-fix", expect=0)))
        self.assertEqual(self.stages(), ["build", "harden"])

    def test_nothing_in_the_workspace_says_where_the_bug_is(self):
        self.accept()
        before = ACCEPTED.read_text().splitlines()
        self.harden("--seed", "1")
        right = [line for line in before if line not in self.broken.read_text().splitlines()]
        self.assertEqual(sorted(file.name for file in self.broken.parent.iterdir()),
                         ["contract.h", "lookup.cpp", "symptom.txt"])
        for file in self.folder.rglob("*"):
            if file.is_file() and file != self.lookup:
                for line in right:
                    self.assertNotIn(line.strip().encode(), file.read_bytes(), file)

    def test_the_same_seed_plants_the_same_bug(self):
        self.accept()
        self.harden("--seed", "5")
        first = self.broken.read_text()
        self.database.unlink()
        self.accept()
        self.harden("--seed", "5", "--new")
        self.assertEqual(self.broken.read_text(), first)

    def test_a_program_with_warnings_of_its_own_has_a_bug_planted_as_well(self):
        self.lookup.write_text(ACCEPTED.read_text().replace("namespace exercise {", "namespace exercise {\n\n"
                                                            "static int never_used() { return 1; }\n", 1))
        self.accept()
        self.assertNotIn("from the course", self.harden("--seed", "1").stderr)
        self.assertIn("never_used", self.broken.read_text())

    def test_nothing_is_handed_out_before_acceptance(self):
        for arguments in ([], ["--known"], ["--from", ACCEPTED]):
            done = self.harden(*arguments, expect=2)
            self.assertIn("once your own program is accepted: ", done.stderr)
        self.assertFalse(self.broken.exists())

    def test_a_known_mistake_comes_with_its_symptom_and_is_not_named(self):
        self.accept()
        self.assertIn("has one bug. A user reports:", self.words(self.harden("--known")))
        done = self.run_engine("submit-fix", "token-lookup", "--from", WRONG, expect=1)
        named = self.run_engine("test", "token-lookup", "--from", WRONG, expect=1)
        says = "You read column"
        self.assertIn(says, named.stdout)
        self.assertNotIn(says, done.stdout)

    def test_what_waits_for_repair_is_not_replaced(self):
        self.accept()
        first = self.harden()
        self.broken.write_text("// half repaired\n")
        self.assertEqual(self.harden("--known").stdout, first.stdout)
        self.assertEqual(self.broken.read_text(), "// half repaired\n")

    def test_a_new_one_keeps_what_was_there(self):
        self.accept()
        self.harden()
        self.broken.write_text("// half repaired\n")
        self.assertIn("What was there is kept as harden/token-lookup/lookup.cpp.", self.words(self.harden("--new")))
        kept = list(self.broken.parent.glob("*.bak"))
        self.assertEqual([file.read_text() for file in kept], ["// half repaired\n"])
        self.assertNotEqual(self.broken.read_text(), "// half repaired\n")

    def test_a_folder_that_was_deleted_comes_back(self):
        self.accept()
        self.harden()
        text = self.broken.read_text()
        shutil.rmtree(self.broken.parent)
        done = self.run_engine("submit-fix", "token-lookup", expect=2)
        self.assertIn("harden/token-lookup/lookup.cpp does not exist", done.stderr)
        self.harden()
        self.assertEqual(self.broken.read_text(), text)

    def test_a_repair_that_does_not_compile_and_one_that_is_another_program(self):
        self.accept()
        self.harden()
        self.broken.write_text("not C++\n")
        done = self.run_engine("submit-fix", "token-lookup", expect=1)
        self.assertIn("harden/token-lookup/lookup.cpp:1:", done.stdout)
        shutil.copy(SOURCE / "problems/token-lookup/accepted/algorithms.cpp", self.broken)
        self.run_engine("submit-fix", "token-lookup", expect=0)  # right is right

    def test_a_program_that_is_not_right_any_more_gets_a_known_mistake(self):
        self.accept()
        shutil.copy(WRONG, self.lookup)
        done = self.harden()
        self.assertIn("does not pass the visible tests any more, so this one is from the course", done.stderr)
        self.assertTrue(self.broken.exists())

    def test_a_program_that_is_gone_gets_a_known_mistake(self):
        self.accept()
        self.lookup.unlink()
        self.assertIn("does not exist", self.harden().stderr)
        self.assertTrue(self.broken.exists())

    def test_nothing_to_repair_is_said(self):
        done = self.run_engine("submit-fix", "token-lookup", expect=2)
        self.assertIn("there is nothing to repair: harden/token-lookup/lookup.cpp does not exist", done.stderr)

    def test_a_repair_that_nobody_asked_for_reaches_no_stage(self):
        self.run_engine("submit-fix", "token-lookup", "--from", ACCEPTED, expect=0)
        self.assertEqual(self.stages(), [])

    def test_known_and_from_exclude_each_other(self):
        self.harden("--known", "--from", ACCEPTED, expect=2)

    def test_a_folder_that_cannot_be_written_loses_nothing(self):
        self.accept()
        (self.folder / "harden").write_text("a file\n")
        done = self.harden(expect=4)
        self.assertIn("cannot write", done.stderr)
        (self.folder / "harden").unlink()
        self.harden()
        self.assertTrue(self.broken.exists())


GOOD_TEST = """#include "token-lookup/contract.h"

#undef NDEBUG
#include <cassert>
#include <vector>

int main() {
    using namespace exercise;
    const std::vector<float> table{0, 1, 9, 10, 11, 9, 20, 21, 9};
    std::vector<float> out(9, -7);
    const std::vector<TokenId> ids{2, 0, 2};
    assert((lookup({table.data(), 3, 2, 3}, ids, {out.data(), 3, 2, 3}) == Status{}));
    const std::vector<float> right{20, 21, -7, 0, 1, -7, 20, 21, -7};
    assert(out == right);
    const std::vector<TokenId> bad{0, 3, -1};
    assert((lookup({table.data(), 3, 2, 3}, bad, {out.data(), 3, 2, 3}) == Status::id_out_of_range(1, 3, 3)));
    assert(out == right);
    assert((lookup({table.data(), 3, 2, 3}, ids, {out.data(), 2, 2, 3}).code == Code::shape_mismatch));
}
"""


class WriteTest(Workspace):
    def setUp(self):
        super().setUp()
        shutil.copy(ACCEPTED, self.lookup)
        self.run_engine("submit-build", "token-lookup", "--no-questions", expect=0)
        self.test = self.folder / "harden/token-lookup/test.cpp"

    def try_test(self, text, expect):
        self.test.parent.mkdir(parents=True, exist_ok=True)
        self.test.write_text(text)
        done = self.run_engine("harden", "token-lookup", "--write-test", expect=expect)
        return " ".join(done.stdout.split())

    def stages(self):
        with sqlite3.connect(self.database) as database:
            return [stage for stage, in database.execute("SELECT stage FROM stage ORDER BY stage")]

    def test_a_test_that_finds_most_mistakes_reaches_the_stage(self):
        out = self.try_test(GOOD_TEST, expect=0)
        self.assertRegex(out, r"Your test finds (1[4-9]|2\d) of \d+ mistakes, and fails no right program.")
        self.assertIn("It does not find, among others:", out)
        self.assertEqual(self.stages(), ["build", "harden"])

    def test_one_to_begin_with_is_made_and_finds_nothing(self):
        done = self.run_engine("harden", "token-lookup", "--write-test", expect=0)
        self.assertIn("harden/token-lookup/test.cpp is new", " ".join(done.stdout.split()))
        self.assertIn("Your test finds 0 of", self.try_test(self.test.read_text(), expect=1))
        self.assertEqual(self.stages(), ["build"])

    def test_a_test_that_fails_a_right_program_finds_nothing(self):
        out = self.try_test(GOOD_TEST.replace("== right", "!= right"), expect=1)
        self.assertIn("Your test fails a right program", out)
        self.assertIn("Assertion", out)
        self.assertEqual(self.stages(), ["build"])

    def test_a_test_that_does_not_compile_is_told_with_its_place(self):
        out = self.try_test("int main() { return lookup; }\n", expect=1)
        self.assertIn("Your test does not compile.", out)
        self.assertIn("harden/token-lookup/test.cpp:1:", out)

    def test_a_test_cannot_read_what_it_tests(self):
        # The first is the starter, which any program may read; a line of the reference shows what was read.
        self.assertIn("id_out_of_range", (SOURCE / "reference/token-lookup/lookup.cpp").read_text())
        for name, found in (("lookup.cpp", True), ("./lookup.cpp.o", False), ("worker", False)):
            with self.subTest(name):
                out = self.try_test(f'''#include <cstdio>
asm(".globl text\\ntext: .incbin \\"{name}\\"\\n.byte 0");
extern "C" const char text[];
int main() {{ std::puts(text); return 1; }}
''', expect=1)
                self.assertIn("fails a right program" if found else "Your test does not compile.", out)
                self.assertNotIn("id_out_of_range", out)


if __name__ == "__main__":
    main()
