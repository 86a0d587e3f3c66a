#include "catalogue/order.h"

#include <utility>

namespace catalogue {

Document read_document(const Content& content, const std::filesystem::path& file) {
    return parse(read_source(file, shown_root(content)));
}

Schema read_schema(const Content& content, const std::string& name) {
    return Schema(read_document(content, content.schemas / (name + ".schema.json")));
}

Order read_order(const Content& content) {
    Document document = read_document(content, content.problems / "curriculum.json");
    read_schema(content, "curriculum").check(document);
    auto title = document.content.at("title").get<std::string>();
    auto ids = document.content.at("problems").get<std::vector<std::string>>();
    return {std::move(document), std::move(title), std::move(ids)};
}

} // namespace catalogue
