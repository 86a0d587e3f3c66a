// An object file that was made from a submission.
#include "fuzz/target.h"

#include "build/object_symbols.h"
#include "build/symbol_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view object = fuzz::text_of(data, size);
    const auto symbols = build::read_object_symbols(object);
    for (const build::ObjectSymbol& symbol : symbols)
        fuzz::require(symbol.name.empty() ||
                          (symbol.name.data() >= object.data() &&
                           symbol.name.data() + symbol.name.size() <= object.data() + size),
                      "a name is a part of the object");
    fuzz::require(build::check_symbols(symbols, build::Variant::optimised).size() <= 10,
                  "at most 10 messages");
    return 0;
}
