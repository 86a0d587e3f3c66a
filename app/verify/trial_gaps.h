#pragma once

#include "app/verify/proof.h"

#include <cstdint>
#include <string>
#include <vector>

namespace verify {

/// The first error of the compiler, else the first test that failed, in a few words.
std::string first_trouble(const model::Judgement& judgement);

/// How the judgement differs from what the package claims of the file; empty where it does not.
std::vector<std::string> gaps_of(const Trial& trial);

/// Of a mistake that was judged with this seed: what is otherwise than kills.json says.
std::vector<Contradiction> contradictions_of(const Trial& trial, std::uint64_t seed);

} // namespace verify
