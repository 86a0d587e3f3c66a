"""An engine whose CUDA Toolkit and GPU are a stand-in (tests/standin), which can be told to fail."""

import json
import os
import pathlib
import shutil

from support import ENGINE, SOURCE, Workspace

STANDIN = pathlib.Path(os.environ.get("ENGINE_STANDIN", ""))
RIGHT_FILE = SOURCE / "problems/cuda-lookup/accepted/grid-stride.cu"
RIGHT = RIGHT_FILE.read_text()


class StandIn(Workspace):
    def setUp(self):
        super().setUp()
        self.assertTrue((STANDIN / "lib64/libcudart_static.a").is_file(), "build the target standin_toolkit")
        self.away = self.temporary_folder()
        self.program = self.away / "engine"
        try:
            os.link(ENGINE, self.program)
        except OSError:
            shutil.copy(ENGINE, self.program)
        self.use("nvcc-12.4")
        self.submit(RIGHT)
        self.mode("works")
        (STANDIN / "state/sanitizer").write_text("works\n")
        (STANDIN / "state/gone").unlink(missing_ok=True)

    def use(self, nvcc, **more):
        layout = self.layout_for_elsewhere() | more
        layout["nvcc"] = str(STANDIN / "bin" / nvcc)
        layout["gpu_files"] = [str(STANDIN / "state")]
        (self.away / "layout.json").write_text(json.dumps(layout))

    @staticmethod
    def mode(name):
        (STANDIN / "state/mode").write_text(name + "\n")

    def submit(self, text):
        folder = self.folder / "exercises/cuda-lookup"
        (folder / "lookup.cu").write_text(text)

    def engine(self, *arguments, expect):
        return self.run_engine(*arguments, program=self.program, expect=expect)

    def report(self, *arguments, expect):
        return json.loads(self.engine(*arguments, "--format", "json", expect=expect).stdout)
