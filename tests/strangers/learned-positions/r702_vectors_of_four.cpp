// right: GCC vector extension, loaded and stored by memcpy, four floats at a time and a scalar tail; the checks are lambdas that return an optional
#include "contract.h"

#include <cstring>
#include <optional>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    using Four = float __attribute__((vector_size(16)));
    const std::size_t C = wte.cols, B = ids.rows, T = ids.cols, V = wte.rows, P = wpe.rows;
    using Refusal = std::optional<Status>;

    const auto shapes = [&]() -> Refusal {
        if (wpe.cols == C && out.channels == C && out.batch == B && out.time == T) return {};
        return Status{Code::shape_mismatch};
    };
    const auto window = [&]() -> Refusal {
        if (start <= P && T <= P - start) return {};
        const std::size_t p = start < P ? P : start;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    };
    const auto tokens = [&]() -> Refusal {
        if (T == 0) return {};
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                // a negative id becomes a number of 2^63 or more, which no V reaches
                const std::int64_t id = ids(b, t);
                if (static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
            }
        return {};
    };
    if (const Refusal r = shapes()) return *r;
    if (const Refusal r = window()) return *r;
    if (const Refusal r = tokens()) return *r;
    if (B == 0 || T == 0 || C == 0) return {};

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* x = wte.row(static_cast<std::size_t>(ids(b, t)));
            const float* y = wpe.row(start + t);
            float* z = out.row(b, t);
            std::size_t c = 0;
            for (; C - c >= 4; c += 4) {
                Four p, q;
                std::memcpy(&p, x + c, sizeof p);
                std::memcpy(&q, y + c, sizeof q);
                p = p + q;
                std::memcpy(z + c, &p, sizeof p);
            }
            for (; c < C; ++c)
                z[c] = x[c] + y[c];
        }
    return {};
}

} // namespace exercise
