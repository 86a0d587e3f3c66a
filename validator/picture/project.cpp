#include "picture/project.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace picture {
namespace {

using Points = std::vector<std::array<double, 2>>;

std::string label_of(const std::vector<std::string>& labels, std::size_t i) {
    return i < labels.size() ? labels[i] : std::to_string(i);
}

/// Columns with mean 0, the largest number 1 in size: no sum of squares overflows.
Numbers centred(Numbers vectors) {
    double largest = 0;
    for (const double value : vectors.values)
        largest = std::max(largest, std::abs(value));
    for (double& value : vectors.values)
        value = largest > 0 ? value / largest : 0;
    for (std::size_t c = 0; c < vectors.cols; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < vectors.rows; ++r)
            sum += vectors(r, c);
        for (std::size_t r = 0; r < vectors.rows; ++r)
            vectors.values[r * vectors.cols + c] -= sum / static_cast<double>(vectors.rows);
    }
    return vectors;
}

std::vector<double> projections(const Numbers& x, const std::vector<double>& direction) {
    std::vector<double> result(x.rows, 0);
    for (std::size_t r = 0; r < x.rows; ++r)
        for (std::size_t c = 0; c < x.cols; ++c)
            result[r] += x(r, c) * direction[c];
    return result;
}

/// The direction of largest variance, by power iteration from a start that no axis is orthogonal to.
std::vector<double> principal_direction(const Numbers& x) {
    std::vector<double> direction(x.cols);
    for (std::size_t c = 0; c < x.cols; ++c)
        direction[c] = 1 + 0.1 * std::sin(static_cast<double>(c + 1));
    for (int step = 0; step < 200; ++step) {
        const std::vector<double> along = projections(x, direction);
        std::vector<double> next(x.cols, 0);
        for (std::size_t r = 0; r < x.rows; ++r)
            for (std::size_t c = 0; c < x.cols; ++c)
                next[c] += along[r] * x(r, c);
        const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
        if (length == 0) break; // no variance is left
        for (double& value : next)
            value /= length;
        direction = std::move(next);
    }
    const double length =
        std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    for (double& value : direction)
        value /= length;
    return direction;
}

double sum_of_squares(const std::vector<double>& values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
}

struct Plane {
    Points points;
    double share = 0; ///< of the variance that the plane keeps
};

Plane principal_plane(const Numbers& vectors) {
    Numbers x = centred(vectors);
    const double all = sum_of_squares(x.values);
    Plane plane;
    plane.points.resize(x.rows);
    for (const std::size_t axis : {0U, 1U}) {
        const std::vector<double> direction = principal_direction(x);
        const std::vector<double> along = projections(x, direction);
        if (all > 0) plane.share += sum_of_squares(along) / all;
        for (std::size_t r = 0; r < x.rows; ++r) {
            plane.points[r][axis] = along[r];
            for (std::size_t c = 0; c < x.cols; ++c)
                x.values[r * x.cols + c] -= along[r] * direction[c];
        }
    }
    return plane;
}

/// Row i of the conditional probabilities whose entropy is log(perplexity), found by bisection.
void fill_conditionals(std::vector<double>& p, const std::vector<double>& distances, std::size_t i,
                       std::size_t n, double perplexity) {
    double nearest = INFINITY;
    for (std::size_t j = 0; j < n; ++j)
        if (j != i) nearest = std::min(nearest, distances[i * n + j]);
    double low = 0, high = INFINITY, beta = 1;
    for (int step = 0; step < 40; ++step) {
        double sum = 0, weighted = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const double distance = distances[i * n + j] - nearest; // the same shares, and no sum of zeros
            p[i * n + j] = j == i ? 0 : std::exp(-beta * distance);
            sum += p[i * n + j];
            weighted += p[i * n + j] * distance;
        }
        for (std::size_t j = 0; j < n; ++j)
            p[i * n + j] /= sum;
        const double entropy = std::log(sum) + beta * weighted / sum;
        (entropy > std::log(perplexity) ? low : high) = beta;
        beta = std::isinf(high) ? beta * 2 : (low + high) / 2;
    }
}

