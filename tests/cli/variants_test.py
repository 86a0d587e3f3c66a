"""Accepted variants open in an editor where they are kept, each without an error: the .clangd of their problem serves them."""

from clangd import PROBLEMS, Clangd
from support import SOURCE, main


class Variants(Clangd):
    def test_every_accepted_variant_opens_where_it_is_kept(self):
        accepted = [(SOURCE / "problems" / problem / "accepted").iterdir() for problem in PROBLEMS]
        self.assert_no_errors(file for files in accepted for file in files)


if __name__ == "__main__":
    main()
