// problem.json, and the kills.json after it.
#include "fuzz/target.h"

#include "catalogue/kills.h"
#include "catalogue/manifest.h"
#include "catalogue/schema.h"
#include "model/errors.h"

namespace {

catalogue::Schema schema(const char* name) {
    const std::filesystem::path schemas = ENGINE_SOURCE_DIR "/schemas";
    return catalogue::Schema(catalogue::parse(catalogue::read_source(schemas / name, schemas)));
}

catalogue::Document read(const char* name, const std::string& text) {
    const catalogue::Source source{name, text};
    catalogue::require_text(source);
    return catalogue::parse(source);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const catalogue::Schema of_problems = schema("problem.schema.json");
    static const catalogue::Schema of_kills = schema("kills.schema.json");
    const auto [manifest, kills] = fuzz::parts_of(fuzz::text_of(data, size));
    try {
        const catalogue::Document document = read("problem.json", manifest);
        of_problems.check(document);
        model::Problem problem = catalogue::read_manifest(document, "token-lookup");
        problem.mistakes = {{.name = "one-based-ids"}, {.name = "reads-column"}};
        const catalogue::Document failing = read("kills.json", kills);
        of_kills.check(failing);
        catalogue::read_kills(failing, problem);
        const std::string written = catalogue::write_kills(problem);
        catalogue::read_kills(read("kills.json", written), problem);
        fuzz::require(catalogue::write_kills(problem) == written, "what is written is read as it was");
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
