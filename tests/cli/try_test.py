"""Programs of one's own: compiled with the submission, run in the sandbox, their output shown."""

import shutil
import unittest

from support import ACCEPTED, SOURCE, Workspace, main

PRINTS = """#include "contract.h"
#include <iostream>
#include <vector>

int main() {
    const std::vector<float> table{1, 2, 3, 4, 5, 6};
    const std::vector<exercise::TokenId> ids{2, 0};
    std::vector<float> out(4);
    exercise::lookup({table.data(), 3, 2, 2}, ids, {out.data(), 2, 2, 2});
    for (const float value : out) std::cout << value << ' ';
    std::cout << '\\n';
}
"""


class Try(Workspace):
    def setUp(self):
        super().setUp()
        shutil.copy(ACCEPTED, self.lookup)
        self.program = self.folder / "rows.cpp"

    def attempt(self, text, *arguments, expect=0):
        self.program.write_text(text)
        return self.run_engine("try", "token-lookup", "rows.cpp", *arguments, expect=expect)

    def test_what_the_program_prints_is_shown(self):
        self.assertEqual(self.attempt(PRINTS).stdout, "5 6 1 2 \n")

    def test_it_calls_the_file_that_is_named(self):
        wrong = self.folder / "wrong.cpp"
        wrong.write_text(ACCEPTED.read_text().replace("to[c] = from[c];", "to[c] = 7 + from[c];"))
        self.assertNotEqual(wrong.read_text(), ACCEPTED.read_text())
        self.assertNotEqual(self.attempt(PRINTS, "--from", "wrong.cpp").stdout, "5 6 1 2 \n")

    def test_without_a_file_one_is_made_and_kept(self):
        made = self.folder / "try/token-lookup.cpp"
        done = self.run_engine("try", "token-lookup", expect=0)
        self.assertIn("try/token-lookup.cpp is new", done.stderr)
        self.assertIn("Call what contract.h declares", done.stdout)
        made.write_text(PRINTS)
        done = self.run_engine("try", "token-lookup", expect=0)
        self.assertNotIn("is new", done.stderr)
        self.assertEqual(done.stdout, "5 6 1 2 \n")

    def test_no_attempt_is_recorded(self):
        self.attempt(PRINTS)
        self.assertFalse(self.database.exists())

    def test_it_sees_nothing_of_this_machine(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret\n")
        out = self.attempt(f"""#include <cstdio>
            #include <cstdlib>
            int main() {{
                std::printf("%d %d %d\\n", std::fopen("{secret}", "r") != nullptr,
                            std::fopen("{self.folder}/written", "w") != nullptr, std::getenv("HOME") != nullptr);
            }}""").stdout
        self.assertEqual(out, "0 0 0\n")
        self.assertFalse((self.folder / "written").exists())

    def test_what_does_not_compile_is_told_with_its_place(self):
        done = self.attempt('#include "contract.h"\nint main() { return exercise::lokup; }\n', expect=1)
        self.assertIn("rows.cpp:2:", done.stdout)
        self.assertIn("did you mean lookup?", done.stdout)
        self.lookup.write_text("nonsense\n")
        self.assertIn("exercises/token-lookup/lookup.cpp:1:", self.attempt(PRINTS, expect=1).stdout)

    def test_a_program_without_main_is_told_so(self):
        self.assertIn("A program begins with its main", self.attempt("int one = 1;\n", expect=1).stdout)

    def test_how_it_ended_is_said(self):
        ends = {
            "int main() { return 3; }": "ended with status 3.",
            "int main() { volatile int* p = nullptr; *p = 1; }": "crashed: it used memory that is not its own",
            "#include <cstdlib>\nint main() { std::abort(); }": "aborted (SIGABRT)",
            "#include <cstdio>\nint main() { for (;;) std::puts(\"again and again\"); }": "printed more than 64 KiB",
            "int main() { for (volatile int i = 0;; i = i + 1) {} }": "did not end within 10 s",
        }
        for text, words in ends.items():
            with self.subTest(words):
                self.assertIn(words, " ".join(self.attempt(text + "\n", expect=1).stderr.split()))

    def test_escape_codes_do_not_reach_the_terminal(self):
        self.assertEqual(self.attempt('#include <cstdio>\nint main() { std::puts("\\x1b[31mred"); }\n').stdout,
                         "\\x1b[31mred\n")

    def test_files_that_cannot_be_tried(self):
        self.assertIn("nowhere.cpp does not exist",
                      self.run_engine("try", "token-lookup", "nowhere.cpp", expect=2).stderr)
        self.assertIn("is a folder", self.run_engine("try", "token-lookup", "exercises", expect=2).stderr)
        shutil.copy(ACCEPTED, self.folder / "lookup.cpp")
        self.assertIn("give the program another name",
                      self.run_engine("try", "token-lookup", "lookup.cpp", expect=2).stderr)

    def test_kernels_run_on_the_emulator(self):
        shutil.copy(SOURCE / "problems/cuda-lookup/accepted/block-a-row.cu",
                    self.folder / "exercises/cuda-lookup/lookup.cu")
        kernel = self.folder / "kernel.cu"
        kernel.write_text("""#include <cstdio>
            __global__ void hello() { std::printf("thread %d\\n", threadIdx.x); }
            int main() { hello<<<1, 3>>>(); return cudaDeviceSynchronize(); }""")
        printed = self.run_engine("try", "cuda-lookup", "kernel.cu", expect=0).stdout
        self.assertEqual(sorted(printed.splitlines()), ["thread 0", "thread 1", "thread 2"])  # in some order

    def test_demos_are_listed_and_run_with_the_submission(self):
        listed = self.run_engine("try", "token-lookup", "--demo", expect=0).stdout
        self.assertIn("toy-table: A toy vocabulary", listed)
        shown = self.run_engine("try", "token-lookup", "--demo", "toy-table", expect=0).stdout
        self.assertIn("ids 2, 3, 5, 1, shape (4, 3)", shown)
        self.assertIn(" -0.4015   0.9666  -1.1481", shown.split("ids 2, 3, 5, 1")[1])
        self.assertFalse((self.folder / "try").exists())
        self.assertIn("there are: toy-table", self.run_engine("try", "token-lookup", "--demo", "other", expect=2).stderr)
        self.assertIn("no demos of first-row", self.run_engine("try", "first-row", "--demo", expect=0).stdout)

    def test_the_demos_of_all_problems_run_with_their_references(self):
        demos = sorted(SOURCE.glob("problems/*/demos/*.c*"))
        self.assertGreaterEqual(len(demos), 8)
        for demo in demos:
            with self.subTest(demo.stem):
                problem = demo.parent.parent.name
                self.assertTrue(demo.read_text().startswith("// "))
                done = self.run_engine("try", problem, "--demo", demo.stem, "--from", SOURCE / "reference" / problem,
                                       expect=0)
                self.assertTrue(done.stdout.strip())
                self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    main()
