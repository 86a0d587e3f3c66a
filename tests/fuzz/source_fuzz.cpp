// A learner's C++ as the engine reads it without a parser, before and after it was preprocessed.
#include "fuzz/target.h"

#include "build/chosen_options.h"
#include "build/source_check.h"
#include "diagnosis/missing_includes.h"
#include "diagnosis/odd_characters.h"
#include "reader/declarations.h"
#include "reader/functions.h"
#include "reader/tokens.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string source(fuzz::text_of(data, size));
    const model::Submission submission{"lookup.cpp", {{"lookup.cpp", source}}, {}, ""};
    std::string again;
    for (const reader::Token& token : reader::tokenize(source))
        again += token.text;
    fuzz::require(again == source, "the tokens, put together, are the source");
    const std::vector<reader::Word> words = reader::read_words(source);
    reader::keeps_state(words, reader::declarations_of(words));
    reader::defined_functions(source);
    diagnosis::missing_includes(submission, {"contract.h"});
    build::check_source(submission.files[0], "engine reset");
    build::may_choose_options(source);
    build::line_marker_in(source);
    const std::string without = build::without_options(source).text;
    fuzz::require(without.size() == source.size() &&
                      std::ranges::count(without, '\n') == std::ranges::count(source, '\n'),
                  "a source without options is as long as before");
    fuzz::require(build::without_options(without).notes.empty(), "nothing is left that would be ignored");
    return 0;
}
