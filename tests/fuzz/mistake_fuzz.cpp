// A mistake as its header and its diff, and the base that the diff is applied to.
#include "fuzz/target.h"

#include "catalogue/header.h"
#include "diff/make.h"
#include "diff/patch.h"
#include "model/errors.h"

namespace {

void apply(const std::string& text, std::size_t at, std::size_t line, const std::string& base) {
    const diff::Patch patch = diff::parse(std::string_view(text).substr(at), "mistakes/one.diff", line);
    const std::string changed = diff::apply(patch, base);
    const std::string made = diff::make(base, changed, "a.cpp", "b.cpp");
    fuzz::require(made.empty() ? changed == base
                               : diff::apply(diff::parse(made, "made.diff"), base) == changed,
                  "the difference that is made leads from one text to the other");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [text, base] = fuzz::parts_of(fuzz::text_of(data, size));
    for (const auto form : {catalogue::HeaderForm::plain, catalogue::HeaderForm::comment})
        try {
            const catalogue::Source source{"mistakes/one.diff", text};
            catalogue::require_text(source);
            const catalogue::MistakeHeader header = catalogue::read_mistake_header(source, form);
            catalogue::write_mistake_header(header, form);
            apply(text, header.end, header.line, base);
        } catch (const model::ContentError&) { // any other exception ends the program
        }
    return 0;
}
