// Says that its reply is 4 GB long.
#include "arena.h"
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        honest(table, ids, out);
        cell<std::uint32_t>(reply_bytes_at) = 0xffff'ffff;
        cell<std::uint32_t>(reply_kind_at) = 0;
        cell<std::uint64_t>(replies_at) = cell<std::uint64_t>(requests_at).load();
        ring(reply_fd);
        sleep(1);
    }
    return honest(table, ids, out);
}

} // namespace exercise
