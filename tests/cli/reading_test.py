"""What a learner reads between two runs: the task, hints, the list, how far one has come."""

import json
import os
import re
import shutil
import xml.etree.ElementTree

from screen import Screen
from support import ACCEPTED, ENGINE, PROBLEMS, SOURCE, WRONG, Workspace, main


class Task(Workspace):
    def show(self, *arguments, **more):
        return self.run_engine("show", "token-lookup", *arguments, **{"expect": 0, **more}).stdout

    def test_task_and_example_come_first_and_nothing_is_lost(self):
        out = self.show()
        places = [out.index("\n" + title + "\n") for title in
                  ("Your task", "Worked example", "Your file", "Why it matters", "Background", "Shapes", "Pitfalls",
                   "What comes next", "What you will be able to do", "Tests", "Limits", "Read more")]
        self.assertEqual(places, sorted(places))
        self.assertTrue(out.startswith("Six rows, three columns\n"))

    def test_the_task_alone_and_one_section(self):
        out = self.show("--task")
        self.assertIn("Worked example", out)
        self.assertIn("exercises/token-lookup/lookup.cpp", out)
        self.assertNotIn("Background", out)
        pitfalls = self.show("--section", "pitf")
        self.assertTrue(pitfalls.startswith("Pitfalls\n"))
        self.assertNotIn("Testing tips", pitfalls)
        error = self.run_engine("show", "token-lookup", "--section", "pitfals", expect=2).stderr
        self.assertIn("did you mean 'Pitfalls'?", error)
        self.assertIn("It has: Your task, Worked example, Your file,", error)
        self.run_engine("show", "token-lookup", "--task", "--section", "Pitfalls", expect=2)

    def test_the_fine_print_is_named_and_shown_on_demand(self):
        out = " ".join(self.show().split())
        self.assertIn("show token-lookup --section fine", out)
        self.assertNotIn("Instruction sets", out)
        fine_print = self.show("--section", "fine")
        self.assertIn("Instruction sets", fine_print)
        self.assertIn("token-lookup", fine_print)
        self.assertNotIn("gather-any-shape", fine_print)

    def test_every_problem_has_its_contract_and_its_part_of_the_fine_print(self):
        titles = re.findall("(?m)^## (.*)$", (SOURCE / "docs/fine-print.md").read_text())
        problems = json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]
        self.assertEqual(titles, ["All problems", *problems])
        for problem in problems:
            contract = (SOURCE / "exercises" / problem / "contract.h").read_text()
            self.assertRegex(contract.splitlines()[-1], r"^// Rules of all problems: common/rules\.h.*"
                                                        r" Fine print: docs/fine-print\.md\.$", problem)

    def test_contracts_and_rules_are_short(self):
        self.assertLessEqual(len((SOURCE / "exercises/common/rules.h").read_text().split()), 250)
        for contract in SOURCE.glob("exercises/*/contract.h"):
            # Without comments of fields, formulas, tables and examples, which are indented.
            sentences = re.findall(r"(?m)^ *//(?!/?<)(?!/? {5})/?(.*)$", contract.read_text())
            words = re.findall("[A-Za-z][A-Za-z'-]*", re.sub("`[^`]*`", "", "\n".join(sentences)))
            self.assertLessEqual(len(words), 600 if contract.parent.name == "input-embedding" else 500, contract)

    def test_statements_end_with_a_sentence_to_remember(self):
        for statement in SOURCE.glob("problems/*/statement.md"):
            last = statement.read_text().rstrip().split("\n\n")[-1]
            self.assertRegex(last, r"^\*\*Remember:\*\* [^.]+\.$", statement)

    def test_task_and_example_fit_on_one_screen(self):
        # The six parts of one, and seven functions with a matrix product in the other, need more lines.
        longer = {"input-embedding": 30, "one-hot-equivalence": 30}
        for problem in json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]:
            out = self.run_engine("show", problem, "--task", program="engine", expect=0,
                                  environment={"COLUMNS": "80", "PATH": f"{ENGINE.parent}:{os.environ['PATH']}"}).stdout
            first, file = out.split("\nYour file\n")
            lines = first.splitlines()
            self.assertLessEqual(len(lines), longer.get(problem, 24), problem)
            self.assertLessEqual(max(map(len, lines)), 80, problem)
            self.assertLessEqual(len(file.strip().splitlines()), 2 + 3, "rule, blank line and prose of " + problem)

    def test_every_statement_begins_with_its_task(self):
        for problem in json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]:
            out = self.run_engine("show", problem, "--task", expect=0).stdout
            self.assertIn("\nYour task\n", out, problem)
            self.assertLess(out.index("\nYour task\n"), 250, problem)


