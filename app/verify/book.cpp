#include "app/verify/book.h"

#include "bundle/implementation.h"

#include <algorithm>

namespace verify {
namespace {

std::string id_of(const std::string& mutant) {
    return "mutant_" + mutant;
}

/// The reference with what a mutant changes in it.
std::string chapter(const std::string& mutant, std::size_t files,
                    const std::vector<std::string>& from_contract) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < files; ++i)
        names.push_back(file_name(mutant, i));
    return bundle::implementation(id_of(mutant), names, from_contract);
}

/// Sets the number that mutants are chosen by from the worker's argument. Constructors get the arguments of
/// main on Linux, and this one runs before those of the reference's variables.
constexpr const char* choice =
    "#include <cstdlib>\n"
    "static int chosen_mutant = -1;\n"
    "[[gnu::constructor(101)]] static void choose_mutant(int count, char** values) {\n"
    "    char* end = nullptr;\n"
    "    if (count > 1) chosen_mutant = (int)std::strtol(values[1], &end, 10);\n"
    "    if (end == nullptr || *end != 0) chosen_mutant = -1;\n"
    "}\n";

/// The mutant whose file a line of the compiler's names first, or nothing.
std::string named_in(std::string_view line) {
    const std::size_t at = line.find("mutant_");
    if (at == std::string_view::npos) return {};
    const std::string_view rest = line.substr(at + 7);
    const std::size_t stop = rest.find('_');
    if (stop == std::string_view::npos || rest.find(".cpp") == std::string_view::npos) return {};
    return std::string(rest.substr(0, stop));
}

} // namespace

std::vector<Candidate> candidates(const std::vector<std::string>& sources) {
    std::vector<Candidate> all;
    for (std::size_t file = 0; file < sources.size(); ++file) {
        const std::vector<bundle::Function> functions = bundle::functions_of(sources[file]);
        for (Mutant& mutant : mutate(sources[file])) {
            const bool chosen = can_be_chosen(mutant, functions);
            all.push_back({file, std::move(mutant), chosen});
        }
    }
    return all;
}

std::map<std::string, std::string> write_book(const std::vector<std::size_t>& which,
                                              const std::vector<Candidate>& all,
                                              const std::vector<std::string>& sources,
                                              const std::vector<std::string>& from_contract, Copied copied) {
    std::map<std::string, std::string> files;
    for (std::size_t file = 0; file < sources.size(); ++file) {
        std::vector<Alternative> alternatives;
        for (const std::size_t k : which)
            if (all[k].chosen && all[k].file == file) alternatives.push_back({k, &all[k].mutant});
        files[file_name(unchanged, file)] = with_alternatives(sources[file], file, alternatives, copied);
    }
    std::string chapters = chapter(unchanged, sources.size(), from_contract);
    std::vector<bundle::Name> names{{unchanged, id_of(unchanged)}};
    for (const std::size_t k : which) {
        const std::string name = std::to_string(k);
        names.push_back({name, id_of(all[k].chosen ? unchanged : name)});
        if (all[k].chosen) continue;
        for (std::size_t file = 0; file < sources.size(); ++file)
            files[file_name(name, file)] =
                all[k].file == file ? all[k].mutant.apply(sources[file]) : sources[file];
        chapters += chapter(name, sources.size(), from_contract);
    }
    files[book_name] = bundle::preamble() + choice + chapters + bundle::tables("mutants", names) +
                       bundle::only("mutants", names.size());
    return files;
}

std::set<std::string> blamed(const std::string& output) {
    std::set<std::string> found;
    std::string led_here;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const std::string_view line = std::string_view(output).substr(begin, end - begin);
        const std::string named = named_in(line);
        if (led_here.empty() || (!named.empty() && named != unchanged)) led_here = named;
        if (line.find("error: ") != std::string_view::npos) found.insert(named.empty() ? led_here : named);
        begin = end + 1;
    }
    return found;
}

} // namespace verify
