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
            "int main() { for (volatile int i = 0;; i = i + 1) {} }": "did not end within 10 s of CPU time",
            "#include <unistd.h>\nint main() { pause(); }": "waited for 10 s without doing anything",
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
        for name in "lookup.cpp", "./-program.cpp", "@program.cpp":
            self.folder.joinpath(name).write_text(PRINTS)
            self.assertIn("give the program another name",
                          self.run_engine("try", "token-lookup", name, expect=2).stderr)

    def test_kernels_run_on_the_emulator(self):
        shutil.copy(SOURCE / "problems/cuda-lookup/accepted/block-a-row.cu",
                    self.folder / "exercises/cuda-lookup/lookup.cu")
        kernel = self.folder / "kernel.cu"
        kernel.write_text("""#include <cstdio>
            __global__ void hello() { std::printf("thread %d\\n", threadIdx.x); }
            int main() { hello<<<1, 3>>>(); return cudaDeviceSynchronize(); }""")
        printed = self.run_engine("try", "cuda-lookup", "kernel.cu", expect=0).stdout
        self.assertEqual(sorted(printed.splitlines()), ["thread 0", "thread 1", "thread 2"])  # in some order

    def test_a_program_may_have_several_files_and_headers_next_to_them(self):
        (self.folder / "twice.h").write_text('#pragma once\n#include "parts/three.h"\nint twice(int);\n')
        (self.folder / "parts").mkdir()
        (self.folder / "parts/three.h").write_text('#include "more.h"\nconstexpr int three = 2 + one;\n')
        (self.folder / "parts/more.h").write_text("constexpr int one = 1;\n")
        (self.folder / "twice.cpp").write_text('#include "twice.h"\nint twice(int v) { return 2 * v; }\n')
        text = '#include "twice.h"\n#include <cstdio>\nint main() { std::printf("%d\\n", twice(three)); }\n'
        self.assertEqual(self.attempt(text, "twice.cpp").stdout, "6\n")
        (self.folder / "twice.cpp").write_text("int twice(int v) {\n    return 2 * w;\n}\n")
        self.assertIn("twice.cpp:2:", self.attempt(text, "twice.cpp", expect=1).stdout)
        (self.folder / "parts/more.h").write_text("constexpr int one = zero;\n")
        self.assertIn("parts/more.h:1:", self.attempt(text, "twice.cpp", expect=1).stdout)
        self.assertIn("two files of the program", self.attempt(text, "parts/../rows.cpp", expect=2).stderr)
        self.assertIn("a program's files end in .cpp or .cu", self.attempt(text, "twice.h", expect=2).stderr)

    def refused(self, text, *arguments):
        return " ".join(self.attempt(text, *arguments, expect=1).stdout.split())

    def test_headers_below_a_folder_are_included(self):
        folder = self.temporary_folder()
        (folder / "lib").mkdir()
        (folder / "lib/five.h").write_text("#include <six.h>\nconstexpr int five = six - 1;\n")
        (folder / "six.h").write_text("constexpr int six = 6;\n")
        text = '#include <cstdio>\n#include <lib/five.h>\nint main() { std::printf("%d\\n", five); }\n'
        self.assertEqual(self.attempt(text, "--include", folder).stdout, "5\n")
        self.assertIn("cannot be included", self.refused(text))
        self.assertIn("there is no such folder", self.attempt(text, "--include", folder / "none", expect=2).stderr)
        self.assertIn("--include", self.attempt(text, "--includ", folder, expect=2).stderr)
        # nothing outside of it, by a link or by its name
        secret = self.temporary_folder() / "secret.h"
        secret.write_text("constexpr int six = 7;\n")
        (folder / "six.h").unlink()
        (folder / "six.h").symlink_to(secret)
        self.assertIn("symbolic link", self.attempt(text, "--include", folder, expect=2).stderr)
        (folder / "six.h").unlink()
        (folder / "lib/five.h").write_text(f'#include "../../{secret.parent.name}/secret.h"\nconstexpr int five = six;\n')
        self.assertIn("cannot be included", self.refused(text, "--include", folder))
        (folder / "lib/five.h").write_text(f'#include "{secret}"\nconstexpr int five = six;\n')
        self.assertIn("cannot be included", self.refused(text, "--include", folder))
        (folder / "lib/five.h").write_bytes(b"//" + bytes(5 << 20))
        self.assertIn("larger than 4 MiB", self.attempt(text, "--include", folder, expect=2).stderr)

    def test_the_first_word_may_be_a_file(self):
        self.run_engine("select", "token-lookup", expect=0)
        self.program.write_text(PRINTS)
        self.assertEqual(self.run_engine("try", "rows.cpp", expect=0).stdout, "5 6 1 2 \n")
        self.assertIn("nowhere.cpp does not exist", self.run_engine("try", "nowhere.cpp", expect=2).stderr)
        self.assertIn("did you mean", self.run_engine("try", "token-lokup", expect=2).stderr)
        self.program.with_suffix(".cu").write_text("int main() {}\n")
        self.assertIn("name a CUDA problem", self.run_engine("try", "rows.cu", expect=2).stderr)

    def test_the_limit_is_ones_own(self):
        sleeps = "#include <unistd.h>\nint main() { sleep(600); }\n"
        self.assertIn("waited for 1 s without doing anything", self.attempt(sleeps, "--limit", "1", expect=1).stderr)
        for wrong in ("0", "3601", "soon"):
            self.assertIn("--limit", self.attempt(sleeps, "--limit", wrong, expect=2).stderr)

    def try_kernel(self, text, *arguments, expect):
        shutil.copy(SOURCE / "problems/cuda-lookup/accepted/block-a-row.cu",
                    self.folder / "exercises/cuda-lookup/lookup.cu")
        (self.folder / "kernel.cu").write_text(text)
        return self.run_engine("try", "cuda-lookup", "kernel.cu", *arguments, expect=expect)

    def test_what_kernels_do_wrong_is_told(self):
        text = """__global__ void sum(int* to, const int* from) {
                to[0] += from[threadIdx.x];
            }
            int main() {
                int *to, *from;
                cudaMallocManaged(&to, 4);
                cudaMallocManaged(&from, 128);
                for (int i = 0; i < 32; ++i) from[i] = 1;
                to[0] = 0;
                sum<<<1, 32>>>(to, from);
                return cudaDeviceSynchronize();
            }"""
        done = self.try_kernel(text, expect=1)
        self.assertIn("kernel.cu:2", done.stderr)
        self.assertIn("let one thread alone do it", " ".join(done.stderr.split()))
        done = self.try_kernel(text.replace("to[0] += from[threadIdx.x];", "atomicAdd(to, from[threadIdx.x]);"), expect=0)
        self.assertEqual(done.stderr, "")
        (self.folder / "sum.cuh").write_text(text[:text.index("int main")])
        done = self.try_kernel('#include "sum.cuh"\n' + text[text.index("int main"):], expect=1)
        self.assertIn("sum.cuh:2", done.stderr)

    def test_kernels_that_were_not_observed_are_said_to_be(self):
        done = self.try_kernel("#include <unistd.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); _exit(0); }", expect=0)
        self.assertIn("were not observed", done.stderr)

    def test_a_host_function_may_be_named_as_one_of_the_device(self):
        (self.folder / "host.cpp").write_text(
            "#include <stddef.h>\nstatic unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }\n"
            'unsigned counts[] = {4, 3};\nextern "C" unsigned least() { return umin(counts[0], counts[1]); }\n')
        text = ('#include <cstdio>\nextern "C" unsigned least();\n__global__ void k(unsigned n) {\n'
                '    if (threadIdx.x == 0) std::printf("%u\\n", umin(n, 5u));\n}\n'
                "int main() {\n    k<<<1, 32>>>(least());\n    return cudaDeviceSynchronize();\n}\n")
        self.assertEqual(self.try_kernel(text, "host.cpp", expect=0).stdout, "3\n")
        for cuda in ("__global__ void k() {}\n", "__device__ int i;\n", "void k();\nvoid f() { k<<<1, 1>>>(); }\n"):
            (self.folder / "host.cpp").write_text(cuda)
            self.assertIn("end in .cu: rename this one",
                          " ".join(self.try_kernel(text, "host.cpp", expect=1).stdout.split()))

    def test_a_program_may_wait_for_a_host_function_without_the_runtime(self):
        text = """#include <cstdio>
            #include <future>
            __global__ void add(int* n) { ++*n; }
            struct Job { int* n; std::promise<int> done; };
            int main() {
                Job job;
                cudaMallocHost(&job.n, sizeof(int));
                *job.n = 4;
                cudaStream_t stream;
                cudaStreamCreate(&stream);
                add<<<1, 1, 0, stream>>>(job.n);
                cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void* data) {
                    auto* job = static_cast<Job*>(data);
                    job->done.set_value(*job->n);
                }, &job, 0);
                std::printf("%d %d\\n", job.done.get_future().get(), *job.n);
                return cudaStreamDestroy(stream);
            }"""
        done = self.try_kernel(text, expect=0)
        self.assertEqual((done.stdout, done.stderr), ("5 5\n", ""))

    def test_arguments_that_do_not_fit_a_kernel_are_told_with_its_parameters(self):
        done = self.try_kernel("__global__ void k(float* x, int n) {}\nint main() {\n    int* x = nullptr;\n"
                               "    k<<<1, 32>>>(x, 3);\n}\n", expect=1)
        self.assertIn("kernel.cu:4:", done.stdout)
        self.assertIn("the kernel has the parameters (float*, int), and is launched with (int*&, int)",
                      " ".join(done.stdout.split()))

    def test_headers_that_the_emulator_lacks_have_a_sentence(self):
        for header, words in (("thrust/transform.h", "has no Thrust"), ("cub/block/block_reduce.cuh", "has no CUB"),
                              ("cuda/ptx", "runs no PTX"), ("cufft.h", "no cuFFT"), ("helper_math.h", "--include")):
            with self.subTest(header):
                done = self.try_kernel(f"#include <{header}>\nint main() {{}}\n", expect=1)
                self.assertIn(words, " ".join(done.stdout.split()))

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
