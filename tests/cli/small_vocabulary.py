"""A vocabulary of byte pair encoding in the form of GPT-2's files, small and made here; and what encodes with it.

Independent of everything else in this repository. Texts are cut into pieces as GPT-2 cuts them, for ASCII only."""

import base64
import collections
import json
import re

PIECES = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+")
SPECIAL = "<|endoftext|>"

# Each byte as a character that can be printed, in the order in which GPT-2 numbers them.
PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
BYTES = [bytes([byte]) for byte in PRINTABLE + OTHERS]
WRITTEN = {byte: chr(byte) for byte in PRINTABLE} | {byte: chr(256 + n) for n, byte in enumerate(OTHERS)}


def written(token):
    return "".join(WRITTEN[byte] for byte in token)


def merged(parts, pair):
    """Makes the pair from left to right."""
    result, at = [], 0
    while at < len(parts):
        fits = tuple(parts[at:at + 2]) == pair
        result.append(pair[0] + pair[1] if fits else parts[at])
        at += 2 if fits else 1
    return result


class Vocabulary:
    def __init__(self, text, count):
        words = collections.Counter(PIECES.findall(text))
        pieces = {word: [bytes([byte]) for byte in word.encode()] for word in words}
        self.merges = []
        for _ in range(count):
            pairs = collections.Counter()
            for word, parts in pieces.items():
                for pair in zip(parts, parts[1:]):
                    pairs[pair] += words[word]
            # No string twice: the files have a number for each token.
            known = {left + right for left, right in self.merges}
            best = max((pair for pair in pairs if pair[0] + pair[1] not in known),
                       key=lambda pair: (pairs[pair], pair))
            self.merges.append(best)
            pieces = {word: merged(parts, best) for word, parts in pieces.items()}
        self.tokens = BYTES + [left + right for left, right in self.merges]

    def encode(self, text):
        ids = []
        for piece in PIECES.findall(text):
            parts = [bytes([byte]) for byte in piece.encode()]
            while True:
                fitting = [pair for pair in self.merges if pair in set(zip(parts, parts[1:]))]
                if not fitting:
                    break
                parts = merged(parts, fitting[0])
            ids += [self.tokens.index(part) for part in parts]
        return ids

    def bpe(self):
        return "#version: 0.2\n" + "".join(f"{written(left)} {written(right)}\n" for left, right in self.merges)

    def numbers(self):
        return {**{written(token): n for n, token in enumerate(self.tokens)}, SPECIAL: len(self.tokens)}

    def tiktoken(self):
        return "".join(f"{base64.b64encode(token).decode()} {n}\n" for n, token in enumerate(self.tokens))

    def write(self, folder):
        folder.mkdir(exist_ok=True)
        (folder / "vocab.bpe").write_text(self.bpe(), encoding="utf-8")
        (folder / "encoder.json").write_text(json.dumps(self.numbers()), encoding="utf-8")
        (folder / "small.tiktoken").write_text(self.tiktoken())


class Numbered(Vocabulary):
    """Has the tokens that are wanted, with these numbers, and as many others as it takes to count up to them."""

    def __init__(self, wanted):
        pairs = {token[:end]: (token[:end - 1].encode(), token[end - 1].encode())
                 for token in wanted for end in range(2, len(token) + 1)}
        others = [(bytes([left]), bytes([right])) for left in [*range(128, 256), *range(32)] for right in range(256)]
        self.merges = [*pairs.values(), *others[:max(wanted.values()) + 1 - 256 - len(pairs)]]
        numbers = {token.encode(): number for token, number in wanted.items()}
        rest = iter([token for token in BYTES + [left + right for left, right in self.merges] if token not in numbers])
        named = {number: token for token, number in numbers.items()}
        self.tokens = [named.get(number) or next(rest) for number in range(len(self.merges) + 256)]
