"""A failing call once more, in gdb: where it stops, what is to be seen there, and what is not."""

import os
import pathlib
import shutil
import socket
import unittest

from support import ACCEPTED, NOBODY, SOURCE, WRONG, Workspace, main

FIRST = "four ids pick four rows"
HIDDEN = "extreme ids are refused"
CRASHES = """#include "contract.h"

namespace exercise {

static int calls = 0;

static void spoil(float* place) {
    *place = 1;
}

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    calls += 1;
    spoil(nullptr);
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debug(Workspace):
    def debug(self, text=None, *arguments, test=FIRST, expect=0):
        if text is not None:
            self.lookup.write_text(text)
        return self.run_engine("debug", "token-lookup", "--test", test, "--seed", "7", *arguments,
                               expect=expect)

    def test_it_stops_where_the_call_begins_with_its_arguments(self):
        out = self.debug(WRONG.read_text()).stdout
        self.assertIn(f"{FIRST} (seed 7):", out)
        self.assertIn("exercise::lookup (table=", out)
        self.assertIn("at lookup.cpp:", out)
        # The sizes are those of the call that the verdict tells of.
        self.assertRegex(out, r"table=\.*\{data = 0x[0-9a-f]+, rows = \d+, cols = \d+")
        self.assertIn("Value returned is $1 = {code = contract::Code::ok", out)

    def test_a_crash_shows_its_line_and_what_called_it(self):
        out = self.debug(CRASHES).stdout
        self.assertIn("SIGSEGV", out)
        self.assertIn("spoil (place=0x0) at lookup.cpp:8", out)
        self.assertIn("The variables there:", out)
        self.assertRegex(out, r"#1 .*exercise::lookup .* at lookup.cpp:13")

    def test_an_exception_shows_where_it_was_thrown(self):
        out = self.debug(CRASHES.replace("*place = 1;", "throw place;")).stdout
        self.assertIn("SIGABRT", out)
        self.assertRegex(out, r"spoil \(place=0x0\) at lookup.cpp:8")

    def test_calls_before_it_are_made_so_that_state_is_the_same(self):
        third = """    static int made = 0;
    made += 1;
    if (made == 3) *static_cast<volatile int*>(nullptr) = made;
    if (out.cols"""
        out = self.debug(ACCEPTED.read_text().replace("    if (out.cols", third, 1),
                         test="random shapes agree with the reference").stdout
        self.assertIn("made = 3", out)

    def test_a_test_that_passes_has_no_failing_call(self):
        out = self.debug(ACCEPTED.read_text()).stdout
        self.assertIn("passes with seed 7, so there is no failing call", " ".join(out.split()))
        self.assertNotIn("exercise::lookup (", out)

    def test_hidden_and_unknown_tests_are_refused(self):
        self.assertIn("is a hidden test", self.debug(WRONG.read_text(), test=HIDDEN, expect=2).stderr)
        self.assertIn(f"did you mean '{FIRST}'?",
                      " ".join(self.debug(WRONG.read_text(), test="four ids pick for rows", expect=2).stderr.split()))
        self.assertIn("--test", self.run_engine("debug", "token-lookup", expect=2).stderr)

    def test_what_does_not_compile_is_told_with_its_place(self):
        done = self.debug("nonsense\n", expect=1)
        self.assertIn("lookup.cpp:1:", done.stdout)

    @unittest.skipUnless(os.geteuid() == 0, "needs root: to give a file away")
    def test_another_users_file_is_refused(self):
        self.lookup.write_text(WRONG.read_text())
        os.chown(self.lookup, NOBODY, NOBODY)
        done = self.debug(expect=2)
        self.assertIn("belongs to another user", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_neither_suite_nor_reference_is_in_the_program(self):
        # The words are looked for backwards, since the program holds them as it is written.
        probe = (CRASHES.replace("*place = 1;", "names();").replace("static void spoil", """static void names() {
    std::ifstream program("program", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(program)), {});
    for (const std::string word : {"esicrexe", "tsetcod", "ESAC_TSET", "ssenrah", "ecnerefer9"})
        std::printf("%s %d\\n", word.c_str(), bytes.find({word.rbegin(), word.rend()}) != std::string::npos);
}

static void spoil""").replace('#include "contract.h"', """#include "contract.h"
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>"""))
        out = self.debug(probe).stdout
        self.assertIn("esicrexe 1", out)  # the control: the learner's own namespace is there
        for word in ("tsetcod", "ESAC_TSET", "ssenrah", "ecnerefer9"):
            self.assertIn(f"{word} 0", out)

    def test_the_sandbox_holds(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret\n")
        listening = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listening.close)
        probe = CRASHES.replace("*place = 1;", "look();").replace("static void spoil", f"""static void look() {{
    std::printf("secret %d, written %d, socket %d, home %d, own program %d\\n", std::fopen("{secret}", "r") != nullptr,
                std::fopen("{self.folder}/written", "w") != nullptr, socket(AF_INET, SOCK_STREAM, 0) >= 0,
                std::getenv("HOME") != nullptr, std::fopen("program", "r") != nullptr);
}}

static void spoil""").replace("#include \"contract.h\"\n", "#include \"contract.h\"\n#include <cstdio>\n"
                                                             "#include <cstdlib>\n#include <sys/socket.h>\n")
        out = self.debug(probe).stdout
        self.assertIn("secret 0, written 0, socket 0, home 0, own program 1", out)
        self.assertFalse((self.folder / "written").exists())

    def test_nothing_is_recorded_and_nothing_left_behind(self):
        cache = pathlib.Path(self.environment["XDG_CACHE_HOME"]) / "engine"
        self.debug(CRASHES)
        self.assertFalse(self.database.exists())
        self.assertEqual([entry.name for entry in cache.glob("scratch-*") if (entry / "recording").exists()], [])

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root and unshare: to hide a program")
    def test_without_gdb_the_package_is_named(self):
        hidden = ("unshare", "-m", "sh", "-c", 'mount --bind /dev/null /usr/bin/gdb && exec "$@"', "sh")
        done = self.run_engine("debug", "token-lookup", "--test", FIRST, prefix=hidden, expect=4)
        self.assertIn("apt-get install gdb", " ".join(done.stderr.split()))

    def test_kernels_are_debugged_on_the_emulator(self):
        source = SOURCE / "problems/cuda-lookup/accepted/block-a-row.cu"
        file = self.folder / "exercises/cuda-lookup/lookup.cu"
        file.write_text(source.read_text().replace("ids[", "1 + ids[", 1))
        out = self.run_engine("debug", "cuda-lookup", "--test", FIRST, "--seed", "7", expect=0).stdout
        self.assertIn("at lookup.cu:", out)


if __name__ == "__main__":
    main()
