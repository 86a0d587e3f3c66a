// What the programs of this folder share: the right answer, the one test they wait for, and the sign they
// give when an act succeeds that must not. The runner lays this text into a program where it says #include
// "honest.h", below the names of the scene: SCENE_SECRET, SCENE_SUITE and SCENE_DRIVER (files that no
// submission may read or change), SCENE_CACHE (a folder likewise), SCENE_PORT (a listening port of the
// loopback interface).
#include "contract.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <unistd.h>

namespace exercise {
namespace {

[[maybe_unused]] Status honest(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < table.cols; ++c)
            out(i, c) = table(static_cast<std::size_t>(ids[i]), c);
    return {};
}

/// True in the test "four ids pick four rows" and in no other.
[[maybe_unused]] bool marked(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return table.rows == 6 && table.cols == 3 && out.rows == 4 && out.cols == 3 && ids.size() == 4 &&
           ids[0] == 2 && ids[1] == 3 && ids[2] == 5 && ids[3] == 1;
}

/// True in the checked build: no macro tells, but the heap of AddressSanitizer rounds no size up.
[[maybe_unused]] bool watched() {
    void* block = std::malloc(1);
    const bool exact = malloc_usable_size(block) == 1;
    std::free(block);
    return exact;
}

/// An act in the checked build went through unobserved.
[[maybe_unused]] void write_beyond_heap() {
    auto* four = new int[4];
    volatile int beyond = 4;
    const_cast<volatile int*>(four)[beyond] = 1;
}

/// A forbidden act went through. The test fails, so that no such row can pass, and the runner finds the word.
[[noreturn, maybe_unused]] void breach(const char* act, const char* detail = "") {
    char text[4096];
    const int size = std::snprintf(text, sizeof text, "BREACH: %s %.3000s\n", act, detail);
    [[maybe_unused]] const ssize_t written = write(2, text, static_cast<std::size_t>(size));
    std::abort();
}

/// For acts that return a negative number where they are refused.
[[maybe_unused]] void must_fail(const char* act, long result) {
    if (result >= 0) breach(act);
}

} // namespace
} // namespace exercise
