#pragma once

#include "model/judgement.h"

#include <string>
#include <vector>

/// One judgement of each kind, as the judge would make it: what the golden files and the report tests are
/// made from.
namespace fixtures {

struct Fixture {
    std::string name; ///< also the name of its golden file
    model::Judgement judgement;
};

const std::vector<Fixture>& all();

/// The one called `name`.
const model::Judgement& named(const std::string& name);

/// ESC, bidi overrides, NUL, broken UTF-8, and what would break out of XML, HTML, Markdown and workflow
/// commands.
const std::string& hostile_text();

} // namespace fixtures
