// Sends a kind of reply that there is not.
#include "arena.h"
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        cell<std::uint32_t>(reply_bytes_at) = 4;
        cell<std::uint32_t>(reply_kind_at) = 12345;
        cell<std::uint64_t>(replies_at) = cell<std::uint64_t>(requests_at).load();
        ring(reply_fd);
        sleep(1);
    }
    return honest(table, ids, out);
}

} // namespace exercise
