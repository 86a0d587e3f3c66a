// A report that `replay` is given.
#include "fuzz/target.h"

#include "app/earlier.h"
#include "catalogue/document.h"
#include "model/errors.h"

namespace {

catalogue::Schema schema() {
    const std::filesystem::path schemas = ENGINE_SOURCE_DIR "/schemas";
    return catalogue::Schema(
        catalogue::parse(catalogue::read_source(schemas / "report.schema.json", schemas)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const catalogue::Schema of_reports = schema();
    const catalogue::Source source{"report.json", std::string(fuzz::text_of(data, size))};
    try {
        catalogue::require_text(source);
        const app::Earlier earlier = app::read_earlier(source, of_reports);
        app::comparison(earlier, {});
        app::changes(earlier, {});
    } catch (const model::ContentError&) { // any other exception ends the program
    }
    return 0;
}
