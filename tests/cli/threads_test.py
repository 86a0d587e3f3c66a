"""Data races: a graded run looks for them where a submission starts threads, in a build of its own."""

import json

from support import Workspace, main

HEAD = """#include "contract.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    const auto copy = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
    };
    const std::size_t half = ids.size() / 2;
"""
TAIL = """    return {};
}

} // namespace exercise
"""

UNLOCKED = """    std::size_t rows = 0;
    std::thread other([&] {
        copy(0, half);
        rows += half; // the first
    });
    copy(half, ids.size());
    rows += ids.size() - half; // the second
    other.join();
    if (rows > ids.size()) return {Code::shape_mismatch};
"""
LOCKED = """    std::mutex mutex;
    std::size_t rows = 0;
    const auto count = [&](std::size_t more) {
        std::lock_guard lock(mutex);
        rows += more;
    };
    std::thread other([&] {
        copy(0, half);
        count(half);
    });
    copy(half, ids.size());
    count(ids.size() - half);
    other.join();
    if (rows > ids.size()) return {Code::shape_mismatch};
"""
FENCED = """    std::size_t rows = 0;
    std::atomic<bool> done = false;
    std::thread other([&] {
        copy(0, half);
        rows = half;
        std::atomic_thread_fence(std::memory_order_release);
        done.store(true, std::memory_order_relaxed);
    });
    copy(half, ids.size());
    while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    rows += ids.size() - half;
    other.join();
"""
ALONE = """    copy(0, ids.size());
"""


class Threads(Workspace):
    def judged(self, body, code):
        text = HEAD + body + TAIL
        (self.lookup).write_text(text)
        done = self.run_engine("submit-build", "token-lookup", "--format", "console", "--format", "json", "--output",
                               "report.json", expect=code)
        return done.stdout, json.loads((self.folder / "report.json").read_text()), text.splitlines()

    def test_a_race_is_told_with_both_lines_and_costs_the_test(self):
        shown, report, lines = self.judged(UNLOCKED, code=1)
        self.assertTrue(report["sanitizer"]["races"]["looked_for"], report["sanitizer"])
        self.assertEqual(report["verdict"], "run_time_error")
        finding = report["sanitizer"]["findings"][0]
        self.assertEqual(finding["kind"], "data race")
        both = {lines[finding[key] - 1].split("//")[-1].strip() for key in ("line", "other_line")}
        self.assertEqual(both, {"the first", "the second"})
        self.assertIn("The thread check found: data race at lookup.cpp:", shown)

    def test_what_a_lock_or_a_fence_orders_is_no_race(self):
        for body in (LOCKED, FENCED):
            with self.subTest(body):
                _, report, _ = self.judged(body, code=0)
                self.assertEqual(report["sanitizer"]["races"], {"looked_for": True, "reason": ""})
                self.assertEqual(report["sanitizer"]["findings"], [])

    def test_a_program_without_threads_needs_no_such_build(self):
        _, report, _ = self.judged(ALONE, code=0)
        self.assertEqual(report["sanitizer"]["races"], {"looked_for": False, "reason": ""})

    def test_a_practice_run_looks_for_none(self):
        (self.lookup).write_text(HEAD + UNLOCKED + TAIL)
        done = self.run_engine("test", "token-lookup", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
