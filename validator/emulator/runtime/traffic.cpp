#include "runtime/traffic.h"

#include <algorithm>
#include <bit>

namespace cuda_emulator {

using emulator::KernelTraffic;
using emulator::LineTraffic;

namespace {

constexpr std::uint64_t sector_bytes = 32;

struct Footprint {
    std::uint64_t sectors = 0, bytes = 0;
};

/// Distinct sectors and bytes of accesses in ascending order of address.
Footprint footprint(const LoggedAccess* group, std::uint32_t lanes) {
    Footprint sum;
    std::uint64_t next_sector = 0, next_byte = 0; // the first not counted yet
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::uint64_t begin = group[i].address, end = begin + group[i].bytes;
        const std::uint64_t first = std::max(begin / sector_bytes, next_sector),
                            behind = (end - 1) / sector_bytes + 1;
        if (behind > first) sum.sectors += behind - first;
        next_sector = std::max(next_sector, behind);
        const std::uint64_t fresh = std::max(begin, next_byte);
        if (end > fresh) sum.bytes += end - fresh;
        next_byte = std::max(next_byte, end);
    }
    return sum;
}

/// How often the 32 banks, each 4 bytes wide, must be passed over for these lanes: the most different words
/// that one bank is asked for.
std::uint64_t passes(const LoggedAccess* lanes, std::uint32_t count) {
    std::array<std::uint64_t, 2 * warp_lanes * 4> words;
    std::size_t used = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t last = (lanes[i].address + lanes[i].bytes - 1) / 4;
        for (std::uint64_t word = lanes[i].address / 4; word <= last && used < words.size(); ++word)
            words[used++] = word;
    }
    std::sort(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
    const auto end = std::unique(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(used));
    std::array<std::uint64_t, 32> asked{};
    for (auto word = words.begin(); word != end; ++word)
        ++asked[*word % asked.size()];
    return *std::max_element(asked.begin(), asked.end());
}

bool ascending(const LoggedAccess* group, std::uint32_t lanes) {
    for (std::uint32_t i = 1; i < lanes; ++i)
        if (group[i].address < group[i - 1].address) return false;
    return true;
}

} // namespace

void TrafficCounter::launch_begins(const Configuration& c) {
    const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const KernelTraffic& k) {
        return k.kernel == c.kernel && k.launched.line == c.line && k.launched.file == c.file;
    });
    current_ = static_cast<std::size_t>(known - kernels_.begin());
    if (known == kernels_.end()) {
        KernelTraffic& kernel = kernels_.emplace_back();
        kernel.kernel = c.kernel;
        kernel.launched = {c.file, c.line, 0};
    }
    ++kernels_[current_].launches;
    kernels_[current_].threads +=
        std::uint64_t{c.grid.x} * c.grid.y * c.grid.z * c.block.x * c.block.y * c.block.z;
    for (auto& log : logs_)
        log.clear();
}

LineTraffic& TrafficCounter::row(const LoggedAccess& access) {
    const std::uint64_t key = std::uint64_t{current_} << 32 | std::uint64_t{access.instruction} << 3 |
                              static_cast<std::uint64_t>(access.kind) << 1 | access.shared;
    auto& lines = kernels_[current_].lines;
    const auto [found, made] = rows_.try_emplace(key, lines.size());
    if (made) {
        LineTraffic& line = lines.emplace_back();
        line.where.offset = access.instruction;
        line.kind = access.kind;
        line.shared = access.shared;
        line.bytes_per_lane = access.bytes;
    }
    return lines[found->second];
}

/// What `group` asks for goes to the row of its instruction. Sorts the group.
void TrafficCounter::request(Group& group, std::uint32_t lanes) {
    LineTraffic& line = row(group[0]);
    KernelTraffic& kernel = kernels_[current_];
    ++line.requests;
    line.accesses += lanes;
    if (group[0].shared) {
        // Lanes that ask for 8 (or 16) bytes are served in halves (or quarters) of the warp.
        const std::uint32_t together =
            warp_lanes * 4 / std::clamp<std::uint32_t>(std::bit_ceil(group[0].bytes), 4, 16);
        for (std::uint32_t first = 0; first < lanes; first += together) {
            const std::uint64_t count = passes(&group[first], std::min(together, lanes - first));
            line.wavefronts += count;
            line.bank_conflicts += count - 1;
            kernel.bank_conflicts += count - 1;
        }
        return;
    }
    if (!ascending(group.data(), lanes))
        std::stable_sort(group.begin(), group.begin() + lanes,
                         [](const LoggedAccess& a, const LoggedAccess& b) { return a.address < b.address; });
    const Footprint sum = footprint(group.data(), lanes);
    line.sectors += sum.sectors;
    line.useful_bytes += sum.bytes;
    kernel.sectors += sum.sectors;
    kernel.bytes_moved += sum.sectors * sector_bytes;
    kernel.useful_bytes += sum.bytes;
}

void TrafficCounter::settle(std::uint32_t warp) {
    const std::uint32_t first = warp * warp_lanes, last = std::min(first + warp_lanes, block.threads);
    if (!settle_in_step(first, last)) settle_apart(first, last);
    for (std::uint32_t thread = first; thread < last; ++thread)
        logs_[thread].clear();
}

/// The common case: every lane that did anything did the same. False if that is not so; nothing is counted
/// then.
bool TrafficCounter::settle_in_step(std::uint32_t first, std::uint32_t last) {
    std::array<const std::vector<LoggedAccess>*, warp_lanes> active;
    std::uint32_t lanes = 0;
    for (std::uint32_t thread = first; thread < last; ++thread)
        if (!logs_[thread].empty()) active[lanes++] = &logs_[thread];
    if (lanes == 0) return true;
    const auto& leader = *active[0];
    for (std::uint32_t lane = 1; lane < lanes; ++lane) {
        const auto& log = *active[lane];
        if (log.size() != leader.size()) return false;
        for (std::size_t i = 0; i < leader.size(); ++i)
            if (log[i].instruction != leader[i].instruction) return false;
    }
    Group group;
    for (std::size_t i = 0; i < leader.size(); ++i) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            group[lane] = (*active[lane])[i];
        request(group, lanes);
    }
    return true;
}

/// Lanes went different ways: the n-th execution of an instruction by each lane that came so far is one
/// request.
void TrafficCounter::settle_apart(std::uint32_t first, std::uint32_t last) {
    struct Turn {
        std::uint32_t instruction, number;
        LoggedAccess access;
    };
    std::vector<Turn> turns;
    std::unordered_map<std::uint32_t, std::uint32_t> executed;
    for (std::uint32_t thread = first; thread < last; ++thread) {
        executed.clear();
        for (const LoggedAccess& access : logs_[thread])
            turns.push_back({access.instruction, executed[access.instruction]++, access});
    }
    std::stable_sort(turns.begin(), turns.end(), [](const Turn& a, const Turn& b) {
        return a.instruction != b.instruction ? a.instruction < b.instruction : a.number < b.number;
    });
    Group group;
    for (std::size_t i = 0; i < turns.size();) {
        std::uint32_t lanes = 0;
        const std::size_t begin = i;
        for (; i < turns.size() && turns[i].instruction == turns[begin].instruction &&
               turns[i].number == turns[begin].number;
             ++i)
            group[lanes++] = turns[i].access;
        request(group, lanes);
    }
}

} // namespace cuda_emulator
