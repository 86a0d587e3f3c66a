// Our schemas are draft 7 as far as we use it, closed against unknown keys, and worded by schema_words.cpp.
#include <doctest/doctest.h>

#include <set>

#include "catalogue/document.h"
#include "catalogue/schema.h"
#include "model/errors.h"

namespace {

using namespace catalogue;

const std::filesystem::path root = ENGINE_SOURCE_DIR;
const std::set<std::string> names{"assignment", "curriculum", "kills", "problem", "questions"};

Document schema_document(const std::string& name) {
    return parse(read_source(root / "schemas" / (name + ".schema.json"), root));
}

/// Calls `visit(pointer, node)` for `node` and every schema inside it.
template <class Visit>
void for_each_schema(const Json& node, const Pointer& where, const Visit& visit) {
    visit(where, node);
    for (const char* keyword : {"properties", "definitions"})
        if (node.contains(keyword))
            for (const auto& [key, inner] : node.at(keyword).items())
                for_each_schema(inner, where / keyword / key, visit);
    for (const char* keyword : {"items", "additionalProperties", "if", "then"})
        if (node.contains(keyword) && node.at(keyword).is_object())
            for_each_schema(node.at(keyword), where / keyword, visit);
    if (node.contains("allOf"))
        for (std::size_t i = 0; i < node.at("allOf").size(); ++i)
            for_each_schema(node.at("allOf").at(i), where / "allOf" / i, visit);
}

/// What each keyword's value must be, by draft 7, and by what schema_words.cpp can put in words.
bool is_well_formed(const std::string& keyword, const Json& value, const Json& root_schema) {
    static const std::set<std::string> types{"object", "array", "string", "integer", "number", "boolean"};
    if (keyword == "$schema") return value == "http://json-schema.org/draft-07/schema#";
    if (keyword == "title" || keyword == "description") return value.is_string() && !value.empty();
    if (keyword == "type") return value.is_string() && types.contains(value.get<std::string>());
    if (keyword == "additionalProperties") return value.is_object() || value == false;
    if (keyword == "properties" || keyword == "definitions" || keyword == "items" || keyword == "if" ||
        keyword == "then")
        return value.is_object();
    if (keyword == "required" || keyword == "enum" || keyword == "allOf")
        return value.is_array() && !value.empty();
    if (keyword == "const") return value.is_string();
    if (keyword == "uniqueItems") return value == true;
    if (keyword == "exclusiveMinimum") return value == 0; // said as "positive"
    if (keyword == "minLength") return value == 1;        // said as "not be empty"
    if (keyword == "minimum" || keyword == "maximum") return value.is_number();
    if (keyword == "minItems" || keyword == "maxItems") return value.is_number_unsigned();
    if (keyword == "$ref") {
        const auto target = value.get<std::string>();
        return target.starts_with("#/") && root_schema.contains(Pointer(target.substr(1)));
    }
    return false; // also `pattern`: std::regex overflows the stack on long strings
}

} // namespace

TEST_CASE("every keyword of our schemas is a known one with a fitting value") {
    for (const std::string& name : names) {
        const Document schema = schema_document(name);
        for_each_schema(schema.content, Pointer(), [&](const Pointer& where, const Json& node) {
            for (const auto& [keyword, value] : node.items()) {
                INFO(name, " ", where.to_string(), " ", keyword);
                CHECK(is_well_formed(keyword, value, schema.content));
            }
        });
    }
}

TEST_CASE("the check of keywords refuses what draft 7 does not have") {
    const Json none = Json::object();
    CHECK_FALSE(is_well_formed("requires", Json::array({"a"}), none));
    CHECK_FALSE(is_well_formed("type", "text", none));
    CHECK_FALSE(is_well_formed("$ref", "#/definitions/absent", none));
    CHECK_FALSE(is_well_formed("additionalProperties", true, none));
}

TEST_CASE("every object is closed and lists only keys it has") {
    for (const std::string& name : names)
        for_each_schema(schema_document(name).content, Pointer(),
                        [&](const Pointer& where, const Json& node) {
                            INFO(name, " ", where.to_string());
                            if (node.value("type", "") != "object" || node.contains("allOf"))
                                return; // allOf: its branches are
                            REQUIRE(node.contains("additionalProperties"));
                            for (const Json& key : node.value("required", Json::array()))
                                CHECK(node.at("properties").contains(key.get<std::string>()));
                        });
}

TEST_CASE("a number with a lower bound has an upper one, which the words need") {
    for (const std::string& name : names)
        for_each_schema(schema_document(name).content, Pointer(),
                        [&](const Pointer& where, const Json& node) {
                            INFO(name, " ", where.to_string());
                            if (node.contains("minimum") || node.contains("exclusiveMinimum"))
                                CHECK(node.contains("maximum"));
                        });
}

TEST_CASE("every schema can be made, and a broken one is a content error") {
    for (const std::string& name : names)
        CHECK_NOTHROW(Schema(schema_document(name)));
    CHECK_THROWS_AS(Schema({"s.json", Json::parse(R"({"properties": 5})")}), model::ContentError);
}