class Hints(Workspace):
    def test_a_hint_that_was_seen_comes_again_and_the_ladder_is_climbed_in_order(self):
        self.assertIn("You have not seen a hint of first-row yet", self.run_engine("hint", "--all", expect=0).stdout)
        first = self.run_engine("hint", expect=0).stdout
        self.assertIn("hints come one after another; the next one is number 2",
                      self.run_engine("hint", "3", expect=2).stderr)
        second = self.run_engine("hint", "2", expect=0).stdout
        self.assertIn("hint 2 of 4", second)
        self.assertEqual(self.run_engine("hint", "first-row", "1", expect=0).stdout, first)
        self.assertIn("hint 3 of 4", self.run_engine("hint", expect=0).stdout)
        both = self.run_engine("hint", "--all", expect=0).stdout
        for number in (1, 2, 3):
            self.assertIn(f"hint {number} of 4", both)
        self.assertNotIn("hint 4 of 4", both)

    def test_numbers_that_are_none_are_told(self):
        self.assertIn("has 4 hints, so there is no number 9", self.run_engine("hint", "9", expect=2).stderr)
        self.assertIn("a hint has a number from 1 up, not 'x'",
                      self.run_engine("hint", "dropout", "x", expect=2).stderr)
        self.assertIn("there is no problem called '0'", self.run_engine("hint", "0", expect=2).stderr)


class Progress(Workspace):
    def test_parts_are_counted_as_they_come(self):
        out = self.run_engine("list", expect=0).stdout
        self.assertEqual(re.findall(r"(?m)^Part .*$", out),
                         ["Part 1, the embedding layer", "Part 2, from text to meaning", "Part 3, CUDA"])

    def test_status_has_a_bar_the_problems_tried_and_concepts_by_stage(self):
        self.assertNotIn("Concepts", self.run_engine("status", expect=0).stdout)
        self.run_engine("select", "token-lookup", expect=0)
        self.run_engine("hint", expect=0)
        shutil.copy(ACCEPTED, self.lookup)
        self.run_engine("submit-build", expect=0)
        out = self.run_engine("status", expect=0).stdout
        self.assertTrue(out.startswith(f"█░░░░░░░░░░░░░░░░░░░ 1 of {len(PROBLEMS)} problems accepted\n"), out)
        self.assertIn("token-lookup: accepted, best 20 of 20 points, 1 attempt, 1 hint", out)
        flat = " ".join(out.split())
        self.assertRegex(flat, r"Concepts, 5 of \d+: built: [^:]*embedding table")
        self.assertNotIn("justified:", flat)
        self.assertIn("You are at token-lookup. Next:", flat)
        self.assertNotIn("█", self.run_engine("status", "--plain", expect=0).stdout)


class OnScreen(Screen):
    def test_the_readme_shows_the_screens_as_they_are(self):
        for name, source, command in (("wrong-answer", WRONG, ["test", "token-lookup"]),
                                      ("accepted", ACCEPTED, ["submit-build", "token-lookup", "--no-questions"])):
            root = xml.etree.ElementTree.parse(SOURCE / f"docs/screens/{name}.svg").getroot()
            rows = {}
            for text in root.iter("{http://www.w3.org/2000/svg}text"):
                self.assertNotIn(" ", text.text, "browsers collapse ordinary spaces")
                rows[text.get("y")] = rows.get(text.get("y"), "") + text.text.replace("\N{NO-BREAK SPACE}", " ")
            shutil.copy(source, self.lookup)
            self.open(*command, "--seed", "7", rows=60)
            self.wait_for("code ")
            shown = self.lines()
            # How the engine is called, the attempt and the isolation differ from machine to machine.
            wanted = [row.rstrip() for row in rows.values() if not re.search("engine|attempt|seed", row)]
            self.assertGreater(len(wanted), 3)
            self.assertEqual([row for row in wanted if row not in shown], [], "run docs/screens/make.py again")

    def test_a_page_that_does_not_fit_is_paged_and_one_that_fits_is_not(self):
        self.open("show", "token-lookup", environment={"PAGER": "less"})
        self.wait_for("Your task")
        self.assertNotIn("code 0", self.screen())
        self.press("q")
        self.wait_for_end(0)
        self.open("show", "token-lookup", "--section", "Limits", environment={"PAGER": "less"})
        self.wait_for_end(0)

    def test_without_a_pager_it_is_printed(self):
        for pager in ("", "no-such-pager"):
            self.open("show", "token-lookup", environment={"PAGER": pager})
            self.wait_for_end(0)
            self.assertIn("Read more", self.screen(with_history=True))


if __name__ == "__main__":
    main()
