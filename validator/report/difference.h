#pragma once

#include "model/judgement.h"
#include "picture/figure.h"

#include <optional>
#include <string>

/// A failing comparison as something to look at.
namespace report {

/// Expected, got and their difference side by side. Nothing where there is no sample, or one of so few
/// elements that the sentence on the mismatch shows them.
std::optional<picture::Figure> difference_of(const model::Mismatch& mismatch);

/// What repeats in it, in a sentence: "each row is the one that belongs 1 row further up", "only column 3 is
/// wrong". Empty where nothing does. It says what the picture shows, never why.
std::string pattern_of(const model::Sample& sample);

} // namespace report
