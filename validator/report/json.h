#pragma once

#include "model/judgement.h"

#include <string>

namespace report {

/// The report `engine.report/1`, as schemas/report.schema.json describes it: pure ASCII, two blanks of
/// indentation, one line end at the end. Numbers that are not finite become the strings "Infinity",
/// "-Infinity", "NaN"; a seed above 2^53, which a reader with doubles would round, becomes a string of
/// decimal digits.
std::string render_json(const model::Judgement& judgement);

} // namespace report
