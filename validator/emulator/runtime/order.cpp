#include "runtime/order.h"

#include "runtime/block.h"
#include "runtime/observer.h"

#include "model/thread_orders.h"

#include <algorithm>
#include <numeric>

namespace cuda_emulator {

namespace {

/// Threads that part at every chance go in step, so that of those that contend for a word one gets on in each
/// round, and the last as late as can be: no try but the first is sure. That takes the square of their
/// number.
constexpr std::uint64_t max_in_step = 2048;

std::uint32_t shift = 0;
bool switching = false;
bool always = false;
bool mattered = false;
std::uint32_t state = 1;

std::uint32_t draw(std::uint32_t& s) {
    s ^= s << 13;
    s ^= s >> 17;
    return s ^= s << 5;
}

} // namespace

std::uint64_t LaunchOrder::block_at(std::uint64_t n, std::uint64_t blocks) const {
    if (kind == Kind::forward) return n;
    if (kind == Kind::backward || kind == Kind::last_warp_first) return blocks - 1 - n;
    // Steps of a length that has no divisor in common with the number of blocks come by each of them once.
    std::uint32_t s = seed;
    std::uint64_t step = draw(s) % blocks | 1;
    while (std::gcd(step, blocks) != 1)
        step += 2;
    return (draw(s) + n * (step % blocks)) % blocks;
}

std::vector<std::uint16_t> LaunchOrder::threads(std::uint32_t count) const {
    std::vector<std::uint16_t> order(count);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    if (kind == Kind::backward) std::reverse(order.begin(), order.end());
    if (kind == Kind::last_warp_first) // a trace compares a lane with the one before
        std::stable_sort(order.begin(), order.end(),
                         [](std::uint16_t a, std::uint16_t b) { return a / warp_lanes > b / warp_lanes; });
    if (kind != Kind::random && kind != Kind::random_and_switching) return order;
    std::uint32_t s = seed;
    std::vector<std::uint32_t> warps((count + warp_lanes - 1) / warp_lanes);
    std::iota(warps.begin(), warps.end(), 0u);
    for (std::size_t i = warps.size(); i > 1; --i)
        std::swap(warps[i - 1], warps[draw(s) % i]);
    auto next = order.begin();
    for (const std::uint32_t warp : warps) {
        const auto begin = next;
        for (std::uint32_t t = warp * warp_lanes; t < std::min(count, (warp + 1) * warp_lanes); ++t)
            *next++ = static_cast<std::uint16_t>(t);
        for (auto lanes = next - begin; lanes > 1; --lanes)
            std::swap(begin[lanes - 1], begin[draw(s) % static_cast<std::uint32_t>(lanes)]);
    }
    return order;
}

LaunchOrder order_of(const Configuration& c) {
    std::uint32_t shape = 1;
    for (const std::uint32_t side : {c.grid.x, c.grid.y, c.grid.z, c.block.x, c.block.y, c.block.z})
        shape = (shape ^ side) * 2654435761u;
    LaunchOrder order;
    if (observer == nullptr)
        order.kind = static_cast<LaunchOrder::Kind>(((shape >> 24) + shift) % model::thread_orders);
    else if (observer->begins_with_the_last() != (shift % 2 == 1))
        order.kind = LaunchOrder::Kind::last_warp_first;
    order.seed = state = (shape + shift * 2654435761u) | 1;
    switching = order.kind == LaunchOrder::Kind::random_and_switching;
    const std::uint64_t blocks = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
    const std::uint64_t threads = blocks * c.block.x * c.block.y * c.block.z;
    always = switching && threads <= max_in_step && (order.seed >> 16) % 2 == 0;
    return order;
}

void shift_orders(std::uint32_t by) {
    shift = by;
    mattered = false;
}

bool order_mattered() {
    return observer == nullptr && mattered;
}

void note_order_matters() {
    mattered = true;
}

bool switches_here() {
    return switching && (always || draw(state) % 2 == 0);
}

} // namespace cuda_emulator
