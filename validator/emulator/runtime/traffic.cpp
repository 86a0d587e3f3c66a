#include "runtime/traffic.h"

#include "runtime/rounds.h"

#include <algorithm>
#include <bit>
#include <span>

namespace cuda_emulator {

using emulator::KernelTraffic;
using emulator::LineTraffic;

namespace {

using model::sector_bytes;

/// Lanes that ask for 8 (or 16) bytes of shared memory are served in halves (or quarters) of the warp.
std::uint32_t served_together(AccessShape shape) {
    return warp_lanes * 4 / std::clamp<std::uint32_t>(std::bit_ceil(shape.bytes()), 4, 16);
}

/// Distinct sectors and bytes of accesses in ascending order of address.
TrafficCounter::Footprint footprint(const LoggedAccess* group, std::uint32_t lanes) {
    TrafficCounter::Footprint sum;
    std::uint64_t next_sector = 0, next_byte = 0; // the first not counted yet
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::uint64_t begin = group[i].address, end = begin + group[i].shape.bytes();
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
    constexpr std::uint32_t banks = 32, most = 2 * warp_lanes * 4;
    std::array<std::uint64_t, most> words; // different ones, those of a bank chained together
    std::array<std::uint16_t, most> next;
    std::array<std::uint16_t, banks> first;
    std::array<std::uint16_t, banks> asked{};
    std::uint16_t used = 0;
    std::uint32_t looked_at = 0;
    std::uint16_t worst = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t last = (lanes[i].address + lanes[i].shape.bytes() - 1) / 4;
        for (std::uint64_t word = lanes[i].address / 4; word <= last && looked_at < most;
             ++word, ++looked_at) {
            const auto bank = static_cast<std::uint32_t>(word % banks);
            std::uint16_t at = first[bank], left = asked[bank];
            for (; left > 0 && words[at] != word; --left)
                at = next[at];
            if (left > 0) continue;
            words[used] = word;
            next[used] = first[bank];
            first[bank] = used++;
            worst = std::max(worst, ++asked[bank]);
        }
    }
    return worst;
}

using Group = std::array<LoggedAccess, warp_lanes>;

/// Hands what was executed together, which lies side by side, to `use`.
template <class Use>
void for_each_group(std::span<const Turn> turns, Use&& use) {
    Group group;
    for (std::size_t i = 0; i < turns.size();) {
        std::uint32_t lanes = 0;
        for (const std::uint64_t key = turns[i].together; i < turns.size() && turns[i].together == key; ++i)
            group[lanes++] = turns[i].access;
        use(group, lanes);
    }
}

bool ascending(const LoggedAccess* group, std::uint32_t lanes) {
    for (std::uint32_t i = 1; i < lanes; ++i)
        if (group[i].address < group[i - 1].address) return false;
    return true;
}

void sort_by_address(Group& group, std::uint32_t lanes) {
    if (ascending(group.data(), lanes)) return;
    std::stable_sort(group.begin(), group.begin() + lanes,
                     [](const LoggedAccess& a, const LoggedAccess& b) { return a.address < b.address; });
}

/// How often shared memory is passed over for these lanes, which it serves some at a time.
std::uint64_t wavefronts(const Group& group, std::uint32_t lanes) {
    const std::uint32_t together = served_together(group[0].shape);
    std::uint64_t sum = 0;
    for (std::uint32_t first = 0; first < lanes; first += together)
        sum += passes(&group[first], std::min(together, lanes - first));
    return sum;
}

/// What the accesses of one instruction cost in sectors, or in wavefronts of shared memory.
std::uint64_t cost(std::span<const Turn> turns) {
    std::uint64_t sum = 0;
    for_each_group(turns, [&](Group& group, std::uint32_t lanes) {
        if (group[0].shape.shared()) {
            sum += wavefronts(group, lanes);
        } else {
            sort_by_address(group, lanes);
            sum += footprint(group.data(), lanes).sectors;
        }
    });
    return sum;
}

} // namespace

void TrafficCounter::launch_begins(const Configuration& c) {
    const auto known = std::find_if(kernels_.begin(), kernels_.end(), [&](const KernelTraffic& k) {
        return k.kernel == c.kernel && k.launched.line == c.line && k.launched.file == c.file;
    });
    const auto number = static_cast<std::size_t>(known - kernels_.begin());
    if (known == kernels_.end()) {
        KernelTraffic& kernel = kernels_.emplace_back();
        kernel.kernel = c.kernel;
        kernel.launched = {c.file, c.line, 0};
        rows_.emplace_back();
    }
    kernel_ = &kernels_[number];
    ++kernel_->launches;
    kernel_->threads += std::uint64_t{c.grid.x} * c.grid.y * c.grid.z * c.block.x * c.block.y * c.block.z;
    for (auto& log : logs_)
        log.clear();
}

LineTraffic& TrafficCounter::row(AccessShape shape) {
    auto& rows = rows_[static_cast<std::size_t>(kernel_ - kernels_.data())];
    const std::size_t key = std::size_t{shape.instruction()} * 8 +
                            static_cast<std::size_t>(shape.kind()) * 2 + (shape.shared() ? 1 : 0);
    if (key >= rows.size()) rows.resize(key + 1, no_row);
    auto& lines = kernel_->lines;
    if (rows[key] == no_row) {
        rows[key] = static_cast<std::uint32_t>(lines.size());
        LineTraffic& line = lines.emplace_back();
        line.where.offset = shape.instruction();
        line.kind = shape.kind();
        line.shared = shape.shared();
        line.bytes_per_lane = shape.bytes();
    }
    return lines[rows[key]];
}

