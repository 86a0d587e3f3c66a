#include "picture/project.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace picture;

namespace {

/// Two groups of `each` vectors in 6 dimensions, far from each other.
Numbers two_groups(std::size_t each) {
    Numbers vectors{2 * each, 6, {}};
    for (std::size_t r = 0; r < vectors.rows; ++r)
        for (std::size_t c = 0; c < vectors.cols; ++c)
            vectors.values.push_back((r < each ? 5 : -5) + std::sin(static_cast<double>(7 * r + 3 * c)));
    return vectors;
}

double distance(const Scatter& map, std::size_t a, std::size_t b) {
    return std::hypot(map.points[a][0] - map.points[b][0], map.points[a][1] - map.points[b][1]);
}

/// Each point is nearer to all of its own group than to any of the other.
bool apart(const Scatter& map, std::size_t each) {
    for (std::size_t a = 0; a < 2 * each; ++a)
        for (std::size_t b = 0; b < 2 * each; ++b)
            for (std::size_t c = 0; c < 2 * each; ++c)
                if (a != b && a / each == b / each && a / each != c / each &&
                    distance(map, a, b) >= distance(map, a, c))
                    return false;
    return true;
}

} // namespace

TEST_CASE("points on a line of three dimensions come out in their order, and the plane keeps all variance") {
    const Scatter map = pca("x", {4, 3, {0, 0, 0, 1, 2, 2, 2, 4, 4, 4, 8, 8}}, {});
    CHECK(map.note == "PCA: this plane keeps 100 % of the variance.");
    const double step = map.points[1][0] - map.points[0][0];
    CHECK(std::abs(step) > 0.1);
    CHECK(map.points[2][0] - map.points[1][0] == doctest::Approx(step));
    CHECK(map.points[3][0] - map.points[2][0] == doctest::Approx(2 * step));
    CHECK(std::abs(map.points[3][1]) < 1e-9);
}

TEST_CASE("groups that are far apart stay apart in both maps") {
    const Numbers vectors = two_groups(8);
    CHECK(apart(pca("x", vectors, {}), 8));
    CHECK(apart(tsne("x", vectors, {}), 8));
}

TEST_CASE("the same vectors give the same map") {
    const Numbers vectors = two_groups(6);
    CHECK(tsne("x", vectors, {}).points == tsne("x", vectors, {}).points);
}

TEST_CASE("equal vectors and huge ones give finite points") {
    for (const double value : {0.0, 1.0, 1e38, -1e300}) {
        Numbers vectors{14, 3, std::vector<double>(42, value)};
        vectors.values[0] = value / 2;
        for (const Scatter& map : {pca("x", vectors, {}), tsne("x", vectors, {})})
            for (const auto& point : map.points) {
                CHECK(std::isfinite(point[0]));
                CHECK(std::isfinite(point[1]));
            }
    }
}

TEST_CASE("what has no map is told why") {
    CHECK(not_to_be_mapped({2, 4, std::vector<double>(8)}).find("there are 2 of 4") != std::string::npos);
    CHECK(not_to_be_mapped({3, 2, {1, 2, NAN, 4, INFINITY, 6}}) == "2 of its 6 numbers are NaN or infinite.");
    CHECK(not_to_be_mapped({3, 2, std::vector<double>(6)}).empty());
}

TEST_CASE("neighbours are sorted by their cosines, and a zero vector has none") {
    const Table table =
        neighbours("x", {4, 2, {1, 0, 1, 1, 0, 3, 0, 0}}, {"east", "north-east", "north", "zero"});
    CHECK(table.rows.at(0) == std::vector<std::string>{"east", "north-east (0.71)", "north (0.00)", "none"});
    CHECK(table.rows.at(3) == std::vector<std::string>{"zero", "none", "none", "none"});
}
