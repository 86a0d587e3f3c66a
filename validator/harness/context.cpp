#include "harness/context.h"

#include <doctest/doctest.h>
#include <sstream>
#include <vector>

namespace harness {
namespace {

std::vector<std::string> scopes;

void append(std::string& text, const std::string& words) {
    if (!words.empty()) text += (text.empty() ? "" : "; ") + words;
}

} // namespace

ContextScope::ContextScope(std::string words) {
    scopes.push_back(std::move(words));
}

ContextScope::~ContextScope() {
    scopes.pop_back();
}

std::string current_context() {
    std::string text;
    for (const std::string& words : scopes)
        append(text, words);
    for (int i = 0; i < doctest::IReporter::get_num_active_contexts(); ++i) {
        std::ostringstream stream;
        doctest::IReporter::get_active_contexts()[i]->stringify(&stream);
        append(text, stream.str());
    }
    return text;
}

} // namespace harness
