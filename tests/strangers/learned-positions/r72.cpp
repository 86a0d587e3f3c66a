// right: halves the rows by recursion down to blocks of at most 7, the upper half of large ones on a thread of its own; a row is copied from wpe by memcpy first and the token's row is added in place.
#include "contract.h"

#include <cstring>
#include <thread>

namespace exercise {
namespace {

struct Job {
    Matrix<const float> wte, wpe;
    Ids2D ids;
    std::size_t start;
    Tensor3<float> out;

    TokenId id(std::size_t i) const { return ids.data[i / ids.cols * ids.stride + i % ids.cols]; }

    // the number of the first bad id in [begin, end), or end
    std::size_t bad(std::size_t begin, std::size_t end) const {
        while (begin != end && id(begin) >= 0 && static_cast<std::uint32_t>(id(begin)) < wte.rows)
            ++begin;
        return begin;
    }

    void rows(std::size_t begin, std::size_t end) const {
        if (end - begin > 7) {
            const std::size_t middle = begin + (end - begin) / 2;
            if ((end - begin) * wte.cols > 500000) {
                std::thread upper([=, this] { rows(middle, end); });
                rows(begin, middle);
                upper.join();
            } else {
                rows(middle, end);
                rows(begin, middle);
            }
            return;
        }
        const std::size_t width = wte.cols;
        for (; begin < end && width > 0; ++begin) {
            float* to = out.data + begin * width;
            std::memcpy(to, wpe.row(start + begin % ids.cols), width * sizeof(float));
            for (const float *word = wte.row(static_cast<std::size_t>(id(begin))), *last = word + width; word != last;)
                *to++ += *word++;
        }
    }
};

constexpr std::size_t larger(std::size_t a, std::size_t b) { return a < b ? b : a; }

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const Job job{wte, wpe, ids, start, out};
    const std::size_t sizes[][2] = {{wpe.cols, wte.cols}, {out.batch, ids.rows}, {out.time, ids.cols}, {out.channels, wte.cols}};
    for (const auto& [is, should] : sizes)
        if (is != should) return {Code::shape_mismatch, 0, 0, 0};
    const bool window = start <= wpe.rows && wpe.rows - start >= ids.cols;
    if (!window) {
        const std::size_t p = larger(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return {};
    const std::size_t all = ids.rows * ids.cols, bad = job.bad(0, all);
    if (bad < all) return Status::id_out_of_range(bad, job.id(bad), wte.rows);
    job.rows(0, all);
    return {};
}

} // namespace exercise
