#include "catalogue/schema_words.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "text/nearest.h"

namespace catalogue {
namespace {

/// Follows `$ref`, and of `allOf` the branch whose `if` fits the kind of `value`: the rules that hold for it.
const Json& rules_for(const Json& schema, const Json* node, const Json& value) {
    for (bool moved = true; moved;) {
        moved = false;
        if (node->contains("$ref")) {
            const std::string target = node->at("$ref").get<std::string>(); // "#/definitions/…"
            node = &schema.at(Pointer(target.substr(1)));
            moved = true;
        }
        if (!node->contains("allOf") || !value.is_object() || !value.contains("kind")) continue;
        for (const Json& branch : node->at("allOf")) {
            if (branch.at("/if/properties/kind/const"_json_pointer) != value.at("kind")) continue;
            node = &branch.at("then");
            moved = true;
            break;
        }
    }
    return *node;
}

/// The part of the schema that speaks of `where` in `document`.
const Json& rules_at(const Json& schema, const Json& document, const Pointer& where) {
    std::vector<std::string> path;
    for (Pointer rest = where; !rest.empty(); rest.pop_back())
        path.insert(path.begin(), rest.back());
    const Json* value = &document;
    const Json* rules = &rules_for(schema, &schema, document);
    for (const std::string& step : path) {
        const Json* next = nullptr;
        if (value->is_array()) {
            next = &rules->at("items");
            value = &value->at(std::stoul(step));
        } else {
            const bool named = rules->contains("properties") && rules->at("properties").contains(step);
            next = named ? &rules->at("properties").at(step) : &rules->at("additionalProperties");
            value = &value->at(step);
        }
        rules = &rules_for(schema, next, *value);
    }
    return *rules;
}

/// The first text between single quotes: the key that valijson speaks of.
std::string key_in(const std::string& complaint, std::size_t from) {
    const std::size_t begin = complaint.find('\'', from) + 1;
    return complaint.substr(begin, complaint.rfind('\'') - begin);
}

std::string type_name(const Json& rules) {
    static const std::map<std::string, std::string> names{
        {"integer", "a whole number"}, {"number", "a number"}, {"string", "a string"},
        {"boolean", "true or false"},  {"array", "an array"},  {"object", "an object"}};
    return names.at(rules.at("type").get<std::string>());
}

std::string range(const Json& rules, const Json& value) {
    const bool too_much = value > rules.at("maximum");
    if (rules.contains("exclusiveMinimum"))
        return too_much ? "at most " + rules.at("maximum").dump() : "positive";
    return "from " + rules.at("minimum").dump() + " to " + rules.at("maximum").dump();
}

std::string choices(const Json& rules) {
    std::string text;
    for (const Json& value : rules.at("enum"))
        text += (text.empty() ? "" : ", ") + value.dump();
    return text;
}

std::string count(const Json& rules) {
    const std::string least = rules.at("minItems").dump();
    if (rules.contains("maxItems")) return least + " to " + rules.at("maxItems").dump() + " elements";
    return "at least " + least + (least == "1" ? " element" : " elements");
}

std::string unknown_key(const std::string& key, const Json& rules) {
    std::vector<std::string> known;
    for (const auto& [name, ignored] : rules.at("properties").items())
        known.push_back(name);
    const std::optional<std::string> meant = text::nearest(key, known);
    return "has the unknown key " + cited(key) + (meant ? ", did you mean " + cited(*meant) + "?" : "");
}

std::string own_words(const std::string& complaint, const Json& schema, const Json& document,
                      const Pointer& where, const std::string& got) {
    const Json& rules = rules_at(schema, document, where);
    const auto says = [&](const std::string& beginning) { return complaint.starts_with(beginning); };
    if (says("Missing required property")) return "has no " + cited(key_in(complaint, 0));
    if (says("Object contains a property"))
        return unknown_key(key_in(complaint, complaint.find("constraints: ")), rules);
    if (says("Value type not permitted")) return "must be " + type_name(rules) + got;
    if (says("Expected number")) return "must be " + range(rules, document.at(where)) + got;
    if (says("Failed to match against any enum")) return "must be one of " + choices(rules) + got;
    if (says("Failed to match expected value")) return "must be " + rules.at("const").dump() + got;
    if (says("String should be no fewer")) return "must not be empty";
    if (says("Array should contain"))
        return "must have " + count(rules) + " (got " + std::to_string(document.at(where).size()) + ")";
    if (says("Elements at indexes")) return "must not say the same twice" + got;
    return complaint + got;
}

} // namespace

std::string in_words(const std::string& complaint, const Json& schema, const Json& document,
                     const Pointer& where) {
    const std::string got = " (got " + cited(document.at(where)) + ")";
    try {
        return own_words(complaint, schema, document, where, got);
    } catch (const Json::exception&) { // a schema may use rules that there are no words for
        return complaint + got;
    }
}

} // namespace catalogue
