#pragma once

#include "model/judgement.h"
#include "report/page.h"

#include <string_view>

/// The tests of a judgement on the console: those that passed in one line, then those that did not.
namespace report {

Tone tone_of(model::Verdict verdict);

/// The sign of a verdict, one column wide; empty on a page without signs.
std::string_view mark_of(const Page& page, model::Verdict verdict);

/// With `every`, each test has a line of its own, and says how long it took.
void test_lines(Page& page, const model::Judgement& judgement, bool every);

} // namespace report
