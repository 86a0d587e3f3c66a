// right: an odometer of four digits with axes of length 1 put in front, 32-bit ids handled by the 64-bit odometer through a function pointer, copy as 32-bit integers in blocks of 7 columns
#include "contract.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace exercise {
namespace {

using Load = std::int64_t (*)(const void* data, std::size_t offset);

template <class I>
std::int64_t load(const void* data, std::size_t offset) {
    return static_cast<const I*>(data)[offset];
}

struct Odometer {
    std::array<std::size_t, 4> length{1, 1, 1, 1}, step{}, digit{};
    std::size_t offset = 0;

    Odometer(std::size_t rank, const std::size_t* shape, const std::size_t* stride) {
        std::copy_backward(shape, shape + rank, length.end());
        std::copy_backward(stride, stride + rank, step.end());
    }
    void turn() {
        for (std::size_t axis = 4; axis-- > 0;) {
            offset += step[axis];
            if (++digit[axis] != length[axis]) return;
            offset -= step[axis] * length[axis];
            digit[axis] = 0;
        }
    }
};

Status run(Matrix<const float> table, std::size_t N, Odometer start, const void* data, Load at, Matrix<float> out) {
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};
    Odometer o = start;
    for (std::size_t n = 0; n < N; ++n, o.turn()) {
        const std::int64_t id = at(data, o.offset);
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows) return Status::id_out_of_range(n, id, table.rows);
    }
    o = start;
    for (std::size_t n = 0; n < N; ++n, o.turn()) {
        const std::size_t r = static_cast<std::size_t>(at(data, o.offset));
        for (std::size_t c = 0; c < table.cols; c += 7) {
            const std::size_t count = std::min<std::size_t>(7, table.cols - c);
            std::uint32_t box[7];
            std::memcpy(box, table.data + (r * table.stride + c), count * 4);
            std::memcpy(out.data + (n * out.stride + c), box, count * 4);
        }
    }
    return {};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return run(table, ids.count(), Odometer(ids.rank, ids.shape, ids.stride), ids.data, load<std::int32_t>, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return run(table, ids.count(), Odometer(ids.rank, ids.shape, ids.stride), ids.data, load<std::int64_t>, out);
}

} // namespace exercise
