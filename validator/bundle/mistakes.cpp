#include "bundle/mistakes.h"

#include "bundle/functions.h"
#include "bundle/implementation.h"

#include <algorithm>
#include <cctype>

namespace bundle {
namespace {

/// Different in all parts of a program, because classes of one name would be taken for each other.
std::string identifier(const std::string& name) {
    std::string id = "mistake_" + name;
    std::ranges::replace_if(
        id, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return id;
}

} // namespace

std::string mistakes(const std::string& list, const std::vector<Mistake>& which,
                     const std::string& contract) {
    const std::vector<std::string> from_contract = defined_functions(contract);
    std::string text = preamble();
    std::vector<Name> names;
    for (const Mistake& mistake : which) {
        const std::string id = identifier(mistake.name);
        text += implementation(id, {mistake.file}, from_contract);
        names.push_back({mistake.name, id});
    }
    return text + tables(list, names);
}

} // namespace bundle
