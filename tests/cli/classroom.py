"""A class for the tests of `grade` and what comes after it."""

import json
import pathlib
import shutil
import sqlite3

from support import SOURCE, Workspace, program_of

FIRST_ROW = SOURCE / "problems/first-row/accepted/pointers-from-the-end.cpp"
LOOKUP = SOURCE / "problems/token-lookup/accepted/pointer-loops.cpp"


class Classroom(Workspace):
    """A folder of submissions, next to which gradebooks are made."""

    def setUp(self):
        super().setUp()
        self.wrong = program_of("reads-column")
        self.starter = self.layout()["starters"] + "/token-lookup/lookup.cpp"
        self.hw = self.folder / "hw"
        self.hw.mkdir()

    def hand_in(self, student, program, name="token-lookup/lookup.cpp", more=""):
        file = self.hw / student / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(pathlib.Path(program).read_text() + more)
        return file

    def assign(self, file="assignment.json", **members):
        members.setdefault("problems", [{"id": "token-lookup"}])
        (self.folder / file).write_text(json.dumps({"schema": "engine.assignment/1", **members}))
        return ("--assignment", file)

    def grade(self, *arguments, expect=0, **more):
        return self.run_engine("grade", "hw", *arguments, expect=expect, **more)

    def rows(self, query, gradebook="hw.gradebook"):
        database = sqlite3.connect(self.folder / gradebook)
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def verdicts(self, gradebook="hw.gradebook"):
        """What each student's works came to."""
        return self.rows("SELECT student, work.problem, state, verdict, points FROM work "
                         "JOIN submission ON submission.id = work.submission "
                         "LEFT JOIN judgement ON judgement.id = work.judgement ORDER BY 1, 2, submission.id", gradebook)

    def locked_count(self):
        """Judgements in a gradebook that is in use: its file is read as it is."""
        copy = self.folder / "copy"
        try:
            shutil.copy(self.folder / "hw.gradebook", copy)
            return self.rows("SELECT count(*) FROM judgement", "copy")[0][0]
        except (OSError, sqlite3.Error):
            return 0
