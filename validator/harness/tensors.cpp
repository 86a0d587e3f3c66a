#include "harness/tensors.h"

#include "subject/session.h"

namespace harness {

std::byte* allocate_shared(std::size_t bytes) {
    return subject::Session::current().shared_bytes(bytes);
}

std::vector<contract::TokenId> random_ids(Random& random, std::size_t count, std::size_t vocabulary) {
    std::vector<contract::TokenId> ids(count);
    for (contract::TokenId& id : ids)
        id = static_cast<contract::TokenId>(random.size(0, vocabulary - 1));
    return ids;
}

Grid<contract::TokenId> random_id_grid(Random& random, std::size_t batch, std::size_t time,
                                       std::size_t vocabulary) {
    Grid<contract::TokenId> ids(batch, time);
    for (contract::TokenId& id : ids.cells())
        id = static_cast<contract::TokenId>(random.size(0, vocabulary - 1));
    return ids;
}

} // namespace harness
