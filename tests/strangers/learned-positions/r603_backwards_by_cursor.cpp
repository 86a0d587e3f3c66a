// right: runs through the batch from its end to its start, so the last bad id found is the first in reading order, and fills out from its last element down
#include "contract.h"

#include <cstdint>
#include <optional>

namespace exercise {
namespace {

struct Cursor { // over (b, t), backwards
    std::size_t b, t, time, n;

    Cursor(std::size_t batch, std::size_t length) : b(batch), t(0), time(length), n(batch * length) {}
    bool back() {
        if (n == 0) return false;
        --n;
        if (t == 0) {
            t = time;
            --b;
        }
        --t;
        return true;
    }
};

std::optional<Status> wrong_window(std::size_t start, std::size_t T, std::size_t P) {
    std::size_t where;
    if (start <= P && P - start >= T)
        return std::nullopt;
    else if (start <= P)
        where = P - start;
    else
        where = 0;
    return Status::position_out_of_range(where, static_cast<std::int64_t>(start + where), P);
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wte.cols != wpe.cols || wte.cols != out.channels || ids.rows != out.batch || ids.cols != out.time)
        return Status{Code::shape_mismatch};
    if (const auto status = wrong_window(start, ids.cols, wpe.rows)) return *status;

    std::optional<Status> refusal;
    for (Cursor at(ids.rows, ids.cols); at.back();)
        if (const TokenId id = ids(at.b, at.t); id < 0 || wte.rows <= static_cast<std::size_t>(id))
            refusal = Status::id_out_of_range(at.n, id, wte.rows);
    if (refusal) return *refusal;

    if (wte.cols == 0 || ids.rows == 0 || ids.cols == 0) return Status{};
    float* to = out.data + ids.rows * ids.cols * wte.cols;
    for (Cursor at(ids.rows, ids.cols); at.back();) {
        const float* token = wte.row(static_cast<std::size_t>(ids(at.b, at.t))) + wte.cols;
        const float* position = wpe.row(start + at.t) + wte.cols;
        for (std::size_t c = wte.cols; c > 0; --c)
            *--to = *--position + *--token;
    }
    return Status{};
}

} // namespace exercise
