"""All words that a learner may read name only commands and problems that there are."""

import json
import re
import shutil

from support import ACCEPTED, ENGINE, SOURCE, WRONG, Workspace, main

CURRICULUM = json.loads((SOURCE / "problems/curriculum.json").read_text())["problems"]
OF_THE_CLONE = {"selftest", "packages"}  # the wrapper's own

# In a code span, in a block of code, and in a string of the program: "engine test", `./engine test`.
IN_CODE = re.compile(r"(?:`|^ {4}|^)(?:\$ )?(?:\./)?engine ([a-z][a-z-]*)", re.MULTILINE)
IN_PROGRAM = re.compile(r"call_?\(?\)?\(\"([a-z][a-z-]*)")
BOLD_NAME = re.compile(r"\*\*([a-z0-9]+(?:-[a-z0-9]+)+)\*\*")


def fenced(text):
    return "\n".join(re.findall(r"```(?:sh|bash|console)?\n(.*?)```", text, re.DOTALL))


class Words(Workspace):
    def commands(self):
        out = self.run_engine("help", expect=0).stdout
        known = set(re.findall(r"(?m)^  ([a-z][a-z-]*) +\S", out.split("Subcommands:")[1]))
        self.assertLessEqual({"test", "watch", "next", "submit-build"}, known)
        return known | OF_THE_CLONE | {"manual"}

    def assert_commands(self, named, where):
        unknown = set(named) - self.known
        self.assertEqual(unknown, set(), f"{where} names commands that do not exist")

    def setUp(self):
        super().setUp()
        self.known = self.commands()

    def test_a_command_that_does_not_exist_would_be_found(self):
        for text in ("`engine polish`", "`./engine polish token-lookup`", "    engine polish"):
            self.assertEqual(IN_CODE.findall(text), ["polish"])
            with self.assertRaises(AssertionError):
                self.assert_commands(IN_CODE.findall(text), text)
        self.assertEqual(IN_PROGRAM.findall('context.call()("polish " + id)'), ["polish"])
        self.assertEqual(IN_CODE.findall("The engine compiles it."), [])

    def test_pages_and_problems_name_commands_that_there_are(self):
        files = [SOURCE / "README.md", *SOURCE.glob("docs/*.md"), *SOURCE.glob("problems/*/*.md"),
                 *SOURCE.glob("problems/*/*.json"), *SOURCE.glob("problems/*/mistakes/*.diff"),
                 *SOURCE.glob("exercises/*/*")]
        self.assertGreater(len(files), 100)
        for file in files:
            if file.is_file():
                text = file.read_text()
                named = re.findall(r"`(?:\./)?engine ([a-z][a-z-]*)", text) + IN_CODE.findall(fenced(text))
                self.assert_commands(named, file.relative_to(SOURCE))

    def test_the_program_names_commands_that_there_are(self):
        found = 0
        for file in (*SOURCE.glob("app/**/*.cpp"), *SOURCE.glob("validator/**/*.cpp")):
            named = IN_PROGRAM.findall(file.read_text())
            found += len(named)
            self.assert_commands(named, file.relative_to(SOURCE))
        self.assertGreater(found, 20)

    def test_problems_name_problems_that_there_are(self):
        found = 0
        for file in (*SOURCE.glob("problems/*/*.md"), *SOURCE.glob("problems/*/questions.json")):
            named = BOLD_NAME.findall(file.read_text())
            found += len(named)
            self.assertLessEqual(set(named), set(CURRICULUM), f"{file} names problems that do not exist")
        self.assertGreater(found, 10)

    def test_what_is_printed_names_commands_and_problems_that_there_are(self):
        shutil.copy(ACCEPTED, self.lookup)
        runs = ([], ["list"], ["status"], ["hint"], ["hint", "9"], ["hint", "token-lookup", "4"], ["next"], ["test"],
                ["test", "--from", WRONG], ["submit-build"], [], ["status"], ["submit-justification"], ["next"],
                ["solution", "dropout"], ["select", "dropout"], ["reset", "dropout"], ["test", "8"], ["tset"],
                ["test", "--sed"], ["show", "no-such"], ["help", "tset"], ["init", "w"], ["doctor"])
        for arguments in runs:
            with self.subTest(arguments):
                done = self.run_engine(*arguments)
                text = " ".join((done.stdout + done.stderr).split())
                for words in re.findall(re.escape(str(ENGINE)) + r" ([a-z][a-z-]*)((?: [a-z0-9-]+)?)", text):
                    self.assertIn(words[0], self.known, text)
                    id = words[1].strip()
                    if "-" in id.strip("-") and not id.startswith("-"):
                        self.assertIn(id, CURRICULUM, text)


if __name__ == "__main__":
    main()
