"""try --vocabulary: the learner's tokenizer with a vocabulary in GPT-2's files, or tiktoken's."""

import json
import os
import pathlib
import re
import unittest

from small_vocabulary import SPECIAL, Numbered, Vocabulary
from support import SOURCE, Workspace, main, mistakes

ASCII = ("they're, we'll, I'd, it's, don't, I'm, you've; 'S and don 't", "3.14159, 1000000 and 2^53 + 1",
         "Implementations", "This is some text")
SMALL = Vocabulary((SOURCE / "README.md").read_text(), 200)


class WithVocabulary(Workspace):
    def setUp(self):
        super().setUp()
        self.files = self.folder / "small"
        SMALL.write(self.files)
        self.right = SOURCE / "reference/byte-pair-encoding/tokenizer.cpp"

    def attempt(self, vocabulary, source=None, expect=0):
        return self.run_engine("try", "byte-pair-encoding", "--vocabulary", vocabulary, "--from", source or self.right,
                               expect=expect)


class TryVocabulary(WithVocabulary):
    def ids(self, out, text):
        line = next(line for line in out.splitlines() if line.startswith(f'  "{text[:40]}'))
        return [int(word) for word in re.sub(r'^  ".*"( \(\d+ bytes\))?  ', "", line).split(" ...")[0].split()]

    def test_both_forms_give_the_ids_that_another_program_gives(self):
        two, one = self.attempt(self.files), self.attempt(self.files / "small.tiktoken")
        self.assertIn("457 tokens: 256 bytes, 200 merges, 1 special token\n", two.stdout)
        self.assertIn("456 tokens: 256 bytes, 200 merges, 0 special tokens\n", one.stdout)
        for text in ASCII:
            want = SMALL.encode(text)
            self.assertGreater(len(text), len(want))  # merges were made
            for out in (two.stdout, one.stdout):
                self.assertEqual(self.ids(out, text), want[:12], text)
        self.assertIn(f'  "before{SPECIAL}{SPECIAL} after"  ', two.stdout)
        self.assertEqual(self.ids(two.stdout, f"before{SPECIAL}").count(456), 2)
        for out, count in ((two.stdout, 15), (one.stdout, 14)):
            self.assertIn(f"{count} of {count} texts have the ids", " ".join(out.split()))

    def test_gpt_2s_own_is_told_from_others_by_the_published_ids(self):
        # Those of the book's second chapter; "ier" comes before " is", so that GPT-2's ranks are kept where they matter.
        published = {"ier": 959, "ir": 343, "Ak": 33901, "w": 86, " ": 220, "Hello": 15496, ",": 11, "Im": 3546,
                     "plement": 26908, "ations": 602, "This": 1212, " is": 318, " some": 617, " text": 2420}
        for wanted, is_gpt_2 in ((published, True), (published | {" text": 2421}, False)):
            Numbered(wanted).write(self.files)
            out = self.attempt(self.files).stdout
            self.assertEqual(self.ids(out, "Akwirw ier"), [33901, 86, 343, 86, 220, 959])
            self.assertEqual("; GPT-2's own" in out, is_gpt_2)
        self.assertNotIn("GPT-2's own", self.attempt(self.files / "small.tiktoken").stdout)

    @unittest.skipUnless("GPT2_VOCABULARY" in os.environ, "GPT2_VOCABULARY does not say where GPT-2's files are")
    def test_gpt_2s_files_give_the_published_ids(self):
        out = self.attempt(pathlib.Path(os.environ["GPT2_VOCABULARY"])).stdout
        self.assertIn("GPT-2's own", out)
        self.assertEqual(self.ids(out, "Akwirw ier"), [33901, 86, 343, 86, 220, 959])

    def test_a_tokenizer_that_is_wrong_is_shown_where(self):
        for name in ("the-longest-token-first", "from-left-to-right", "special-tokens-are-split"):
            _, text = mistakes.program(SOURCE / f"problems/byte-pair-encoding/mistakes/{name}.diff", SOURCE)
            wrong = self.folder / "wrong.cpp"
            wrong.write_text(text)
            with self.subTest(name):
                out = self.attempt(self.files, wrong, expect=1).stdout
                self.assertRegex(out, r"differs from token \d+ on\n    yours       [\d ]+")
        wrong.write_text(self.right.read_text().replace(
            "make(std::span<const Merge> merges, Bytes specials, Ends ends) {",
            "make(std::span<const Merge> merges, Bytes specials, Ends ends) {\n    return nullptr;"))
        self.assertIn("your validate refuses", " ".join(self.attempt(self.files, wrong, expect=1).stdout.split()))
        wrong.write_text("no C++")
        self.assertIn("does not compile", self.attempt(self.files, wrong, expect=1).stdout)

    def test_it_is_for_tokenizers(self):
        done = self.run_engine("try", "token-lookup", "--vocabulary", self.files, expect=2)
        self.assertIn("takes no --vocabulary", done.stderr)
        for more in (("rows.cpp",), ("--demo", "which-words")):
            done = self.run_engine("try", "byte-pair-encoding", *more, "--vocabulary", self.files, expect=2)
            self.assertIn("excludes --vocabulary", done.stderr)