/// Lanes side by side, or all at one place, need no list of what they touch.
void TrafficCounter::request(const Step& step) {
    const std::uint64_t bytes = step.shape.bytes();
    const std::uint32_t count = step.count();
    const bool dense = step.regular && (step.stride == 0 || step.stride == bytes);
    const std::uint32_t together = step.shape.shared() ? served_together(step.shape) : warp_lanes;
    const std::uint64_t span = // of those served together, from their first byte to behind the last
        step.stride * (std::min(count, together) - 1) + bytes;
    // Words side by side lie in different banks, as long as there are no more than banks.
    const bool one_pass = step.first % 4 + span <= 4 * warp_lanes;
    if (!dense || (step.shape.shared() && !one_pass)) {
        Group group;
        std::uint32_t lanes = 0;
        for (std::uint32_t left = step.lanes; left != 0; left &= left - 1) {
            group[lanes++] = {step.address[static_cast<std::size_t>(std::countr_zero(left))], step.shape};
        }
        return request(group, lanes);
    }
    LineTraffic& line = row(step.shape);
    ++line.requests;
    line.accesses += count;
    if (step.shape.shared()) {
        line.wavefronts += (count + together - 1) / together;
        return;
    }
    const std::uint64_t begin = step.first;
    add(line, {(begin + span - 1) / sector_bytes - begin / sector_bytes + 1, span});
}

/// What `group` asks for goes to the row of its instruction. Sorts the group.
void TrafficCounter::request(Group& group, std::uint32_t lanes) {
    LineTraffic& line = row(group[0].shape);
    ++line.requests;
    line.accesses += lanes;
    if (group[0].shape.shared()) {
        const std::uint32_t together = served_together(group[0].shape);
        const std::uint64_t times = wavefronts(group, lanes);
        const std::uint64_t conflicts = times - (lanes + together - 1) / together;
        line.wavefronts += times;
        line.bank_conflicts += conflicts;
        kernel_->bank_conflicts += conflicts;
        return;
    }
    sort_by_address(group, lanes);
    add(line, footprint(group.data(), lanes));
}

void TrafficCounter::add(LineTraffic& line, const Footprint& sum) {
    line.sectors += sum.sectors;
    line.useful_bytes += sum.bytes;
    kernel_->sectors += sum.sectors;
    kernel_->bytes_moved += sum.sectors * sector_bytes;
    kernel_->useful_bytes += sum.bytes;
}

void TrafficCounter::settle(WarpLog& log) {
    log.join_members();
    if (!log.apart())
        settle_steps(log);
    else if (!settle_in_step(log))
        settle_apart(log);
    log.clear();
}

/// The common case: every lane that did anything did the same, though some may have stopped earlier.
void TrafficCounter::settle_steps(const WarpLog& log) {
    // Rows are made in the order of settle_apart where lanes stopped earlier, as if they had gone apart.
    if (!log.all_to_the_end()) {
        std::vector<AccessShape> order;
        for (std::uint32_t number = 0; number < log.steps(); ++number)
            order.push_back(log.step(number).shape);
        std::stable_sort(order.begin(), order.end(),
                         [](AccessShape a, AccessShape b) { return a.instruction() < b.instruction(); });
        for (const AccessShape shape : order)
            row(shape);
    }
    for (std::uint32_t number = 0; number < log.steps(); ++number)
        request(log.step(number));
}

/// Every lane that did anything did the same, though with different numbers of bytes. False if that is not
/// so; nothing is counted then.
bool TrafficCounter::settle_in_step(const WarpLog& log) {
    std::array<const std::vector<LoggedAccess>*, warp_lanes> active;
    std::uint32_t lanes = 0;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane)
        if (!log.list(lane).empty()) active[lanes++] = &log.list(lane);
    const auto& leader = *active[0];
    for (std::uint32_t lane = 1; lane < lanes; ++lane) {
        const auto& list = *active[lane];
        if (list.size() != leader.size()) return false;
        for (std::size_t i = 0; i < leader.size(); ++i)
            if (list[i].shape.instruction() != leader[i].shape.instruction()) return false;
    }
    Group group;
    for (std::size_t i = 0; i < leader.size(); ++i) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            group[lane] = (*active[lane])[i];
        request(group, lanes);
    }
    return true;
}

/// Lanes went different ways. What they did together cannot be seen in all cases, so the doubt is theirs: an
/// instruction's executions go by number or by round, whichever costs least.
void TrafficCounter::settle_apart(const WarpLog& log) {
    std::vector<Turn> turns = turns_of(log), tried;
    const Rounds rounds(log);
    for (auto begin = turns.begin(); begin != turns.end();) {
        const auto end = std::find_if(
            begin, turns.end(), [&](const Turn& turn) { return turn.instruction != begin->instruction; });
        const std::span<Turn> same(begin, end);
        std::uint64_t least = rounds.are_uneven(same) ? cost(same) : 0;
        for (std::size_t way = 0; least > 0 && way < rounds.count(); ++way) {
            tried.assign(begin, end);
            rounds.put_together(tried, way);
            if (const std::uint64_t now = cost(tried); now < least) {
                least = now;
                std::ranges::copy(tried, begin);
            }
        }
        for_each_group(same, [&](Group& group, std::uint32_t lanes) { request(group, lanes); });
        begin = end;
    }
}

} // namespace cuda_emulator
