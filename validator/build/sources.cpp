#include "build/sources.h"

#include "emulator/rewrite.h"

#include <algorithm>

namespace build {
namespace {

/// The text of a CUDA file as C++; what cannot be turned into it is added to `errors`.
std::string as_cpp(const std::string& text, const std::string& name, std::vector<model::Diagnostic>& errors) {
    emulator::Rewritten rewritten = emulator::rewrite(text, name);
    for (const emulator::RewriteError& error : rewritten.errors)
        errors.push_back(
            {.file = name, .line = error.line, .severity = model::Severity::error, .message = error.message});
    return std::move(rewritten.text);
}

} // namespace

void Sources::begin(const Plan& plan, const std::vector<std::string>& files) const {
    for (const std::string& name : files)
        if (!apart_ ||
            std::ranges::find(plan.translations, name, &Plan::Translation::file) == plan.translations.end())
            scratch_.write(name, text_of(name));
}

std::vector<model::Diagnostic> Sources::rewrite(const Plan& plan) {
    std::vector<model::Diagnostic> errors;
    for (const Plan::Translation& translation : plan.translations)
        if (translation.source != translation.file)
            rewritten_[translation.file] = as_cpp(text_of(translation.file), translation.file, errors);
    for (const model::SourceFile& header : submission_.headers)
        scratch_.write(std::string(own_headers) + "/" + header.name,
                       emulated_ ? as_cpp(header.text, header.name, errors) : header.text);
    return errors;
}

void Sources::lay_out(const Plan::Translation& translation) const {
    if (apart_) scratch_.write(translation.file, text_of(translation.file));
    if (translation.source != translation.file) scratch_.write(translation.source, source_of(translation));
}

const std::string& Sources::text_of(const std::string& name) const {
    return std::ranges::find(submission_.files, name, &model::SourceFile::name)->text;
}

const std::string& Sources::source_of(const Plan::Translation& translation) const {
    const auto rewritten = rewritten_.find(translation.file);
    return rewritten == rewritten_.end() ? text_of(translation.file) : rewritten->second;
}

} // namespace build
