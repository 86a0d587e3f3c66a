// The only file that sees valijson, which takes ten seconds to compile.
#define VALIJSON_USE_EXCEPTIONS 1 // else it aborts on a broken schema
#include "catalogue/schema.h"

#include <utility>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "catalogue/schema_words.h"
#include "model/errors.h"

namespace catalogue {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

struct Schema::Compiled {
    valijson::Schema schema;
};

Schema::Schema(Document schema) : source_(std::move(schema)), compiled_(std::make_unique<Compiled>()) {
    try {
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(Adapter(source_.content), compiled_->schema);
    } catch (const std::exception& error) {
        throw model::ContentError(source_.name, "", error.what());
    }
}

Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

void Schema::check(const Document& document) const {
    valijson::ValidationResults results;
    const Adapter target(document.content);
    if (valijson::Validator().validate(compiled_->schema, target, &results)) return;

    valijson::ValidationResults::Error
        first; // children report before their parents: the first is the most exact
    results.popError(first);
    Pointer where;
    for (std::size_t i = 1; i < first.context.size(); ++i) // [0] is "<root>", the others "[key]" or "[index]"
        where.push_back(first.context[i].substr(1, first.context[i].size() - 2));
    document.fail(where, in_words(first.description, source_.content, document.content, where));
}

} // namespace catalogue
