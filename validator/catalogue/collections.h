#pragma once

#include "catalogue/catalogue.h"

#include <string>
#include <vector>

/// Collections that are used together. Ids are unique over all of them, and a problem may have prerequisites
/// in an earlier collection.
namespace catalogue {

/// All problems of all collections, in order; the title is that of the first.
/// Throws model::ContentError as `load` does, and where an id is in two of them.
model::Curriculum load_all(const std::vector<Content>& collections);

/// The collection that has a package of this id, listed or not; null where none has.
/// Throws model::ContentError, naming both places, where two have.
const Content* holder_of(const std::vector<Content>& collections, const std::string& id);

/// The package from the collection that has it. Throws model::ContentError as `load_problem` does.
model::Problem load_from(const std::vector<Content>& collections, const std::string& id,
                         const Loading& loading = {});

} // namespace catalogue
