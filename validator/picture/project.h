#pragma once

#include "picture/figure.h"

#include <string>
#include <vector>

/// Vectors of many dimensions as points of a plane, and their neighbours.
namespace picture {

/// Fewer vectors have nothing that t-SNE could group.
inline constexpr std::size_t min_tsne = 12;

/// Why there is no map of the vectors, one a row; empty where there is one.
std::string not_to_be_mapped(const Numbers& vectors);

/// The two directions in which the vectors differ most (principal components).
Scatter pca(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels);

/// Exact t-SNE (van der Maaten and Hinton 2008), O(n^2) a step for n <= 2,000 vectors. It begins with the
/// plane of `pca`, so the same vectors give the same map and there is no seed.
Scatter tsne(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels);

/// For each vector the three others with the largest cosine.
Table neighbours(const std::string& name, const Numbers& vectors, const std::vector<std::string>& labels);

} // namespace picture