class BadFiles(WithVocabulary):
    def refused(self, name, text, words):
        vocabulary = self.files / name if name.endswith("tiktoken") else self.files
        file = self.files / name
        whole = file.read_bytes()
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        done = self.attempt(vocabulary, expect=2)
        self.assertIn(words, " ".join(done.stderr.split()))
        self.assertEqual(done.stdout, "")
        file.write_bytes(whole)

    def test_merges(self):
        lines = SMALL.bpe().splitlines(keepends=True)
        self.refused("vocab.bpe", "", "vocab.bpe: has no merges")
        self.refused("vocab.bpe", "".join(lines[:50]) + lines[50].split()[0], "vocab.bpe:51: is not a merge")
        self.refused("vocab.bpe", "".join(lines[:1] + lines[150:]), "which no line before makes")
        self.refused("vocab.bpe", "".join(lines + lines[3:4]), "vocab.bpe:202: makes")
        self.refused("vocab.bpe", bytes(range(256)) * 8, "vocab.bpe:1: ")
        self.refused("vocab.bpe", "a b\n\u4e2d c\n", "vocab.bpe:2: has a character that does not stand for a byte")
        self.refused("vocab.bpe", b" " * (5 << 20), "larger than 4 MiB")
        self.refused("vocab.bpe", "".join(lines[:20]), "does not make, such as")

    def test_numbers(self):
        numbers = SMALL.numbers()
        some = next(iter(numbers))
        for change, words in (({some: 500}, "is 500; those of 457 tokens are 0 to 456"),
                              ({some: -1}, "is -1"), ({some: 1.5}, "is 1.5"), ({some: "0"}, 'is "0"'),
                              ({some: 7}, "have the number 7")):
            self.refused("encoder.json", json.dumps(numbers | change), words)
        fewer = {token: n for token, n in numbers.items() if n != 300}
        self.refused("encoder.json", json.dumps({token: n - (n > 300) for token, n in fewer.items()}),
                     "has no number for ")
        whole = json.dumps(numbers)
        self.refused("encoder.json", whole[:1000], "encoder.json: line 1, column ")
        self.refused("encoder.json", whole[:-1] + ', "!": 0}', "is given twice")
        self.refused("encoder.json", "[" * 100_000, "nested too deep")
        for text in ("", "[]", "{}", "7"):
            self.refused("encoder.json", text, "encoder.json: ")

    def test_ranks(self):
        lines = SMALL.tiktoken().splitlines(keepends=True)
        name = "small.tiktoken"
        self.refused(name, "", "small.tiktoken: is empty")
        self.refused(name, "".join(lines[:300]) + lines[300][:4], "small.tiktoken:301: is not a token")
        self.refused(name, "".join(lines[:300]) + "!!!! 300\n", "small.tiktoken:301: is not a token")
        self.refused(name, "".join(lines[:300]) + lines[299], "small.tiktoken:301: has the number 299, as line 300 has")
        self.refused(name, "".join(lines[:300]) + "AAAA 99999999999999999999\n", "small.tiktoken:301: is not a token")
        self.refused(name, "".join(lines[:300]) + "AAAA 1000\n", "has the number 1000; those of 301 tokens")
        self.refused(name, "".join(lines[:256]) + lines[300].split()[0] + " 256\n" + "eHl6eHl6 257\n",
                     "that no two of lower rank make")
        self.refused(name, "".join(lines[:100]), "has no token for the byte")
        self.refused(name, "".join(lines[:256]), "has no token of more than one byte")
        self.refused(name, bytes(range(256)), "small.tiktoken:1: is not a token")

    def test_what_is_not_there(self):
        for path in (self.files / "none.tiktoken", self.folder / "exercises", "/dev/zero"):
            self.assertIn("cannot read the vocabulary", " ".join(self.attempt(path, expect=2).stderr.split()))


if __name__ == "__main__":
    main()
