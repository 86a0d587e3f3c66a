#include "report/words.h"

#include "report/escape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace report {
namespace {

struct SanitizerRow {
    std::string_view kind;
    std::string_view words;
};

constexpr std::array<SanitizerRow, 35> sanitizer_rows{{
    {"heap-buffer-overflow", "Your code used memory outside a buffer on the heap."},
    {"stack-buffer-overflow", "Your code used memory outside a local array."},
    {"global-buffer-overflow", "Your code used memory outside a global array."},
    {"container-overflow", "Your code used memory beyond the size of a container."},
    {"heap-use-after-free", "Your code used memory after it was freed."},
    {"stack-use-after-return", "Your code used a local variable after its function had returned."},
    {"stack-use-after-scope", "Your code used a local variable outside its block."},
    {"stack-overflow", "Your code ran out of stack: endless recursion, or a very large local array."},
    {"double-free", "Your code freed the same memory twice."},
    {"SEGV", "Your code used an address that holds no memory."},
    {"signed-integer-overflow", "A signed integer became too large for its type."},
    {"division-by-zero", "Your code divided an integer by zero."},
    {"out_of_bounds", "A kernel used memory outside of an allocation or a shared variable."},
    {"use_after_free", "A kernel used memory after it was freed."},
    {"host_memory", "A kernel used memory of the host, or the host memory of the device."},
    {"misaligned", "A kernel used an address that is no multiple of the size it accessed."},
    {"uninitialized_read", "A kernel read memory that nothing had written."},
    {"race_in_block", "Two threads of a block used the same bytes without a barrier between them."},
    {"race_between_blocks", "Two blocks used the same bytes, and nothing orders blocks."},
    {"divergent_barrier", "Part of a block never reached the barrier that the rest waited at."},
    {"missing_lanes", "A mask named lanes of a warp that did not take part."},
    {"illegal_address", "A kernel used an address that holds no memory."},
    {"stack_overflow",
     "A thread of a kernel ran out of stack: endless recursion, or very large local arrays."},
    {"division_by_zero", "A kernel divided an integer by zero."},
    {"shared_memory_limit", "A block asked for more than 48 KiB of shared memory."},
    {"launch_refused", "A launch asked for a grid or block that no device accepts."},
    {"launch_bounds", "A block was larger than the kernel's __launch_bounds__."},
    {"device_assert", "An assertion failed in a kernel."},
    {"device_trap", "A kernel called __trap()."},
    {"invalid_free", "Device memory was freed twice, or was never allocated."},
    {"not_launched", "A kernel was called like a function, or a kernel called the runtime."},
    {"device_exception", "An exception left a kernel."},
    {"too_much_traffic", "The kernels moved more bytes than this test allows."},
    {"uncoalesced", "Threads of a warp used addresses far apart, so most of what moved was not asked for."},
    {"bank_conflicts", "Threads of a warp used different words of one bank of shared memory."},
}};

std::string kept(std::string_view text) {
    return repaired(text, limit::name);
}

/// "; 3 of 12 elements differ, worst by 1", with what is known and worth saying.
std::string extent(const model::Mismatch& mismatch) {
    const bool measurable = std::isfinite(mismatch.worst_abs) && mismatch.worst_abs > 0;
    const std::string by = measurable ? fmt::format("{:.3g}", mismatch.worst_abs) : "";
    if (mismatch.total <= 1) return measurable ? "; off by " + by : "";
    if (mismatch.different == 1)
        return fmt::format("; 1 of {} elements differs{}", mismatch.total, measurable ? ", by " + by : "");
    return fmt::format("; {} of {} elements differ{}", mismatch.different, mismatch.total,
                       measurable ? ", worst by " + by : "");
}

} // namespace

std::string count(std::size_t number, std::string_view noun) {
    return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string number(double value) {
    return fmt::format("{:g}", value);
}

std::string points_of(const model::Judgement& judgement) {
    if (judgement.verdict == model::Verdict::judge_error) return "this costs no points";
    return fmt::format("{} of {} points", number(judgement.points), number(judgement.max_points));
}

std::string headline(const model::Judgement& judgement) {
    std::string words(model::words(judgement.verdict));
    words.at(0) = static_cast<char>(words.at(0) - 'a' + 'A');
    return words + ": " + points_of(judgement);
}

std::string sentence(const model::Mismatch& mismatch) {
    const std::string index =
        mismatch.index.empty() ? "" : fmt::format("[{}]", fmt::join(mismatch.index, ", "));
    return fmt::format("{}{}: expected {}, got {}{}", kept(mismatch.what), index, kept(mismatch.expected),
                       kept(mismatch.got), extent(mismatch));
}

std::string duration(std::chrono::microseconds time) {
    const double micros = static_cast<double>(time.count());
    if (micros < 1000) return fmt::format("{} µs", time.count());
    if (micros < 1e5) return fmt::format("{:.1f} ms", micros / 1e3);
    if (micros < 1e6) return fmt::format("{:.0f} ms", micros / 1e3);
    return fmt::format("{:.1f} s", micros / 1e6);
}

std::string place(std::string_view file, int line, int column) {
    std::string text(file);
    if (line > 0) text += fmt::format(":{}", line);
    if (line > 0 && column > 0) text += fmt::format(":{}", column);
    return text;
}

std::string_view name(model::IsolationLevel level) {
    constexpr std::array<std::string_view, 5> names{"A", "B", "C", "D", "E"};
    return names.at(static_cast<std::size_t>(level));
}

std::string_view name(model::Severity severity) {
    constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
    return names.at(static_cast<std::size_t>(severity));
}

std::string_view name(model::QuestionKind kind) {
    constexpr std::array<std::string_view, 4> names{"multiple_choice", "numeric", "predict_output",
                                                    "short_text"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string_view sanitizer_words(std::string_view kind) {
    for (const SanitizerRow& row : sanitizer_rows)
        if (row.kind == kind) return row.words;
    return "";
}

std::string nothing_ran(const model::Judgement& judgement) {
    const auto skipped = [](const model::TestResult& test) {
        return test.verdict == model::Verdict::skipped;
    };
    if (!std::all_of(judgement.tests.begin(), judgement.tests.end(), skipped)) return "";
    if (judgement.tests.size() == 1) return "The test did not run.";
    return fmt::format("None of the {} tests ran.", judgement.tests.size());
}

bool failed(const model::TestResult& test) {
    return test.verdict != model::Verdict::accepted && test.verdict != model::Verdict::skipped;
}

std::string bytes(std::uint64_t count) {
    constexpr double kib = 1024;
    const auto value = static_cast<double>(count);
    if (value < 10 * kib) return fmt::format("{} bytes", count);
    if (value < 10 * kib * kib) return fmt::format("{:.1f} KiB", value / kib);
    return fmt::format("{:.1f} MiB", value / kib / kib);
}

} // namespace report
