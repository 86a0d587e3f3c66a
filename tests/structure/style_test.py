"""What cmake/style.py looks at, and what its keys of clang-tidy's units depend on."""

import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("style", ROOT / "cmake/style.py")
style = importlib.util.module_from_spec(spec)
spec.loader.exec_module(style)

COMMAND = ["c++", "-DNAME=1", "-std=c++20", "-I/somewhere", "unit.cpp"]


def preprocessed(own, system="int system_call();", root=style.ROOT):
    return f'# 1 "{root}/app/one.cpp"\n# 1 "/usr/include/stdio.h" 1 3 4\n{system}\n# 2 "{root}/app/one.cpp" 2\n{own}\n'


class Key(unittest.TestCase):
    def key(self, *arguments, command=None, **named):
        return style.text_key(preprocessed(*arguments, **named), command or COMMAND)

    def test_another_program_has_another_key(self):
        self.assertNotEqual(self.key("int one = 1;"), self.key("int one = 2;"))
        self.assertNotEqual(self.key("int one = 1;"), self.key("int one = 1;", command=[*COMMAND, "-DNAME=2", "unit.cpp"]))

    def test_blanks_and_headers_of_the_system_do_not_matter(self):
        self.assertEqual(self.key("int one = 1;"), self.key("\n\nint   one = 1;"))
        self.assertEqual(self.key("int one = 1;"), self.key("int one = 1;", system="long system_call();"))

    def test_the_folder_of_the_clone_does_not_matter(self):
        here = self.key(f'const char* folder = "{style.ROOT}/app";')
        root, style.ROOT = style.ROOT, pathlib.Path("/elsewhere")
        try:
            there = self.key('const char* folder = "/elsewhere/app";', root="/elsewhere")
        finally:
            style.ROOT = root
        self.assertEqual(here, there)


class Files(unittest.TestCase):
    def test_every_folder_with_sources_is_laid_out(self):
        files = set(style.laid_out())
        for folder in ("app", "validator", "exercises", "reference", "problems", "bench", "tests/emulator", "tests/hostile",
                       "tests/golden", "tests/structure", "tests/unit", "validator/emulator/include/cuda/std"):
            with self.subTest(folder):
                self.assertTrue(any(file.startswith(folder + "/") for file in files))

    def test_every_exception_is_of_a_file(self):
        tracked = style.tracked()
        for pattern, reason in style.LAYOUT_KEPT:
            with self.subTest(reason):
                self.assertTrue(any(style.re.search(pattern, file) for file in tracked), pattern)

    def test_scripts_are_known_by_their_first_line(self):
        scripts = style.shell_scripts()
        for script in ("engine", ".ci/run", "tests/package/clean_root", "tests/hostile/pass.sh"):
            self.assertIn(script, scripts)
        self.assertNotIn("bench/run", scripts)


if __name__ == "__main__":
    unittest.main()
