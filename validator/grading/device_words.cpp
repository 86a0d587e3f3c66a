#include "grading/device_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace grading {
namespace {

using model::FindingKind;

constexpr std::size_t longest_message = 400;

std::string_view advice(FindingKind kind, bool in_one_warp) {
    switch (kind) {
    case FindingKind::out_of_bounds:
        return "compare the index with the size before you use it: the last block is rarely full";
    case FindingKind::use_after_free: return "free memory only after the work that uses it has ended";
    case FindingKind::host_memory:
        return "a kernel reaches device memory only, and the host reaches it by cudaMemcpy only";
    case FindingKind::misaligned:
        return "a float4 needs an address that is a multiple of 16 bytes: check pointer and stride, and go "
               "element by element where they do not fit";
    case FindingKind::uninitialized_read:
        return "write it before it is read: a memset, or a first pass of the kernel";
    case FindingKind::race_in_block:
        return in_one_warp
                   ? "put __syncwarp() between the two, with a mask of the threads that come there, or "
                     "let one thread alone do it"
                   : "put __syncthreads() between the two, or let one thread alone do it";
    case FindingKind::race_between_blocks:
        return "blocks cannot wait for each other: give each its own place, use an atomic, or a "
               "second launch";
    case FindingKind::race_between_streams:
        return "record an event after the first (cudaEventRecord), and let the stream of the second wait for "
               "it "
               "(cudaStreamWaitEvent)";
    case FindingKind::divergent_barrier:
        return "every thread of a block must reach the same __syncthreads(): take it out of the "
               "branch or loop";
    case FindingKind::deadlock:
        return "let the work that others wait for not wait itself: a block may begin only when another has "
               "ended, so use a second launch, or a cooperative one";
    case FindingKind::missing_lanes: return "name in the mask exactly the lanes that take part";
    case FindingKind::illegal_address: return "print the index that the address is made from";
    case FindingKind::stack_overflow: return "does the recursion end? are local arrays small?";
    case FindingKind::division_by_zero: return "which size may be zero?";
    case FindingKind::shared_memory_limit: return "let a block work on a smaller tile";
    case FindingKind::launch_refused:
        return "is a size zero, or the grid counted in threads instead of blocks?";
    case FindingKind::launch_bounds: return "launch smaller blocks, or raise __launch_bounds__";
    case FindingKind::device_assert: return "the assertion says what does not hold";
    case FindingKind::invalid_free: return "each cudaMalloc is freed once, by its own pointer";
    case FindingKind::call_waits:
        return "launch and return: what comes after on the stream finds your work done. Scratch memory comes "
               "from cudaMallocAsync";
    case FindingKind::wrong_stream:
        return "hand the stream on: kernel<<<grid, block, bytes, stream>>>, cudaMemsetAsync(..., stream)";
    case FindingKind::not_given_back: return "cudaFreeAsync on the same stream, after the last kernel";
    case FindingKind::variable_written:
        return "take scratch memory with cudaMallocAsync, which belongs to its call, or hand the value to "
               "the kernel as an argument";
    case FindingKind::padding_written:
        return "where a vector would reach behind the end of a row, store its elements one by one";
    case FindingKind::error_taken:
        return "look with cudaPeekAtLastError(), which leaves the error where it is, or not at all";
    case FindingKind::too_much_traffic:
        return "let neighbouring threads touch neighbouring elements, and touch each once";
    case FindingKind::uncoalesced:
        return "let the threads of a warp walk along a row: neighbouring threads, neighbouring addresses";
    case FindingKind::bank_conflicts: return "pad the rows of the shared array by one element";
    case FindingKind::device_trap:
    case FindingKind::not_launched:
    case FindingKind::device_exception: break;
    }
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
    result.kind = finding.kind;
    result.test = test;
    result.in_one_warp = finding.in_one_warp;
    if (!place_of(finding.where, files).empty()) {
        result.file = finding.where.file;
        result.line = finding.where.line;
    }
    result.text = finding.message.substr(0, longest_message);
    if (!finding.kernel.empty())
        result.text += fmt::format("\nseen in {} of {}", thread_words(finding.thread),
                                   finding.kernel.substr(0, longest_message));
    for (const emulator::Location& caller : finding.callers)
        if (const std::string place = place_of(caller, files); !place.empty())
            result.text += fmt::format("\ncalled at {}", place);
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
    const auto* kind = std::get_if<FindingKind>(&finding.kind);
    if (const std::string_view words = kind == nullptr ? "" : advice(*kind, finding.in_one_warp);
        !words.empty())
        message += fmt::format("\n{}", words);
    return message;
}

} // namespace grading
