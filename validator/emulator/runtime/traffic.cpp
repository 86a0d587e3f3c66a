#include "runtime/traffic.h"

#include "runtime/apart.h"

#include <algorithm>
#include <span>

namespace cuda_emulator {

using emulator::KernelTraffic;
using emulator::LineTraffic;

using model::sector_bytes;

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

void TrafficCounter::settle_apart(const WarpLog& log) {
    const std::vector<Turn> turns = requests_apart(log);
    for_each_request(turns, [&](Group& group, std::uint32_t lanes) { request(group, lanes); });
}

} // namespace cuda_emulator
