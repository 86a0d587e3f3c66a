#include "grading/device_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace grading {
namespace {

using emulator::FindingKind;

constexpr std::size_t longest_message = 400;

std::string_view advice(std::string_view kind) {
    struct Row {
        std::string_view kind, words;
    };
    static constexpr Row rows[] = {
        {"out_of_bounds", "compare the index with the size before you use it: the last block is rarely full"},
        {"use_after_free", "free memory only after the work that uses it has ended"},
        {"host_memory", "a kernel reaches device memory only, and the host reaches it by cudaMemcpy only"},
        {"misaligned",
         "a float4 needs an address that is a multiple of 16 bytes: check pointer and stride, and go "
         "element by element where they do not fit"},
        {"uninitialized_read", "write it before it is read: a memset, or a first pass of the kernel"},
        {"race_in_block", "put __syncthreads() between the two, or let one thread alone do it"},
        {"race_between_blocks",
         "blocks cannot wait for each other: give each its own place, use an atomic, or a "
         "second launch"},
        {"divergent_barrier",
         "every thread of a block must reach the same __syncthreads(): take it out of the "
         "branch or loop"},
        {"missing_lanes", "name in the mask exactly the lanes that take part"},
        {"illegal_address", "print the index that the address is made from"},
        {"stack_overflow", "does the recursion end? are local arrays small?"},
        {"division_by_zero", "which size may be zero?"},
        {"shared_memory_limit", "let a block work on a smaller tile"},
        {"launch_refused", "is a size zero, or the grid counted in threads instead of blocks?"},
        {"launch_bounds", "launch smaller blocks, or raise __launch_bounds__"},
        {"device_assert", "the assertion says what does not hold"},
        {"invalid_free", "each cudaMalloc is freed once, by its own pointer"},
        {"too_much_traffic", "let neighbouring threads touch neighbouring elements, and touch each once"},
        {"uncoalesced",
         "let the threads of a warp walk along a row: neighbouring threads, neighbouring addresses"},
        {"bank_conflicts", "pad the rows of the shared array by one element"},
    };
    for (const Row& row : rows)
        if (row.kind == kind) return row.words;
    return "";
}

std::string thread_words(const emulator::ThreadId& id) {
    return fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", id.thread[0], id.thread[1], id.thread[2],
                       id.block[0], id.block[1], id.block[2]);
}

bool is_race(FindingKind kind) {
    return kind == FindingKind::race_in_block || kind == FindingKind::race_between_blocks;
}

} // namespace

std::string place_of(const emulator::Location& where, const std::vector<std::string>& files) {
    const bool known = where.line > 0 && std::ranges::find(files, where.file) != files.end();
    return known ? fmt::format("{}:{}", where.file, where.line) : std::string{};
}

model::SanitizerFinding describe(const emulator::Finding& finding, const std::string& test,
                                 const std::vector<std::string>& files) {
    model::SanitizerFinding result;
    result.kind = emulator::to_string(finding.kind);
    result.test = test;
    if (!place_of(finding.where, files).empty()) {
        result.file = finding.where.file;
        result.line = finding.where.line;
    }
    result.text = finding.message.substr(0, longest_message);
    if (!finding.kernel.empty())
        result.text += fmt::format("\nseen in {} of {}", thread_words(finding.thread),
                                   finding.kernel.substr(0, longest_message));
    if (const std::string other = place_of(finding.other, files); !other.empty())
        result.text +=
            fmt::format("\nthe other {} is at {}{}", is_race(finding.kind) ? "access" : "place", other,
                        is_race(finding.kind) ? ", " + thread_words(finding.other_thread) : "");
    if (finding.count > 1) result.text += fmt::format("\n{} times in this test", finding.count);
    return result;
}

std::string message_of(const model::SanitizerFinding& finding) {
    const std::size_t end = finding.text.find('\n');
    std::string message = finding.text.substr(0, end);
    if (finding.line > 0) message += fmt::format("\nat {}:{}", finding.file, finding.line);
    if (end != std::string::npos) message += (finding.line > 0 ? "; " : "\n") + finding.text.substr(end + 1);
    if (const std::string_view words = advice(finding.kind); !words.empty())
        message += fmt::format("\n{}", words);
    return message;
}

} // namespace grading
