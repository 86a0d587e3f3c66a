"""Several engines at once: on one workspace, on one cache."""

import json

from support import ACCEPTED, WRONG, Workspace, main


class Sharing(Workspace):
    def finish(self, running, codes):
        """Waits for all; each must end with its code."""
        results = []
        for each, code in zip(running, codes, strict=True):
            out, err = each.communicate(timeout=300)
            self.assertEqual(each.returncode, code, f"{out}\n{err}")
            results.append(out)
        return results

    def test_two_engines_on_one_workspace_record_two_attempts(self):
        running = [self.start_engine("test", "token-lookup", "--from", file, "--record", "--format", "json")
                   for file in (ACCEPTED, WRONG)]
        reports = [json.loads(out) for out in self.finish(running, [0, 1])]
        self.assertEqual({report["attempt"] for report in reports}, {1, 2})
        self.assertIn("2 attempts", self.attempts())

    def test_two_reports_into_one_file_leave_one_whole_report(self):
        running = [self.start_engine("test", "token-lookup", "--from", file, "--format", "json", "--output", "r.json")
                   for file in (ACCEPTED, WRONG)]
        self.finish(running, [0, 1])
        self.assertIn(json.loads((self.folder / "r.json").read_text())["verdict"], ("accepted", "wrong_answer"))
        self.assertEqual(list(self.folder.glob(".r.json*")), [])

    def test_eight_engines_share_a_fresh_cache(self):
        fresh = self.temporary_folder()
        running = []
        for number in range(8):
            file = self.folder / f"{number}.cpp"
            # Four pairs of the same text: both build it, or one finds what the other built.
            file.write_text((WRONG if number % 2 else ACCEPTED).read_text() + f"// {number // 4}\n")
            running.append(self.start_engine("test", "token-lookup", "--from", file, "--record",
                                             environment={"XDG_CACHE_HOME": str(fresh)}))
        self.finish(running, [0, 1] * 4)
        entries = list((fresh / "engine").glob("*.worker"))
        self.assertEqual(len(entries), 4)
        self.assertEqual([path.name for path in (fresh / "engine").iterdir()
                          if path.name.startswith(("scratch-", "new-"))], [])
        self.assertIn("8 attempts", self.attempts())


if __name__ == "__main__":
    main()
