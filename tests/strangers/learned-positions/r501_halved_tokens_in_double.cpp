// right: the tokens of all sequences are one range, halved recursively and shared among up to four threads; sums are made in double and rounded once to float, which gives the bits of the float addition and keeps a quiet NaN.
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <thread>

namespace exercise {
namespace {

struct Job {
    Matrix<const float> wte;
    Matrix<const float> wpe;
    Ids2D ids;
    std::size_t start;
    Tensor3<float> out;

    void token(std::size_t number) const {
        const std::size_t b = number / ids.cols;
        const std::size_t t = number % ids.cols;
        const float* const x = wte.row(static_cast<std::size_t>(ids(b, t)));
        std::transform(x, x + wte.cols, wpe.row(start + t), out.row(b, t), [](double token, double position) {
            return static_cast<float>(token + position);
        });
    }

    /// Tokens [from, to); `depth` says how often the range may still be given to two threads.
    void range(std::size_t from, std::size_t to, int depth) const {
        constexpr std::size_t worth_a_thread = 1U << 18; // elements
        if (depth == 0 || (to - from) * wte.cols < worth_a_thread) {
            for (std::size_t number = from; number < to; ++number)
                token(number);
            return;
        }
        const std::size_t middle = from + (to - from) / 2;
        const std::jthread other([=, this] { range(middle, to, depth - 1); });
        range(from, middle, depth - 1);
    }
};

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows || ids.cols > wpe.rows - start) {
        const std::size_t p = std::max(start, wpe.rows);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    }
    const std::size_t tokens = ids.rows * ids.cols;
    std::size_t number = 0;
    while (number < tokens) { // a row at a time, without a division for each id
        const TokenId* const row = ids.row(number / ids.cols);
        for (std::size_t t = 0; t < ids.cols; ++t, ++number)
            if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= wte.rows)
                return Status::id_out_of_range(number, row[t], wte.rows);
    }
    if (tokens > 0 && wte.cols > 0) Job{wte, wpe, ids, start, out}.range(0, tokens, 2);
    return Status{};
}

} // namespace exercise
