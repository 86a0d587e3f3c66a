#include "app/verify/mutant_program.h"

#include "app/verify/program.h"
#include "build/plan.h"
#include "bundle/blame.h"
#include "catalogue/source.h"
#include "model/errors.h"
#include "reader/functions.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace verify {
namespace {

constexpr std::size_t max_compiler_output = 400; ///< as much as an error shows

std::vector<std::string> flags(const build::Toolchain& toolchain) {
    std::vector<std::string> list = build::code_flags(toolchain, build::Variant::optimised);
    // Most of the time goes into code that runs for milliseconds.
    std::ranges::replace(list, std::string("-O2"), std::string("-O1"));
    std::erase(list, "-g1");
    // A dropped return is found where it is missed.
    list.insert(list.end(), {"-fsanitize=return", "-fsanitize-undefined-trap-on-error"});
    return list;
}

std::string to_note(const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t number : numbers)
        text += std::to_string(number) + ' ';
    return text;
}

std::vector<std::size_t> from_note(const std::string& note) {
    std::istringstream stream(note);
    return {std::istream_iterator<std::size_t>(stream), {}};
}

} // namespace

std::optional<MutantProgram> build_mutants(const build::Workshop& workshop, const model::Problem& problem,
                                           const std::vector<std::string>& sources,
                                           const std::vector<Candidate>& all, std::vector<std::size_t> which,
                                           int cancel_fd) {
    const std::vector<std::string> from_contract = reader::defined_functions(
        catalogue::read_source(problem.exercise / "contract.h", problem.exercise).text);
    bundle::Copied copied = bundle::Copied::places;
    const auto write = [&] { return write_book(which, all, sources, from_contract, copied); };
    const auto source = [&](const bundle::Written& book) {
        return ProgramSource{
            .files = book.files, .compiled = book.compiled.front(), .flags = flags(workshop.toolchain())};
    };
    const std::string key = key_of(workshop, problem, source(write()));
    if (auto known = workshop.cache().find(key)) {
        std::vector<std::size_t> compiled = from_note(known->note);
        return MutantProgram{std::move(*known), std::move(compiled)};
    }
    for (;;) {
        const bundle::Written book = write();
        Made made = make_program(workshop, problem, source(book), cancel_fd);
        if (made.ok)
            return MutantProgram{workshop.cache().store(key, std::move(made.program), to_note(which)),
                                 std::move(which)};
        const std::set<std::string> bad = bundle::blamed(made.output, book.owners, unchanged);
        if (bad.contains(unchanged) && copied == bundle::Copied::places) {
            copied = bundle::Copied::bodies;
            continue;
        }
        if (which.empty() || bad.contains(unchanged))
            throw model::ContentError(problem.host_reference.front().string(), "",
                                      "does not compile next to its mutants: " +
                                          made.output.substr(0, max_compiler_output));
        if (std::erase_if(which, [&](std::size_t k) { return bad.contains(std::to_string(k)); }) == 0)
            return std::nullopt;
    }
}

} // namespace verify