std::vector<double> joint_probabilities(const Numbers& x, double perplexity) {
    const std::size_t n = x.rows;
    std::vector<double> distances(n * n, 0), p(n * n, 0);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t c = 0; c < x.cols; ++c)
                distances[i * n + j] += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
            mean += distances[i * n + j] / static_cast<double>(n * n);
        }
    for (double& distance : distances)
        distance /= mean > 0 ? mean : 1;
    for (std::size_t i = 0; i < n; ++i)
        fill_conditionals(p, distances, i, n, perplexity);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            p[i * n + j] = p[j * n + i] =
                std::max((p[i * n + j] + p[j * n + i]) / (2 * static_cast<double>(n)), 1e-12);
    return p;
}

/// One step of gradient descent with momentum.
void descend(Points& points, Points& speed, const std::vector<double>& p, double exaggeration,
             double momentum) {
    const std::size_t n = points.size();
    std::vector<double> near(n * n, 0);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double dx = points[i][0] - points[j][0], dy = points[i][1] - points[j][1];
            near[i * n + j] = near[j * n + i] = 1 / (1 + dx * dx + dy * dy);
            sum += 2 * near[i * n + j];
        }
    const double rate = std::max(static_cast<double>(n) / 12, 10.0);
    Points next = points;
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, 2> gradient{};
        for (std::size_t j = 0; j < n; ++j) {
            const double close = near[i * n + j];
            const double pull = 4 * (exaggeration * p[i * n + j] - close / sum) * close;
            for (const std::size_t axis : {0U, 1U})
                gradient[axis] += pull * (points[i][axis] - points[j][axis]);
        }
        for (const std::size_t axis : {0U, 1U}) {
            speed[i][axis] = momentum * speed[i][axis] - rate * gradient[axis];
            next[i][axis] += speed[i][axis];
        }
    }
    points = std::move(next);
}

} // namespace

std::string not_to_be_mapped(const Numbers& vectors) {
    if (vectors.rows < 3 || vectors.cols < 2)
        return fmt::format("it takes three vectors of two numbers, and there are {} of {}.", vectors.rows,
                           vectors.cols);
    const auto odd =
        std::ranges::count_if(vectors.values, [](double value) { return !std::isfinite(value); });
    return odd == 0 ? ""
                    : fmt::format("{} of its {} numbers are NaN or infinite.", odd, vectors.values.size());
}

Scatter pca(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels) {
    Plane plane = principal_plane(vectors);
    return {name + ", principal components", std::move(plane.points), labels,
            fmt::format("PCA: this plane keeps {:.0f} % of the variance.", 100 * plane.share)};
}

Scatter tsne(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels) {
    const std::size_t n = vectors.rows;
    const double perplexity = std::min(30.0, static_cast<double>(n - 1) / 3);
    const std::vector<double> p = joint_probabilities(centred(vectors), perplexity);
    Points points = principal_plane(vectors).points;
    double spread = 0;
    for (const auto& point : points)
        spread = std::max({spread, std::abs(point[0]), std::abs(point[1])});
    for (auto& point : points)
        for (double& value : point)
            value *= spread > 0 ? 1e-2 / spread : 0;
    Points speed(n, {0, 0});
    constexpr int steps = 500, early = 100;
    for (int step = 0; step < steps; ++step)
        descend(points, speed, p, step < early ? 4 : 1, step < early ? 0.5 : 0.8);
    return {name + ", t-SNE", std::move(points), labels,
            fmt::format("t-SNE with perplexity {:.3g}, {} steps from the plane of PCA, no seed: near points "
                        "are alike, distances between groups mean little.",
                        perplexity, steps)};
}

Table neighbours(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels) {
    const Numbers& x = vectors;
    const auto cosine = [&](std::size_t a, std::size_t b) {
        double dot = 0, first = 0, second = 0;
        for (std::size_t c = 0; c < x.cols; ++c) {
            dot += x(a, c) * x(b, c);
            first += x(a, c) * x(a, c);
            second += x(b, c) * x(b, c);
        }
        return dot / (std::sqrt(first) * std::sqrt(second));
    };
    Table table{name, {"vector", "nearest", "second", "third"}, {}};
    for (std::size_t a = 0; a < x.rows; ++a) {
        std::vector<std::pair<double, std::size_t>> others;
        for (std::size_t b = 0; b < x.rows; ++b)
            if (const double value = cosine(a, b); b != a && std::isfinite(value))
                others.emplace_back(-value, b);
        std::ranges::sort(others);
        std::vector<std::string> row{label_of(labels, a)};
        for (std::size_t k = 0; k < 3; ++k)
            row.push_back(k < others.size() ? fmt::format("{} ({:.2f})", label_of(labels, others[k].second),
                                                          -others[k].first)
                                            : "none");
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace picture
