// right: three joined threads that each own a third of the channels, places visited from the last to the first, a list of pointers instead of indices
#include "contract.h"
#include <thread>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, P = dwpe.rows;
    if (C != dwpe.cols || C != dout.channels || B != dout.batch || T != dout.time) return {.code = Code::shape_mismatch};
    if (options.padding_idx >= static_cast<std::int64_t>(dwte.rows))
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (P < T || options.start > P - T) {
        if (options.start <= P) return Status::position_out_of_range(P - options.start, static_cast<std::int64_t>(P), P);
        return Status::position_out_of_range(0, static_cast<std::int64_t>(options.start), P);
    }
    for (std::size_t b = 0, n = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t, ++n)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(n, ids(b, t), dwte.rows);
    if (B != 0 && T != 0 && C != 0) {
        struct Step {
            const float* from;
            float* token; // null: padding
            float* position;
        };
        std::vector<Step> steps;
        steps.reserve(B * T);
        for (std::size_t b = B; b-- > 0;)
            for (std::size_t t = T; t-- > 0;)
                steps.push_back({dout.row(b, t),
                                 ids(b, t) == options.padding_idx ? nullptr
                                                                  : dwte.row(static_cast<std::size_t>(ids(b, t))),
                                 dwpe.row(options.start + t)});
        const auto work = [&steps, scale = options.scale](std::size_t first, std::size_t last) {
            for (const Step& step : steps)
                for (std::size_t c = first; c < last; ++c) {
                    if (step.token != nullptr) step.token[c] += scale * step.from[c];
                    step.position[c] += step.from[c];
                }
        };
        std::thread one(work, 0, C / 3), two(work, C / 3, C / 3 * 2);
        work(C / 3 * 2, C);
        one.join();
        two.join();
    }
    return {};
}

} // namespace exercise
