#include "harness/tensors.h"

#include "harness/compare.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <utility>

using namespace harness;

TEST_CASE("a grid starts as poison, padding included") {
    const Grid<float> floats(2, 3, 5);
    CHECK(floats.cells().size() == 10);
    for (const float value : floats.cells()) {
        CHECK(std::isnan(value));
        CHECK(is_poison(value));
    }
    const Grid<double> doubles(1, 2);
    CHECK(std::isnan(doubles(0, 1)));
    CHECK(Grid<std::int32_t>(1, 1)(0, 0) == 0x5a5a5a5a);
    CHECK(Grid<std::uint8_t>(1, 1)(0, 0) == 0x5a);
}

TEST_CASE("rows, cells and views of a grid show the same elements") {
    Grid<int> grid(2, 3, 4);
    grid(1, 2) = 7;
    CHECK(grid.row(1).size() == 3);
    CHECK(grid.row(1)[2] == 7);
    CHECK(grid.cells()[6] == 7);
    const contract::Matrix<int> view = grid;
    CHECK(view(1, 2) == 7);
    CHECK(view.stride == 4);
    const contract::Matrix<const int> read_only = std::as_const(grid);
    CHECK(read_only.row(1)[2] == 7);
    grid.fill(3);
    CHECK(grid.cells()[3] == 3);
}

TEST_CASE("values fill a grid in reading order") {
    const Grid<int> grid(2, 2, {1, 2, 3, 4});
    CHECK(grid(0, 1) == 2);
    CHECK(grid(1, 0) == 3);
}

TEST_CASE("grids are equal bit for bit, padding and shape included") {
    Grid<float> a(1, 2, 3);
    Grid<float> b(1, 2, 3);
    CHECK(a == b); // NaN of the same bits
    b.cells()[2] = 0;
    CHECK_FALSE(a == b);
    CHECK_FALSE(Grid<float>(1, 1, {0.0F}) == Grid<float>(1, 1, {-0.0F}));
    CHECK_FALSE(Grid<float>(2, 3) == Grid<float>(3, 2));
    CHECK(Grid<float>(0, 3) == Grid<float>(0, 3));
    CHECK_FALSE(Grid<float>(0, 3) == Grid<float>(0, 2));
}

TEST_CASE("a cube lies dense in the order batch, time, channel") {
    Cube<int> cube(2, 3, 4);
    cube(1, 2, 3) = 9;
    CHECK(cube.cells().back() == 9);
    CHECK(cube.row(1, 2)[3] == 9);
    CHECK(cube.view()(1, 2, 3) == 9);
    CHECK(is_poison(cube(0, 0, 0)));
    CHECK(Cube<int>(1, 1, 2, {5, 6})(0, 0, 1) == 6);
    CHECK(Cube<float>(1, 1, 2) == Cube<float>(1, 1, 2));
    CHECK_FALSE(Cube<float>(1, 2, 1) == Cube<float>(1, 1, 2));
    CHECK_FALSE(Cube<int>(1, 1, 2, {5, 6}) == Cube<int>(1, 1, 2, {5, 7}));
}

TEST_CASE("random tensors are filled within their rows, and repeat by seed") {
    Random one(7);
    Random two(7);
    const Grid<float> grid = random_grid<float>(one, 3, 4, 6);
    CHECK(grid == random_grid<float>(two, 3, 4, 6));
    for (std::size_t r = 0; r < 3; ++r) {
        for (const float value : grid.row(r))
            CHECK(std::isfinite(value));
        CHECK(is_poison(grid.cells()[r * 6 + 4]));
        CHECK(is_poison(grid.cells()[r * 6 + 5]));
    }
    const Cube<double> cube = random_cube<double>(one, 2, 2, 2);
    for (const double value : cube.cells())
        CHECK(std::isfinite(value));
}

TEST_CASE("random ids lie in the vocabulary and reach both its ends") {
    Random random(8);
    bool first = false;
    bool last = false;
    for (const contract::TokenId id : random_ids(random, 500, 5)) {
        CHECK(id >= 0);
        CHECK(id < 5);
        first = first || id == 0;
        last = last || id == 4;
    }
    CHECK(first);
    CHECK(last);
    CHECK(random_ids(random, 0, 5).empty());
    const auto grid = random_id_grid(random, 2, 3, 1);
    CHECK(grid == Grid<contract::TokenId>(2, 3, {0, 0, 0, 0, 0, 0}));
}

TEST_CASE("magnitudes are spread in some draws and left alone in others") {
    Random random(1);
    bool any_spread = false, any_left = false;
    for (int draw = 0; draw < 20; ++draw) {
        std::vector<float> ones(50, 1);
        spread_magnitudes(random, ones);
        const auto [least, most] = std::ranges::minmax(ones);
        (most / least > 0x1p20F ? any_spread : any_left) = true;
        CHECK(least >= 0x1p-40F);
        CHECK(most <= 0x1p40F);
    }
    CHECK(any_spread);
    CHECK(any_left);
}
