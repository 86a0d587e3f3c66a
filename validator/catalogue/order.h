#pragma once

#include "catalogue/content.h"
#include "catalogue/document.h"
#include "catalogue/schema.h"

#include <string>
#include <vector>

namespace catalogue {

/// A JSON file of a collection, and the schema of this name. Both throw model::ContentError.
Document read_document(const Content& content, const std::filesystem::path& file);
Schema read_schema(const Content& content, const std::string& name);

/// What problems/curriculum.json says: the course's name, and the ids in order.
struct Order {
    Document document;
    std::string title;
    std::vector<std::string> ids;
};

/// Throws model::ContentError naming the file and the JSON pointer.
Order read_order(const Content& content);

} // namespace catalogue
