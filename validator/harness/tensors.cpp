#include "harness/tensors.h"

#include "subject/session.h"

#include <cmath>

namespace harness {

std::byte* allocate_shared(std::size_t bytes) {
    return subject::Session::current().shared_bytes(bytes);
}

void spread_magnitudes(Random& random, std::span<float> values) {
    constexpr std::size_t most = 40;
    if (random.bits() % 2 == 0) return;
    for (float& value : values)
        value = std::ldexp(value, static_cast<int>(random.size(0, 2 * most)) - static_cast<int>(most));
}

Grid<float> spread_grid(Random& random, std::size_t rows, std::size_t cols) {
    auto grid = random_grid<float>(random, rows, cols);
    spread_magnitudes(random, grid.cells());
    return grid;
}

Cube<float> spread_cube(Random& random, std::size_t batch, std::size_t time, std::size_t channels) {
    auto cube = random_cube<float>(random, batch, time, channels);
    spread_magnitudes(random, cube.cells());
    return cube;
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
