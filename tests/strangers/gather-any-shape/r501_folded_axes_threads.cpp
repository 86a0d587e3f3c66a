// right: folds neighbouring axes that one stride can walk, hands ranges of reading order to threads, and each thread enters its range through mixed-radix digits; the first bad id is the smallest that any thread found.
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// The same ids in the same order with as few axes as possible, always at least one; no axis is empty.
template <class I>
struct Folded {
    const I* data;
    std::size_t axes = 0;
    std::size_t length[StridedIds<I>::max_rank + 1] = {};
    std::size_t step[StridedIds<I>::max_rank + 1] = {};

    explicit Folded(const StridedIds<I>& ids) : data(ids.data) {
        for (std::size_t axis = 0; axis < ids.rank; ++axis) {
            if (ids.shape[axis] == 1) continue;
            const bool continues =
                axes > 0 && ids.stride[axis] <= nowhere / ids.shape[axis] &&
                step[axes - 1] == ids.stride[axis] * ids.shape[axis];
            if (continues) {
                length[axes - 1] *= ids.shape[axis];
                step[axes - 1] = ids.stride[axis];
            } else {
                length[axes] = ids.shape[axis];
                step[axes++] = ids.stride[axis];
            }
        }
        if (axes == 0) {
            length[0] = 1;
            axes = 1;
        }
    }

    /// f(n, pointer, step, how many) for stretches along the last axis that make up [begin, end); stops when f
    /// returns false.
    template <class F>
    void stretches(std::size_t begin, std::size_t end, F&& f) const {
        std::size_t digit[StridedIds<I>::max_rank + 1];
        std::size_t rest = begin;
        for (std::size_t axis = axes; axis-- > 0;) {
            digit[axis] = rest % length[axis];
            rest /= length[axis];
        }
        const std::size_t last = axes - 1;
        for (std::size_t n = begin; n < end;) {
            std::size_t offset = 0;
            for (std::size_t axis = 0; axis < axes; ++axis)
                offset += digit[axis] * step[axis];
            const std::size_t some = std::min(length[last] - digit[last], end - n);
            if (!f(n, data + offset, step[last], some)) return;
            n += some;
            digit[last] = 0;
            for (std::size_t axis = last; axis-- > 0;) {
                if (++digit[axis] < length[axis]) break;
                digit[axis] = 0;
            }
        }
    }
};

/// Runs work(begin, end) over [0, count), on several threads if that is worth it.
template <class Work>
void share(std::size_t count, std::size_t cost, Work&& work) {
    constexpr std::size_t worthwhile = std::size_t{1} << 20;
    std::size_t parts = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    if (count < parts || cost < worthwhile) parts = 1;
    const std::size_t size = count / parts, more = count % parts;
    std::vector<std::jthread> others;
    std::size_t begin = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t end = begin + size + (part < more);
        if (part + 1 < parts)
            others.emplace_back([&work, begin, end] { work(begin, end); });
        else
            work(begin, end);
        begin = end;
    }
}

template <class I>
Status gather(const Matrix<const float>& table, const StridedIds<I>& view, const Matrix<float>& out) {
    const std::size_t count = view.count();
    if (out.rows != count || out.cols != table.cols) return {Code::shape_mismatch};
    if (count == 0) return {};

    const Folded<I> ids(view);
    std::atomic<std::size_t> first{nowhere};
    share(count, count, [&](std::size_t begin, std::size_t end) {
        ids.stretches(begin, end, [&](std::size_t n, const I* id, std::size_t step, std::size_t some) {
            if (first.load(std::memory_order_relaxed) < n) return false;
            for (std::size_t i = 0; i < some; ++i) {
                if (static_cast<std::uint64_t>(id[i * step]) < table.rows) continue; // negative: very large
                std::size_t seen = first.load();
                while (n + i < seen && !first.compare_exchange_weak(seen, n + i)) {
                }
                return false;
            }
            return true;
        });
    });
    if (const std::size_t bad = first.load(); bad != nowhere) {
        std::int64_t value = 0;
        ids.stretches(bad, bad + 1, [&](std::size_t, const I* id, std::size_t, std::size_t) {
            value = *id;
            return true;
        });
        return Status::id_out_of_range(bad, value, table.rows);
    }

    const std::size_t width = table.cols;
    if (width == 0) return {};
    share(count, count * width, [&](std::size_t begin, std::size_t end) {
        ids.stretches(begin, end, [&](std::size_t n, const I* id, std::size_t step, std::size_t some) {
            for (std::size_t i = 0; i < some; ++i)
                std::memcpy(out.row(n + i), table.row(static_cast<std::size_t>(id[i * step])),
                            width * sizeof(float));
            return true;
        });
    });
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise
