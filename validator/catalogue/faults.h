#pragma once

#include "model/errors.h"

#include <string>
#include <vector>

namespace catalogue {

/// What is wrong with a package, for a command that can go on without it, e.g. because it repairs it.
using Faults = std::vector<std::string>;

/// Whether `read` succeeds. What it throws is listed where there is a list.
template <class Read>
bool succeeds(Faults* faults, Read read) {
    try {
        read();
        return true;
    } catch (const model::ContentError& error) {
        if (faults == nullptr) throw;
        faults->emplace_back(error.what());
        return false;
    }
}

} // namespace catalogue
