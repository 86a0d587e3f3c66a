"""What the texts have in common with which byte-pair-encoding fails."""

import json

from support import SOURCE, Workspace, main

ENDING = "if (as_string(text.subspan(at)).starts_with(ending)) return at + ending.size();"


class Texts(Workspace):
    def says(self, instead):
        base = (SOURCE / "problems/byte-pair-encoding/accepted/hash-tables.cpp").read_text()
        self.assertIn(ENDING, base)
        file = self.folder / "tokenizer.cpp"
        file.write_text(base.replace(ENDING, instead))
        done = self.run_engine("submit-build", "byte-pair-encoding", "--from", file, "--format", "json", "--seed", 3,
                               "--no-questions", expect=1)
        return {each["function"]: each["says"] for each in json.loads(done.stdout)["failing_calls"]}

    def test_what_stands_where_is_said(self):
        behind_something = "if (at > 0 && text[at - 1] != '\\n') " + ENDING
        self.assertEqual(self.says(behind_something)["split"],
                         "only if `text` begins with an ending like 's, or if `text` has a tab or a line end "
                         "before an ending like 's")

    def test_what_has_nothing_to_do_with_the_text_is_not(self):
        now_and_then = "static unsigned calls = 0; if (++calls % 997 == 0) return text.size(); " + ENDING
        self.assertNotIn("`text`", self.says("{ " + now_and_then + " }").get("split", ""))


if __name__ == "__main__":
    main()
