"""What a submission keeps from one call to the next is found by making a failing call again, with none before it."""

import json

from support import Workspace, main

PROGRAM = """#include "contract.h"

#include <map>
#include <thread>
#include <vector>

namespace exercise {{

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {{
    static std::map<const float*, std::vector<float>> rows;
    const float* const at = table.row(r);
    const std::vector<float>& row = rows.emplace(at, std::vector<float>(at, at + out.size())).first->second;
    {body}
}}

}} // namespace exercise
"""
# A remembered row may be too short or too long for this call.
COPY = "for (std::size_t c = 0; c < out.size(); ++c) out[c] = c < row.size() ? row[c] : 0;"
KEPT = "made again with none before"


class EarlierCalls(Workspace):
    def says(self, body):
        file = self.folder / "row.cpp"
        file.write_text(PROGRAM.format(body=body))
        done = self.run_engine("submit-build", "first-row", "--from", file, "--format", "json", "--seed", 3,
                               "--no-questions", expect=1)
        return " ".join(each["says"] for each in json.loads(done.stdout)["failing_calls"])

    def test_what_is_kept_is_said(self):
        self.assertIn(KEPT, self.says(COPY))

    def test_what_fails_alone_too_is_not(self):
        self.assertNotIn(KEPT, self.says("(void)row; for (std::size_t c = 1; c < out.size(); ++c) out[c] = at[c];"))

    def test_where_threads_may_meet_nothing_is_concluded(self):
        self.assertNotIn(KEPT, self.says("std::thread([&] { " + COPY + " }).join();"))


if __name__ == "__main__":
    main()
