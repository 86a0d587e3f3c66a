#include "report/words.h"

#include "report/escape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace report {

using model::Standing;

namespace {

/// What the sanitizers call it.
struct SanitizerRow {
    std::string_view kind;
    std::string_view words;
};

constexpr std::array<SanitizerRow, 13> sanitizer_rows{{
    {"heap-buffer-overflow", "Your code used memory outside a buffer on the heap."},
    {"stack-buffer-overflow", "Your code used memory outside a local array."},
    {"global-buffer-overflow", "Your code used memory outside a global array."},
    {"container-overflow", "Your code used memory beyond the size of a container."},
    {"heap-use-after-free", "Your code used memory after it was freed."},
    {"stack-use-after-return", "Your code used a local variable after its function had returned."},
    {"stack-use-after-scope", "Your code used a local variable outside its block."},
    {"stack-overflow", "Your code ran out of stack: endless recursion, or a very large local array."},
    {"double-free", "Your code freed the same memory twice."},
    {"data race", "Two threads used the same memory, one of them to write, and nothing orders them."},
    {"SEGV", "Your code used an address that holds no memory."},
    {"signed-integer-overflow", "A signed integer became too large for its type."},
    {"division-by-zero", "Your code divided an integer by zero."},
}};

std::string_view kernel_words(model::FindingKind kind) {
    using enum model::FindingKind;
    switch (kind) {
    case out_of_bounds: return "A kernel used memory outside an allocation or a shared variable.";
    case use_after_free: return "A kernel used memory after it was freed.";
    case host_memory: return "A kernel used memory of the host, or the host memory of the device.";
    case misaligned: return "A kernel used an address that is not a multiple of the size it accessed.";
    case uninitialized_read: return "A kernel read memory that nothing had written.";
    case race_in_block: return "Two threads of a block used the same bytes without a barrier between them.";
    case race_between_blocks: return "Two blocks used the same bytes, and nothing orders blocks.";
    case race_between_streams: return "Two streams used the same bytes, and nothing orders the two.";
    case divergent_barrier: return "Part of a block never reached the barrier that the rest waited at.";
    case deadlock: return "Threads waited in a loop for what no other thread could do.";
    case missing_lanes: return "A mask named lanes of a warp that did not take part.";
    case illegal_address: return "A kernel used an address that holds no memory.";
    case stack_overflow:
        return "A thread of a kernel ran out of stack: endless recursion, or very large local arrays.";
    case division_by_zero: return "A kernel divided an integer by zero.";
    case shared_memory_limit: return "A block asked for more shared memory than there is.";
    case launch_refused: return "A launch asked for a grid or block that no device accepts.";
    case launch_bounds: return "A block was larger than the kernel's __launch_bounds__.";
    case device_assert: return "An assertion failed in a kernel.";
    case device_trap: return "A kernel called __trap().";
    case invalid_free: return "Device memory was freed twice, or was never allocated.";
    case call_waits: return "A call that promised to wait for nothing waited for the device.";
    case wrong_stream: return "Work went to the default stream, and not to the one that was passed in.";
    case not_given_back: return "A call did not free the memory that it took.";
    case variable_written:
        return "A call wrote a variable of the device, which calls on two streams would share.";
    case padding_written: return "A kernel wrote memory of its caller that is no element of an output.";
    case error_taken: return "A call took the device's last error, which its caller asks for.";
    case not_launched: return "A kernel was called like a function, or a kernel called the runtime.";
    case device_exception: return "An exception left a kernel.";
    case too_much_traffic: return "The kernels moved more bytes than this test allows.";
    case uncoalesced:
        return "Threads of a warp used addresses far apart, so most of what moved was not asked for.";
    case bank_conflicts: return "Threads of a warp used different words of one bank of shared memory.";
    }
    return "";
}

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

std::string bar(std::size_t done, std::size_t all, std::size_t width, bool unicode) {
    const std::size_t full = done == 0 || all == 0 ? 0 : std::max<std::size_t>(1, done * width / all);
    std::string text;
    for (std::size_t i = 0; i < width; ++i)
        text += unicode ? (i < full ? "█" : "░") : (i < full ? "#" : ".");
    return text;
}

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
    if (mismatch.expected == "untouched")
        return fmt::format("{}{} was written to, which this call may not do: it holds {}{}",
                           kept(mismatch.what), index, kept(mismatch.got), extent(mismatch));
    return fmt::format("{}{}: expected {}, got {}{}", kept(mismatch.what), index, kept(mismatch.expected),
                       kept(mismatch.got), extent(mismatch));
}

std::string sentence(const model::FailingCalls& calls) {
    const bool is_cause = calls.says.starts_with("only if ") || calls.says.starts_with("only after ");
    return fmt::format("{} {}{} {}.", is_cause ? "Calls of" : "In the failing calls of", calls.function,
                       is_cause ? " fail" : ",", calls.says);
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

std::string subject_of(const model::TestResult& test) {
    const std::string where = test.place ? place(test.place->file, test.place->line, 0) : "";
    return test.concept_name + (test.concept_name.empty() || where.empty() ? "" : ", ") + where;
}

std::string_view name(model::Severity severity) {
    constexpr std::array<std::string_view, 3> names{"error", "warning", "note"};
    return names.at(static_cast<std::size_t>(severity));
}

std::string_view name(model::QuestionKind kind) {
    constexpr std::array<std::string_view, 7> names{"multiple_choice", "several",        "order",     "pairs",
                                                    "numeric",         "predict_output", "short_text"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string_view check_name(const model::SanitizerFinding& finding) {
    return kind_name(finding) == "data race" ? "thread check" : "memory check";
}

std::string_view finding_words(const model::SanitizerFinding& finding) {
    if (const auto* kind = std::get_if<model::FindingKind>(&finding.kind)) return kernel_words(*kind);
    const auto row =
        std::ranges::find(sanitizer_rows, std::get<std::string>(finding.kind), &SanitizerRow::kind);
    return row == sanitizer_rows.end() ? "" : row->words;
}

std::string nothing_ran(const model::Judgement& judgement) {
    const auto skipped = [](const model::TestResult& test) {
        return test.verdict == model::Verdict::skipped;
    };
    if (!std::all_of(judgement.tests.begin(), judgement.tests.end(), skipped)) return "";
    if (judgement.tests.size() == 1) return "The test did not run.";
    return fmt::format("None of the {} tests ran.", judgement.tests.size());
}

std::string sentence(const std::optional<model::ComputeSanitizer>& sanitizer) {
    if (!sanitizer || sanitizer->reason.empty()) return "";
    return fmt::format("compute-sanitizer could not run{}: {}",
                       sanitizer->ran.empty() ? "" : " all of its tools", sanitizer->reason);
}

std::string sentence(const model::Justification& justification) {
    std::string words;
    for (const model::Standing standing :
         {Standing::right, Standing::wrong, Standing::written, Standing::open}) {
        const auto number =
            std::ranges::count(justification.questions, standing, &model::QuestionStanding::standing);
        if (number > 0) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", number, name(standing));
    }
    const std::string whose =
        justification.attempt == 0 ? "" : fmt::format(" of attempt {}", justification.attempt);
    return fmt::format("Questions{}: {}.", whose, words);
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
