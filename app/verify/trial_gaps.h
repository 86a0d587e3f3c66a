#pragma once

#include "app/verify/proof.h"

#include <cstdint>
#include <string>
#include <vector>

namespace verify {

/// How the judgement differs from what the package claims of the file; empty where it does not.
std::vector<std::string> gaps_of(const Trial& trial);

/// Of a mistake that was judged with this seed: what is otherwise than kills.json says.
std::vector<Contradiction> contradictions_of(const Trial& trial, std::uint64_t seed);

} // namespace verify
