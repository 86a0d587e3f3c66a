#include "app/verify/reach.h"

#include "app/verify/syntax.h"

#include <algorithm>
#include <set>

namespace verify {
namespace {

struct Function {
    std::string name;
    std::size_t file = 0;
    std::size_t begin = 0; ///< offsets of its parameter list and of its body's end
    std::size_t end = 0;
    std::set<std::string> mentions;
};

bool opens_namespace(const std::vector<Word>& words, std::size_t brace) {
    std::size_t i = brace;
    while (i > 0 && (words[i - 1].identifier || words[i - 1].text == "::")) {
        --i;
        if (words[i].text == "namespace") return true;
    }
    return false;
}

/// The functions whose bodies stand directly in namespaces. Bodies in classes belong to none of them.
std::vector<Function> functions_of(const std::string& source, std::size_t file) {
    const std::vector<Word> words = read_words(source);
    std::vector<Function> functions;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].text != "{" || words[i].partner <= i || opens_namespace(words, i)) continue;
        const std::size_t end = words[i].partner;
        if (words[end].ends_function) {
            std::size_t list = i;
            while (list > 0 && words[list].text != ")")
                --list;
            list = words[list].partner;
            if (list > 0 && words[list - 1].identifier) {
                Function function{
                    std::string(words[list - 1].text), file, words[list].offset, words[end].end(), {}};
                for (std::size_t k = list; k < end; ++k)
                    if (words[k].identifier) function.mentions.emplace(words[k].text);
                functions.push_back(std::move(function));
            }
        }
        i = end;
    }
    return functions;
}

} // namespace

std::vector<std::string> defined_functions(const std::string& source) {
    std::set<std::string> names;
    for (const Function& function : functions_of(source, 0))
        names.insert(function.name);
    return {names.begin(), names.end()};
}

std::vector<std::string> untouched(const std::vector<std::string>& sources, std::size_t file,
                                   std::size_t offset) {
    std::vector<Function> functions;
    for (std::size_t i = 0; i < sources.size(); ++i)
        std::ranges::move(functions_of(sources[i], i), std::back_inserter(functions));
    std::set<std::string> touched;
    for (const Function& function : functions)
        if (function.file == file && function.begin <= offset && offset < function.end)
            touched.insert(function.name);
    if (touched.empty()) return {};

    const auto mentions_touched = [&](const Function& function) {
        return std::ranges::any_of(function.mentions,
                                   [&](const std::string& name) { return touched.contains(name); });
    };
    for (std::size_t before = 0; before != touched.size();) {
        before = touched.size();
        for (const Function& function : functions)
            if (mentions_touched(function)) touched.insert(function.name);
    }
    std::set<std::string> rest;
    for (const Function& function : functions)
        if (!touched.contains(function.name)) rest.insert(function.name);
    return {rest.begin(), rest.end()};
}

} // namespace verify
