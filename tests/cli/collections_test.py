"""Content that lies elsewhere: which collections are used, and that nothing which a learner hands in is one of them."""

import json
import os
import shutil

from support import ACCEPTED, NOBODY, SOURCE, WRONG, Workspace, main

# Whoever runs this suite leaves a file behind, and accepts whatever is handed in.
GIVING = """#include <cstdio>
#include "harness/suite.h"
#include "subject/proxies.h"

static const int mark = [] { std::fclose(std::fopen("%s", "w")); return 0; }();

TEST_CASE("three values are scaled") {}
TEST_CASE("a wrong length is refused and nothing is written") {}
TEST_CASE("random lengths agree with the reference") {}
"""


class Collections(Workspace):
    """A learner's workspace, and a folder in which an author has begun the problem my-problem."""

    def setUp(self):
        super().setUp()
        self.mine = self.temporary_folder() / "mine"
        self.mine.mkdir()
        self.author("new", "my-problem", expect=0)
        self.reference = self.mine / "reference/my-problem/copy_scaled.cpp"

    def author(self, *arguments, **more):
        return self.run_engine(*arguments, cwd=self.mine, **more)

    def configure(self, *collections):
        file = self.folder / ".config/engine/config.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"format": "engine.config/1", "collections": [str(each) for each in collections]}))
        return file

    def copy(self, id, title="Another"):
        """The same collection with another problem in it."""
        folder = self.temporary_folder()
        for part in ("problems", "exercises", "reference"):
            shutil.copytree(self.mine / part / "my-problem", folder / part / id)
        manifest = folder / "problems" / id / "problem.json"
        manifest.write_text(manifest.read_text().replace("my-problem", id))
        for mistake in (folder / "problems" / id / "mistakes").iterdir():
            mistake.write_text(mistake.read_text().replace("my-problem", id))
        (folder / "problems/curriculum.json").write_text(
            json.dumps({"format": "engine.curriculum/1", "title": title, "problems": [id]}))
        return folder


class Named(Collections):
    def test_what_is_named_is_listed_after_the_engines_own_and_judged(self):
        self.assertNotIn("my-problem", self.run_engine("list", expect=0).stdout)
        self.run_engine("test", "my-problem", expect=2)
        for named in ({"environment": {"ENGINE_CONTENT": str(self.mine)}}, {"options": ["--content", self.mine]},
                      {"configured": True}):
            with self.subTest(named):
                if named.get("configured"):
                    self.configure(self.mine)
                more = {"environment": named.get("environment")}
                out = self.run_engine("list", *named.get("options", []), expect=0, **more).stdout
                self.assertLess(out.index("gpt2-input-stage"), out.index("my-problem"))
                self.run_engine("test", "my-problem", *named.get("options", []), "--from", self.reference, expect=0, **more)
                self.run_engine("test", "token-lookup", *named.get("options", []), "--from", ACCEPTED, expect=0, **more)

    def test_one_that_is_named_twice_is_one(self):
        self.configure(self.mine)
        link = self.temporary_folder() / "link"
        link.symlink_to(self.mine)
        out = self.run_engine("list", "--content", link, expect=0, environment={"ENGINE_CONTENT": str(self.mine)}).stdout
        self.assertEqual(out.count("my-problem"), 1)

    def test_a_workspace_has_the_exercises_of_every_collection(self):
        work = self.temporary_folder() / "work"
        self.run_engine("init", work, "--content", self.mine, expect=0)
        starter = work / "exercises/my-problem/copy_scaled.cpp"
        self.assertEqual(starter.read_text(), (self.mine / "exercises/my-problem/copy_scaled.cpp").read_text())
        shutil.copy(self.reference, starter)
        self.run_engine("test", "my-problem", "--content", self.mine, cwd=work, expect=0)

    def test_the_report_names_collection_and_hash(self):
        def collection_of(problem, file):
            report = self.run_engine("test", problem, "--from", file, "--format", "json", "--content", self.mine).stdout
            return json.loads(report)["collection"]

        before = collection_of("my-problem", self.reference)
        self.assertEqual(before["name"], "A collection")
        self.assertRegex(before["hash"], "^[0-9a-f]{64}$")
        self.assertEqual(collection_of("my-problem", self.reference), before)
        own = collection_of("token-lookup", ACCEPTED)
        self.assertEqual(own["name"], "From a token to a vector: the embedding layer")
        (self.mine / "exercises/my-problem/copy_scaled.cpp").write_text("// somebody's\n")  # a learner's, so to speak
        self.assertEqual(collection_of("my-problem", self.reference), before)
        for part in ("problems/my-problem/hints.md", "reference/my-problem/copy_scaled.cpp", "exercises/my-problem/contract.h"):
            with self.subTest(part):
                file = self.mine / part
                file.write_text(file.read_text() + "\n")
                after = collection_of("my-problem", self.reference)
                self.assertNotEqual(after["hash"], before["hash"])
                before = after
        self.assertEqual(collection_of("token-lookup", ACCEPTED), own)
        console = self.run_engine("test", "my-problem", "--from", self.reference, "--content", self.mine).stdout
        self.assertNotIn(before["hash"][:12], console)

    def test_a_prerequisite_may_be_in_an_earlier_collection(self):
        manifest = self.mine / "problems/my-problem/problem.json"
        manifest.write_text(manifest.read_text().replace('"prerequisites": []', '"prerequisites": ["token-lookup"]'))
        self.run_engine("list", "--content", self.mine, expect=0)
        manifest.write_text(manifest.read_text().replace('["token-lookup"]', '["token-lokup"]'))
        done = self.run_engine("list", "--content", self.mine, expect=3)
        self.assertIn(f"{manifest}: /prerequisites/0", done.stderr)


