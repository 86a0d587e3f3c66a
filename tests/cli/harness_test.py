"""The examples of docs/authoring.md, taken from the page as they are: they compile, the reference passes them, and a
program that does nothing fails every one."""

import json
import re
import shutil

from support import SOURCE, Workspace, main

NOTHING = """#include "contract.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    (void)table, (void)ids, (void)out;
    return {};
}

} // namespace exercise
"""

# Right until its number of the call comes again, 65,536 calls later.
STAMPED = """#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    struct Met {
        std::uint16_t call = 0;
        std::size_t row = 0;
    };
    static std::map<TokenId, Met> met;
    static std::uint16_t call = 0;
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t t = 0; t < ids.size(); ++t)
        if (ids[t] < 0 || static_cast<std::uint64_t>(ids[t]) >= table.rows)
            return Status::id_out_of_range(t, ids[t], table.rows);
    ++call;
    for (std::size_t t = 0; t < ids.size(); ++t) {
        Met& known = met[ids[t]];
        const bool again = known.call == call && known.row < t;
        const float* from = again ? out.row(known.row) : table.row(static_cast<std::size_t>(ids[t]));
        std::copy_n(from, table.cols, out.row(t));
        if (!again) known = {call, t};
    }
    return {};
}

} // namespace exercise
"""


class Harness(Workspace):
    """A collection with one problem: token-lookup under another name, with the examples for a suite."""

    def setUp(self):
        super().setUp()
        self.mine = self.temporary_folder()
        for part in ("problems", "exercises", "reference"):
            shutil.copytree(SOURCE / part / "token-lookup", self.mine / part / "examples")
        package = self.mine / "problems/examples"
        (self.mine / "problems/curriculum.json").write_text(json.dumps(
            {"format": "engine.curriculum/1", "title": "Examples", "problems": ["examples"]}))
        (package / "kills.json").unlink()
        shutil.rmtree(package / "mistakes")
        questions = (package / "questions.json").read_text()
        (package / "questions.json").write_text(re.sub(r',\s*"mistake": "[^"]*"', "", questions))

        page = (SOURCE / "docs/authoring.md").read_text()
        suite = "\n".join(re.findall(r"^```cpp\n(.*?)^```$", page, re.M | re.S))
        (package / "suite.cpp").write_text(suite)
        self.names = re.findall(r'^TEST_CASE\("([^"]+)"', suite, re.M)
        manifest = json.loads((package / "problem.json").read_text())
        manifest["id"] = "examples"
        row = {**manifest["tests"][0], "points": 1, "visibility": "visible", "detail": "full"}
        manifest["tests"] = [{**row, "name": name} for name in self.names]
        (package / "problem.json").write_text(json.dumps(manifest))

    def judge(self, file, expect, *options):
        done = self.run_engine("submit-build", "examples", "--from", file, "--content", self.mine, "--format", "json",
                               *options, expect=expect)
        return {test["name"]: test["verdict"] for test in json.loads(done.stdout)["tests"]}

    def test_every_example_runs_and_binds(self):
        self.assertGreaterEqual(len(self.names), 10)
        verdicts = self.judge(self.mine / "reference/examples/lookup.cpp", 0)
        self.assertEqual(verdicts, dict.fromkeys(self.names, "accepted"))
        nothing = self.mine / "nothing.cpp"
        nothing.write_text(NOTHING)
        verdicts = self.judge(nothing, 1)
        self.assertEqual(verdicts, dict.fromkeys(self.names, "wrong_answer"))

    def test_a_number_of_the_call_in_sixteen_bits_shows(self):
        stamped = self.mine / "stamped.cpp"
        stamped.write_text(STAMPED)
        self.assertEqual(self.judge(stamped, 0), dict.fromkeys(self.names, "accepted"))  # it takes a thorough run
        verdicts = self.judge(stamped, 1, "--thorough")
        after = "lookup with special ids, and after other calls"
        self.assertEqual(verdicts, {**dict.fromkeys(self.names, "accepted"), after: "wrong_answer"})
        stamped.write_text(STAMPED.replace("uint16_t", "uint64_t"))
        self.assertEqual(self.judge(stamped, 0, "--thorough"), dict.fromkeys(self.names, "accepted"))

    def test_every_function_that_suites_may_use_is_on_the_page(self):
        page = (SOURCE / "docs/authoring.md").read_text()
        declared = set()
        for header in ("expect.h", "suite.h", "sizes.h", "tensors.h"):
            text = (SOURCE / "validator/harness" / header).read_text()
            declared |= set(re.findall(r"\b(expect_\w+|for_random_\w+|random_\w+|minimum_traffic|constructed)\(", text))
        text = (SOURCE / "validator/harness/adversity/adverse.h").read_text().split("  private:")[0]
        declared |= set(re.findall(r"^    (?:void|Adverse&) (\w+)\(", text, re.M))
        for header in ("parameters.h", "ids.h", "device.h", "embedding.h", "contents.h"):
            text = (SOURCE / "validator/harness/adversity" / header).read_text()
            text = re.sub(r"namespace detail \{.*?\} // namespace detail", "", text, flags=re.S)
            declared |= set(re.findall(r"^(?:inline |template .*\n)?(?:Parameter<.*>|Fill) (\w+)\(", text, re.M))
        self.assertGreaterEqual(len(declared), 30)
        for name in sorted(declared):
            with self.subTest(name):
                self.assertRegex(page, rf"\b{name}\b")


if __name__ == "__main__":
    main()
