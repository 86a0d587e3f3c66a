#include "workload.h"

#include <algorithm>

namespace workload {

std::vector<Shape> shapes() {
    constexpr std::size_t V = 50'257;
    return {{"S1", 8, 1024, 768, V},
            {"S2", 64, 1024, 768, V},
            {"S3", 64, 1024, 1600, V},
            {"S4", 512, 1024, 768, V}};
}

std::vector<Shape> tiny_shapes() {
    return {{"tiny", 5, 13, 12, 40}, {"odd", 3, 30, 7, 33}};
}

const char* to_string(Distribution distribution) {
    switch (distribution) {
    case Distribution::uniform: return "uniform";
    case Distribution::zipf: return "zipf";
    case Distribution::equal: return "equal";
    }
    return "";
}

std::vector<std::int32_t> make_ids(const Shape& shape, Distribution distribution) {
    std::vector<double> up_to(shape.V); // the weight of a token and of all before it
    for (std::size_t v = 0; v < shape.V; ++v) {
        const double weight = distribution == Distribution::zipf ? 1.0 / static_cast<double>(v + 1) : 1.0;
        up_to[v] = (v == 0 ? 0 : up_to[v - 1]) + weight;
    }
    std::vector<std::int32_t> ids(shape.N(), static_cast<std::int32_t>(shape.V / 2));
    if (distribution == Distribution::equal) return ids;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const double point = static_cast<double>(hash(1, i) >> 11) * 0x1p-53 * up_to.back();
        ids[i] = static_cast<std::int32_t>(std::ranges::upper_bound(up_to, point) - up_to.begin());
    }
    return ids;
}

std::size_t distinct(std::vector<std::int32_t> ids) {
    std::ranges::sort(ids);
    return static_cast<std::size_t>(std::ranges::unique(ids).begin() - ids.begin());
}

std::size_t forward_bytes(const Shape& shape, std::size_t U, bool positions, std::size_t bytes_of_an_output) {
    const std::size_t table_rows = U + (positions ? shape.T : 0);
    return table_rows * shape.C * sizeof(float) + shape.N() * shape.C * bytes_of_an_output +
           shape.N() * sizeof(std::int32_t);
}

std::size_t backward_bytes(const Shape& shape, std::size_t U) {
    return (shape.N() + 2 * U + 2 * shape.T) * shape.C * sizeof(float) + 2 * shape.N() * sizeof(std::int32_t);
}

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    const std::size_t taken = std::min(count, most);
    std::vector<std::size_t> chosen(taken);
    for (std::size_t i = 0; i < taken; ++i)
        chosen[i] = taken == 1 ? 0 : i * (count - 1) / (taken - 1);
    return chosen;
}

} // namespace workload
