// Writes random bytes all over the control block, again and again, and rings every bell.
#include "arena.h"
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::uint32_t state = 1;
        for (;;) {
            for (std::size_t at = 0; at < reply_message_at + 16384; at += 4) {
                state = state * 1664525 + 1013904223;
                cell<std::uint32_t>(at).store(state, std::memory_order_relaxed);
            }
            ring(reply_fd);
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
