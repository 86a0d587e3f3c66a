#pragma once

#include "build/workshop.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace build {

/// The time of a copy within the GPU's memory, by how much it moves.
struct Copies {
    struct Copy {
        double bytes = 0; ///< read and written together
        double us = 0;
    };
    std::vector<Copy> copies; ///< by size, smallest first

    /// That of so many bytes: between two sizes that were measured as if the time grew evenly, beyond the
    /// largest at its rate.
    double us(double bytes) const;
    /// Bytes a second, of the largest.
    double rate() const;
};

/// Asked of the GPU by a program of ours; or one sentence on why there is no answer. Throws as
/// `run_gpu_program` does.
std::variant<Copies, std::string> time_copies(const Workshop& workshop, int cancel_fd = -1);

/// What that program printed.
std::variant<Copies, std::string> read_copies(std::string_view printed);

} // namespace build
