#include "diagnosis/compute_sanitizer_kinds.h"

#include <algorithm>
#include <array>
#include <utility>

namespace diagnosis {
namespace {

using model::FindingKind;
using Meaning = std::pair<std::string_view, FindingKind>;

constexpr std::array<Meaning, 10> records{{
    {"Invalid __global__ ", FindingKind::out_of_bounds},
    {"Invalid __shared__ ", FindingKind::out_of_bounds},
    {"Invalid __local__ ", FindingKind::out_of_bounds},
    {"Uninitialized __", FindingKind::uninitialized_read},
    {"Barrier error detected. Invalid arguments", FindingKind::missing_lanes}, // of __syncwarp()
    // "Divergent thread(s) in warp" is said where a part of a warp comes to __syncthreads().
    {"Barrier error detected", FindingKind::divergent_barrier},
    {"Malloc/Free error encountered", FindingKind::invalid_free},
    {"Warp assert", FindingKind::device_assert},
    {"Trace/breakpoint trap", FindingKind::device_trap},
    {"Stack overflow", FindingKind::stack_overflow},
}};

constexpr std::array<Meaning, 6> failed_calls{{
    {"cudaErrorInvalidConfiguration ", FindingKind::launch_refused},
    {"cudaErrorIllegalAddress ", FindingKind::illegal_address},
    {"cudaErrorMisalignedAddress ", FindingKind::misaligned},
    {"cudaErrorHardwareStackError ", FindingKind::stack_overflow},
    {"cudaErrorAssert ", FindingKind::device_assert},
    {"cudaErrorLaunchFailure ", FindingKind::illegal_address},
}};

template <std::size_t N>
std::optional<FindingKind> first_in(const std::array<Meaning, N>& rows, std::string_view words) {
    const auto row =
        std::ranges::find_if(rows, [&](const Meaning& each) { return words.starts_with(each.first); });
    return row == rows.end() ? std::nullopt : std::optional(row->second);
}

/// "cudaFree" of "... on CUDA API call to cudaFree."; empty where there is none.
std::string_view call_in(std::string_view words) {
    constexpr std::string_view before = " API call to ";
    const std::size_t at = words.find(before);
    if (at == std::string_view::npos) return {};
    words.remove_prefix(at + before.size());
    return words.substr(0, words.find_first_of(". "));
}

} // namespace

std::optional<FindingKind> kind_of_record(std::string_view words) {
    return first_in(records, words);
}

std::optional<FindingKind> kind_of_call(std::string_view words) {
    if (words.starts_with("cudaErrorInvalidValue ")) {
        const std::string_view call = call_in(words);
        if (call.starts_with("cudaLaunch")) return FindingKind::launch_refused;
        if (call.starts_with("cudaFree")) return FindingKind::invalid_free;
    }
    return first_in(failed_calls, words);
}

} // namespace diagnosis
