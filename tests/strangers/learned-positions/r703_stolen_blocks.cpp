// right: up to four threads take blocks of 16 tokens from an atomic counter; if no thread can be had the caller does all of it; the first bad id is found before by one thread
#include "contract.h"

#include <atomic>
#include <algorithm>
#include <system_error>
#include <thread>

namespace exercise {

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wte.cols != wpe.cols || wte.cols != out.channels || ids.rows != out.batch || ids.cols != out.time)
        return Status{Code::shape_mismatch};
    const std::size_t last = std::max(start, wpe.rows);
    const std::size_t room = last - start; // 0 if start is at or behind the end
    if (start > wpe.rows || ids.cols > room)
        return Status::position_out_of_range(room, static_cast<std::int64_t>(last), wpe.rows);
    const bool empty = ids.rows == 0 || ids.cols == 0;
    const std::size_t tokens = empty ? 0 : ids.rows * ids.cols;
    for (std::size_t i = 0, b = 0, t = 0; i < tokens; ++i) {
        const TokenId id = ids(b, t);
        if (id < 0 || static_cast<std::size_t>(id) >= wte.rows) return Status::id_out_of_range(i, id, wte.rows);
        if (++t == ids.cols) t = 0, ++b;
    }
    if (tokens == 0 || wte.cols == 0) return Status{};

    constexpr std::size_t block = 16;
    const std::size_t blocks = tokens / block + (tokens % block != 0);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k = next.fetch_add(1); k < blocks; k = next.fetch_add(1)) {
            const std::size_t end = std::min(tokens, (k + 1) * block);
            for (std::size_t i = k * block; i < end; ++i) {
                const std::size_t b = i / ids.cols, t = i % ids.cols;
                const float* token = wte.row(static_cast<std::size_t>(ids(b, t)));
                const float* place = wpe.row(start + t);
                std::transform(token, token + wte.cols, place, out.row(b, t), [](float x, float y) { return x + y; });
            }
        }
    };
    std::thread helpers[3];
    try {
        if (blocks > 8)
            for (std::thread& helper : helpers)
                helper = std::thread(work);
    } catch (const std::system_error&) {
    }
    work();
    for (std::thread& helper : helpers)
        if (helper.joinable()) helper.join();
    return Status{};
}

} // namespace exercise
