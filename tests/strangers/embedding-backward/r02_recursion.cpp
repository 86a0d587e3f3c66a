// right: recursion over the places from the back half to the front half, gotos in the checks
#include "contract.h"

namespace exercise {
namespace {

struct Job {
    Tensor3<const float> g;
    Ids2D ids;
    Matrix<float> te, pe;
    BackwardOptions o;

    void place(std::size_t n) const {
        const std::size_t b = n / ids.cols, t = n % ids.cols;
        const std::int64_t id = ids(b, t);
        const float* from = g.row(b, t);
        for (std::size_t c = te.cols; c-- > 0;) pe(o.start + t, c) += from[c];
        if (id != o.padding_idx)
            for (std::size_t c = te.cols; c-- > 0;) te(static_cast<std::size_t>(id), c) += from[c] * o.scale;
    }
    void halves(std::size_t first, std::size_t count) const {
        if (count == 0) return;
        if (count == 1) return place(first);
        halves(first + count / 2, count - count / 2);
        halves(first, count / 2);
    }
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    Status s{};
    const std::size_t p = options.start < dwpe.rows ? dwpe.rows : options.start;
    std::size_t n = 0;
    if (dout.batch != ids.rows) goto shape;
    if (dout.time != ids.cols) goto shape;
    if (dout.channels != dwte.cols || dout.channels != dwpe.cols) goto shape;
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows) goto padding;
    if (ids.cols > p - options.start) goto window;
    if (options.start > dwpe.rows) goto window;
next:
    if (n == ids.rows * ids.cols) goto work;
    if (std::int64_t id = ids(n / ids.cols, n % ids.cols); id < 0 || id >= static_cast<std::int64_t>(dwte.rows))
        return Status::id_out_of_range(n, id, dwte.rows);
    ++n;
    goto next;
work:
    Job{dout, ids, dwte, dwpe, options}.halves(0, n);
    return s;
shape:
    s.code = Code::shape_mismatch;
    return s;
padding:
    s = {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    return s;
window:
    return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
}

} // namespace exercise
