#pragma once

#include "workload.h"

#include <string>
#include <vector>

namespace results {

/// Of times in microseconds.
struct Summary {
    double low = 0, median = 0, high = 0; ///< the quartiles

    bool operator==(const Summary&) const = default;
};
/// Between two neighbours a quartile is interpolated linearly.
Summary summarise(std::vector<double> times);

struct Row {
    std::string kernel;
    workload::Shape shape;
    std::string ids;
    std::size_t distinct = 0;
    std::size_t bytes = 0; ///< compulsory; the copy beside it moves as many
    std::size_t launches = 0;
    Summary time, copy;
    std::string verified; ///< what was compared with the CPU

    /// How fast the compulsory bytes move, as a share of how fast the copy moves them.
    double share_of_copy() const { return copy.median / time.median; }
};

struct Device {
    std::string name;
    int driver = 0, runtime = 0; ///< versions of CUDA, 1000 * major + 10 * minor
    int major = 0, minor = 0;    ///< compute capability
};

/// One document "engine.bench.gpu/1". The lower bound of a row is its bytes at the rate of the run's fastest
/// copy.
std::string to_json(const std::string& date, const Device& device, std::size_t flushed_bytes,
                    const std::vector<Row>& rows);

} // namespace results
