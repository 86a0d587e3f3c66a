#include "kit/mistakes.h"

#include "emulator/rewrite.h"
#include "model/errors.h"

#include <fmt/format.h>

namespace kit {
namespace {

/// A mistake as C++: CUDA is rewritten first, as the judge does with a submission.
std::string as_cpp(const Package& package, const Package::Mistake& mistake) {
    if (package.language != model::Language::cuda) return mistake.program;
    emulator::Rewritten rewritten = emulator::rewrite(mistake.program, mistake.path);
    if (rewritten.errors.empty()) return std::move(rewritten.text);
    const emulator::RewriteError& error = rewritten.errors.front();
    throw model::ContentError(mistake.path, fmt::format("line {}:", error.line), error.message);
}

} // namespace

bundle::Written mistake_sources(const Package& package, bool whole) {
    std::vector<bundle::Program> programs;
    for (const Package::Mistake& mistake : package.mistakes)
        programs.push_back({mistake.name, as_cpp(package, mistake), mistake.base});
    const bool cuda = package.language == model::Language::cuda;
    return bundle::write_programs(programs, package.contract.at("exercises/" + package.id + "/contract.h"),
                                  {.all_whole = whole || cuda});
}

} // namespace kit
