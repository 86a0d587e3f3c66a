// right: threads (joined) share out the channels in blocks of 7, each goes over all places in reverse order and multiplies term by term in float; small calls use one thread; refusals by a table of lambdas.
#include "contract.h"

#include <functional>
#include <ranges>
#include <thread>
#include <vector>

namespace exercise {

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::function<Status()> refusals[] = {
        [&]() -> Status {
            const bool fit = dout.batch == ids.rows && dout.time == ids.cols && dout.channels == dwte.cols && dwte.cols == dwpe.cols;
            return fit ? Status{} : Status{Code::shape_mismatch};
        },
        [&]() -> Status {
            const std::int64_t v = static_cast<std::int64_t>(dwte.rows);
            return options.padding_idx < v ? Status{} : Status{Code::invalid_argument, 0, options.padding_idx, v};
        },
        [&]() -> Status {
            const std::size_t p = options.start < dwpe.rows ? dwpe.rows : options.start; // max(start, P)
            const std::size_t left = p - options.start;
            if (options.start <= dwpe.rows && ids.cols <= left) return Status{};
            return Status::position_out_of_range(left, static_cast<std::int64_t>(p), dwpe.rows);
        },
        [&]() -> Status {
            for (std::size_t b = 0; b < ids.rows; ++b)
                for (std::size_t t = 0; t < ids.cols; ++t)
                    if (const std::int64_t id = ids(b, t); id < 0 || static_cast<std::uint64_t>(id) >= dwte.rows)
                        return Status::id_out_of_range(b * ids.cols + t, id, dwte.rows);
            return Status{};
        }};
    for (const auto& refusal : refusals)
        if (const Status s = refusal(); s != Status{}) return s;

    constexpr std::size_t block = 7;
    const std::size_t blocks = dwte.cols / block + (dwte.cols % block != 0);
    const auto work = [&](std::size_t first, std::size_t step) {
        for (std::size_t k = first; k < blocks; k += step) {
            const std::size_t begin = k * block, end = k + 1 == blocks ? dwte.cols : begin + block;
            for (std::size_t b = ids.rows; b-- > 0;)
                for (std::size_t t = ids.cols; t-- > 0;) {
                    const TokenId id = ids(b, t);
                    const float* g = dout.row(b, t);
                    float* place = dwpe.row(options.start + t);
                    for (std::size_t c = begin; c < end; ++c)
                        place[c] = g[c] + place[c];
                    if (id == options.padding_idx) continue;
                    float* token = dwte.row(static_cast<std::size_t>(id));
                    for (std::size_t c = begin; c < end; ++c)
                        token[c] = g[c] * options.scale + token[c];
                }
        }
    };
    if (ids.rows * ids.cols * dwte.cols < 30000) {
        work(0, 1);
        return {};
    }
    std::vector<std::thread> team;
    for (std::size_t k = 1; k < 5; ++k)
        team.emplace_back(work, k, 5);
    work(0, 5);
    for (std::thread& t : team)
        t.join();
    return {};
}

} // namespace exercise
