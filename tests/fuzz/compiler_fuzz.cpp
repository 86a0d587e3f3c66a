// What compiler, linker and nm print about a submission that may imitate them, after the submission's text.
#include "fuzz/target.h"

#include "build/diagnostics.h"
#include "build/locate.h"
#include "build/symbols.h"
#include "diagnosis/compiler.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto [printed, source] = fuzz::parts_of(fuzz::text_of(data, size));
    const model::Submission submission{
        "lookup.cpp", {{"lookup.cpp", source}, {"scan.cu", source}}, {{"mine.h", source}}, ""};
    const std::vector<std::string> defined = build::parse_symbols(printed);
    auto messages = build::parse_compiler_output(printed, submission);
    auto linked = build::parse_linker_output(printed, submission);
    build::place_linked(linked, defined, submission);
    for (auto* diagnostics : {&messages, &linked}) {
        fuzz::require(diagnostics->size() <= 50, "at most 50 messages");
        build::show_places(*diagnostics, submission);
        for (model::Diagnostic& diagnostic : *diagnostics) {
            fuzz::require(diagnostic.message.size() <= 1003,
                          "a message has at most 1,000 bytes and an ellipsis");
            fuzz::require(diagnostic.line >= 0 && diagnostic.column >= 0, "places are counted from 1");
            diagnostic.explanation = diagnosis::explain(diagnostic, defined);
        }
    }
    build::correct_columns(messages, "scan.cu", source, "\n" + source);
    return 0;
}