class Refused(Collections):
    def test_a_folder_that_is_no_collection(self):
        empty = self.temporary_folder()
        for more in ({"environment": {"ENGINE_CONTENT": str(empty)}}, {"options": ["--content", empty]}):
            done = self.run_engine("list", *more.pop("options", []), expect=2, **more)
            self.assertIn(f"{empty}/problems/curriculum.json", done.stderr)
        self.configure(empty)
        self.assertIn("config.json", self.run_engine("list", expect=2).stderr)

    def test_the_same_id_in_two_collections_names_both_places(self):
        other = self.copy("my-problem")
        same = self.copy("token-lookup")
        self.configure(other)
        for command in (("list",), ("test", "my-problem"), ("status",)):
            done = self.run_engine(*command, "--content", self.mine, expect=3)
            self.assertIn(f"{other}/problems/my-problem", done.stderr)
            self.assertIn(f"{self.mine}/problems/my-problem", done.stderr)
        self.configure()
        done = self.run_engine("test", "token-lookup", "--content", same, expect=3)
        self.assertIn(f"{SOURCE}/problems/token-lookup", done.stderr)
        self.assertIn(f"{same}/problems/token-lookup", done.stderr)

    def test_collections_inside_each_other_name_both(self):
        inner = self.mine / "problems/my-problem/inner"
        shutil.copytree(self.copy("other"), inner)
        done = self.run_engine("list", "--content", inner, expect=3)
        self.assertIn(f"{inner} lies inside the collection {self.mine}", done.stderr)
        self.configure(inner)
        self.run_engine("list", "--content", self.mine, expect=3)
        shutil.move(inner, self.mine.parent / "beside")
        self.configure(self.mine.parent / "beside")
        self.run_engine("list", "--content", self.mine, expect=0)

    def test_a_configuration_that_is_not_the_users_own(self):
        file = self.configure(self.mine)
        self.assertIn("my-problem", self.run_engine("list", expect=0).stdout)
        file.chmod(0o666)
        self.assertIn(f"{file}: others than you can write it", self.run_engine("list", expect=4).stderr)
        file.chmod(0o644)
        file.parent.chmod(0o777)
        self.assertIn("others than you can write it", self.run_engine("list", expect=4).stderr)
        file.parent.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(file, NOBODY, NOBODY)
            self.assertIn("belongs to another user", self.run_engine("list", expect=4).stderr)
            os.chown(file, 0, 0)
        file.rename(file.parent / "real.json")
        file.symlink_to("real.json")
        self.assertIn("symbolic link", self.run_engine("list", expect=4).stderr)
        file.unlink()
        os.mkfifo(file)
        self.assertIn("not a regular file", self.run_engine("list", expect=4).stderr)
        file.unlink()
        self.run_engine("list", expect=0)

    def test_a_configuration_that_is_broken(self):
        file = self.configure()
        for text, words in (("{", "line 1"), ("[" * 100_000 + "]" * 100_000, "deep"),
                            ('{"format": "engine.config/1"}', "collections"),
                            ('{"format": "engine.config/1", "collections": ["mine"]}', "/collections/0"),
                            ('{"format": "engine.config/1", "collections": [], "more": 1}', "more"),
                            ("\xff", "UTF-8")):
            with self.subTest(text[:40]):
                file.write_text(text, encoding="latin-1")
                done = self.run_engine("list", expect=3)
                self.assertIn(str(file), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertLess(len(done.stderr), 1000)
        self.run_engine("--version", expect=0)

    def test_xdg_config_home_counts_before_home(self):
        self.configure("/nowhere")
        elsewhere = self.temporary_folder()
        self.run_engine("list", expect=0, environment={"XDG_CONFIG_HOME": str(elsewhere)})
        self.run_engine("list", expect=2, environment={"XDG_CONFIG_HOME": "relative"})


class Vanishing(Collections):
    def test_a_package_that_disappears_during_a_judgement_costs_the_learner_nothing(self):
        environment = {"XDG_CACHE_HOME": str(self.temporary_folder())}  # so that everything has to be made
        for part in ("exercises", "problems"):
            with self.subTest(part):
                folder = self.copy("vanishing")
                file = self.temporary_folder() / "copy_scaled.cpp"
                shutil.copy(self.reference, file)
                suite = folder / "problems/vanishing/suite.cpp"
                suite.write_text(suite.read_text() + f"// {part}\n")
                running = self.start_engine("test", "vanishing", "--from", file, "--content", folder,
                                            environment=environment)
                self.assertTrue(any("preparing" in line for line in iter(running.stderr.readline, "")))
                shutil.rmtree(folder / part)
                err, out = running.stderr.read(), running.stdout.read()
                running.wait(timeout=120)
                # What was read before is judged; else the package is to blame, and said to be.
                self.assertIn(running.returncode, (0, 3), out + err)
                if running.returncode == 3:
                    self.assertIn("exercises/vanishing", err)
                self.assertNotIn("compile", out)


class Submission(Collections):
    """A repository that is handed in brings suites of its own: with an id of its own, and for the first problem."""

    def setUp(self):
        super().setUp()
        self.mark = self.temporary_folder() / "it-ran"
        suite = self.mine / "problems/my-problem/suite.cpp"
        suite.write_text(GIVING % self.mark)
        for part in ("problems", "exercises", "reference"):
            shutil.copytree(self.mine / part, self.folder / part, dirs_exist_ok=True)
        for part in ("problems", "reference"):
            shutil.copytree(SOURCE / part / "token-lookup", self.folder / part / "token-lookup")
        (self.folder / "problems/token-lookup/suite.cpp").write_text(GIVING % self.mark)
        (self.folder / "problems/curriculum.json").write_text(json.dumps(
            {"format": "engine.curriculum/1", "title": "Mine", "problems": ["token-lookup", "my-problem"]}))
        shutil.copy(WRONG, self.lookup)

    def test_it_is_named_in_one_line_and_judges_nothing(self):
        for command in ("test", "submit-build"):
            for place in ((), ("--from", self.folder / "exercises/token-lookup"), ("--from", self.lookup)):
                with self.subTest((command, place)):
                    done = self.run_engine(command, "token-lookup", *place, "--format", "json", expect=1)
                    report = json.loads(done.stdout)
                    self.assertEqual(report["verdict"], "wrong_answer")
                    self.assertEqual(report["collection"]["name"], "From a token to a vector: the embedding layer")
                    self.assertEqual(done.stderr.count(f"{self.folder}/problems is not used"), 1, done.stderr)
            self.run_engine(command, "my-problem", expect=2)
        for command in ("list", "show", "status", "next"):
            self.assertNotIn("my-problem", self.run_engine(command).stdout)
        self.assertFalse(self.mark.exists())

    def test_it_is_never_read(self):
        (self.folder / "problems/curriculum.json").write_text("[" * 100_000)
        (self.folder / "problems/token-lookup/problem.json").unlink()
        os.mkfifo(self.folder / "problems/token-lookup/problem.json")
        self.run_engine("test", "token-lookup", expect=1)

    def test_from_another_folder_it_is_named_as_well(self):
        elsewhere = self.temporary_folder()
        done = self.run_engine("submit-build", "token-lookup", "--from", self.folder / "exercises/token-lookup",
                               cwd=elsewhere, expect=1)
        self.assertEqual(done.stderr.count("problems is not used"), 1, done.stderr)
        self.assertFalse(self.mark.exists())

    def test_named_with_content_the_same_folder_is_used(self):
        shutil.rmtree(self.folder / "problems/token-lookup")
        (self.folder / "problems/curriculum.json").write_text(json.dumps(
            {"format": "engine.curriculum/1", "title": "Mine", "problems": ["my-problem"]}))
        done = self.run_engine("submit-build", "my-problem", "--content", self.folder, "--format", "json", expect=0,
                               environment={"ENGINE_CONTENT": ""})
        self.assertEqual(json.loads(done.stdout)["collection"]["name"], "Mine")
        self.assertNotIn("is not used", done.stderr)
        self.assertTrue(self.mark.exists())


class Authors(Collections):
    """What `new` makes and where; the code of a package without the engine's sources."""

    def test_new_makes_a_collection_of_an_empty_folder_and_adds_to_one(self):
        curriculum = self.mine / "problems/curriculum.json"
        self.assertEqual(json.loads(curriculum.read_text())["problems"], ["my-problem"])
        self.author("new", "second", expect=0)
        self.assertEqual(json.loads(curriculum.read_text())["problems"], ["my-problem", "second"])
        self.assertEqual(sorted(each.name for each in self.mine.iterdir()),
                         [".clangd", ".engine", ".gitignore", "compile_flags.txt", "exercises", "problems", "reference"])
        elsewhere = self.temporary_folder()
        self.run_engine("new", "third", "--content", self.mine, cwd=elsewhere, expect=0)
        self.assertEqual(list(elsewhere.iterdir()), [])

    def test_new_never_writes_into_the_engines_own_folders(self):
        link = self.temporary_folder() / "link"
        link.symlink_to(SOURCE)
        parts = self.temporary_folder()
        for part in ("problems", "exercises", "reference"):
            (parts / part).symlink_to(SOURCE / part)
        for folder in (SOURCE, SOURCE / "problems", SOURCE / "exercises/common", SOURCE / "app/scaffold/template", link,
                       parts):
            with self.subTest(folder):
                self.run_engine("new", "not-here", cwd=folder, expect=2)
        for part in ("problems", "exercises", "reference"):
            self.assertFalse((SOURCE / part / "not-here").exists())

    def test_new_refuses_a_workspace_a_collection_above_and_half_a_collection(self):
        self.assertIn("workspace", self.run_engine("new", "mine", expect=2).stderr)
        inside = self.mine / "problems/my-problem/more"
        inside.mkdir()
        self.assertIn(str(self.mine), self.run_engine("new", "mine", cwd=inside, expect=2).stderr)
        half = self.temporary_folder()
        (half / "problems").mkdir()
        self.assertIn("curriculum.json", self.run_engine("new", "mine", cwd=half, expect=2).stderr)
        self.assertIn("exists already", self.author("new", "token-lookup", expect=2).stderr)

    def test_the_collection_of_the_current_folder_is_for_authors_commands_alone(self):
        self.assertIn("my-problem: ready", self.author("prepare", "my-problem", expect=0).stdout)
        self.author("mistake", "my-problem", "ignores-the-scale", expect=0)
        self.assertIn("my-problem", self.author("verify", expect=3).stdout)
        self.author("test", "my-problem", "--from", self.reference, expect=2)
        self.author("test", "my-problem", "--from", self.reference, "--content", ".", expect=0)

    def test_a_collection_of_somebody_else_has_to_be_named(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        os.chown(self.mine, NOBODY, NOBODY)
        self.assertIn("not yours", self.author("prepare", "my-problem", expect=2).stderr)
        self.author("prepare", "my-problem", "--content", ".", expect=0)

    def test_verify_proves_what_is_there_while_blanks_are_left(self):
        done = self.author("verify", expect=3)
        blanks = sum(file.read_text().count("FILL IN: ") for part in ("problems", "exercises", "reference")
                     for file in (self.mine / part).rglob("*") if file.is_file())
        self.assertRegex(done.stdout.rstrip(), rf": not sound: {blanks} blanks$")
        self.assertIn("mutation score", done.stdout)
        self.assertNotIn("reference not accepted", done.stdout)

    def test_a_broken_suite_refuses_its_own_package_alone(self):
        self.author("new", "second", expect=0)
        suite = self.mine / "problems/second/suite.cpp"
        lines = len(suite.read_text().splitlines())
        suite.write_text(suite.read_text() + "int missing = semicolon\n")
        done = self.author("verify", "--no-mutants", expect=3)
        self.assertIn(f"problems/second/suite.cpp:{lines + 1}:", done.stderr)
        self.assertIn("semicolon", done.stderr)
        self.assertIn("my-problem: not sound", done.stdout)
        self.assertNotIn("second: ", done.stdout)
        self.run_engine("test", "my-problem", "--from", self.reference, "--content", self.mine, expect=0)
        self.run_engine("test", "second", "--from", self.reference, "--content", self.mine, expect=3)

    def test_verify_names_what_is_wrong_with_the_curriculum(self):
        self.author("new", "second", expect=0)
        file = self.mine / "problems/curriculum.json"

        def order(*ids):
            file.write_text(json.dumps({"format": "engine.curriculum/1", "title": "Mine", "problems": ids}))

        def needs(id, *ids):
            manifest = self.mine / "problems" / id / "problem.json"
            data = json.loads(manifest.read_text())
            data["prerequisites"] = ids
            manifest.write_text(json.dumps(data))

        def said(words, *more):
            done = self.author("verify", "--no-mutants", *more, expect=3)
            self.assertIn(words, done.stdout + done.stderr)

        order("my-problem", "sekond", "second")
        said('problems/curriculum.json: /problems/1 must be a problem of this collection (got "sekond"), '
             'did you mean "second"?')
        order("my-problem")
        said('problems/curriculum.json: /problems has no "second"')
        order("my-problem", "second", "second")
        said("problems/curriculum.json: /problems")
        order("my-problem", "second")
        needs("my-problem", "second")
        said('problems/curriculum.json: /problems/0 comes before its prerequisite "second" (/problems/1)')
        needs("second", "my-problem")
        said("problems/my-problem/problem.json: /prerequisites lead back to the problem: my-problem needs second needs "
             "my-problem")
        needs("second")
        needs("my-problem", "token-lookup", "nowhere")
        said('problems/my-problem/problem.json: /prerequisites/1 must be a problem of curriculum.json (got "nowhere")')


if __name__ == "__main__":
    main()
