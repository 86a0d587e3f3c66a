"""Links in a workspace, which may have come with a clone or an archive: no command writes through one."""

import shutil

from support import ACCEPTED, Workspace, main


class Links(Workspace):
    def setUp(self):
        super().setUp()
        self.outside = self.temporary_folder()
        (self.outside / "theirs").write_text("theirs\n")

    def link(self, name, target=None):
        """What has the name in the workspace is a link from now on, to a copy of what it was or to `target`."""
        path = self.folder / name
        if path.is_dir():
            shutil.copytree(path, self.outside, dirs_exist_ok=True)
            shutil.rmtree(path)
        elif path.exists():
            path.unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target or self.outside)
        return path

    def contents(self):
        return {file.relative_to(self.outside): file.read_bytes() if file.is_file() else None
                for file in self.outside.rglob("*")}

    def refused(self, link, *command, expect=2):
        """The command names the link and what to do, and nothing is written where it leads."""
        before = self.contents()
        done = self.run_engine(*command, expect=expect)
        self.assertEqual(self.contents(), before)
        self.assertTrue(link.is_symlink())
        if expect == 2:
            self.assertIn("is a symbolic link, and the engine follows no link below " + str(self.folder), done.stderr)
            self.assertIn("put the file or folder itself there", done.stderr)
        return done

    def accept(self):
        shutil.copy(ACCEPTED, self.lookup)
        self.run_engine("submit-build", "token-lookup", "--no-questions", expect=0)

    def test_try(self):
        self.refused(self.link("try"), "try", "token-lookup")

    def test_a_program_of_try_that_is_a_link(self):
        link = self.link("try/token-lookup.cpp", self.outside / "theirs")
        self.assertIn("it is a symbolic link", self.run_engine("try", "token-lookup", expect=2).stderr)
        self.assertTrue(link.is_symlink())

    def test_visualize(self):
        shutil.copy(ACCEPTED, self.lookup)
        self.refused(self.link("pictures"), "visualize", "token-lookup")

    def test_visualize_with_a_page_that_is_a_link(self):
        shutil.copy(ACCEPTED, self.lookup)
        self.refused(self.link("pictures/token-lookup.html", self.outside / "theirs"), "visualize", "token-lookup")
        self.refused(self.link("pictures/token-lookup.html", self.outside / "new"), "visualize", "token-lookup")

    def test_harden_and_submit_fix(self):
        self.accept()
        link = self.link("harden")
        self.refused(link, "harden", "token-lookup", "--known")
        self.refused(link, "harden", "token-lookup", "--write-test")
        link.unlink()
        (self.folder / "harden").mkdir()
        link = self.link("harden/token-lookup")
        self.refused(link, "harden", "token-lookup", "--known", "--new")
        shutil.copy(ACCEPTED, self.outside / "lookup.cpp")
        self.refused(link, "submit-fix", "token-lookup")

    def test_harden_with_a_file_that_is_a_link(self):
        self.accept()
        self.refused(self.link("harden/token-lookup/symptom.txt", self.outside / "theirs"), "harden", "token-lookup",
                     "--known")

    def test_init(self):
        link = self.link("exercises")
        (self.outside / "token-lookup/lookup.cpp").unlink()
        self.refused(link, "init", ".")

    def test_init_with_the_folder_of_an_editor(self):
        self.refused(self.link(".vscode"), "init", ".")

    def test_init_leaves_a_file_that_is_a_link_as_it_is(self):
        link = self.link("README.md", self.outside / "theirs")
        self.refused(link, "init", ".", expect=0)

    def test_reset(self):
        self.link("exercises/token-lookup")
        self.refused(self.folder / "exercises/token-lookup", "reset", "token-lookup")

    def test_progress_is_not_kept_behind_a_link_and_a_verdict_is_given(self):
        link = self.link(".engine")
        done = self.refused(link, "test", "token-lookup", "--from", ACCEPTED, "--record", expect=0)
        self.assertEqual(done.stderr.count("your progress will not be kept"), 1, done.stderr)
        self.assertIn(f"{link} is a symbolic link", done.stderr)
        done = self.refused(link, "select", "dropout", expect=0)
        self.assertIn("your place is not kept", done.stderr)
        self.refused(link, "init", ".")

    def test_a_workspace_that_a_link_leads_to_is_written(self):
        link = self.outside / "w"
        link.symlink_to(self.folder)
        shutil.copy(ACCEPTED, self.lookup)
        for command in (("init", "."), ("reset", "dropout"), ("select", "dropout"), ("visualize", "token-lookup"),
                        ("submit-build", "token-lookup", "--no-questions"), ("harden", "token-lookup", "--known"),
                        ("harden", "token-lookup", "--write-test")):
            with self.subTest(command):
                self.run_engine(*command, cwd=link, expect=0)
        for name in ("README.md", "pictures/token-lookup.html", "harden/token-lookup/test.cpp", ".engine/selected"):
            self.assertTrue((self.folder / name).is_file(), name)


if __name__ == "__main__":
    main()
