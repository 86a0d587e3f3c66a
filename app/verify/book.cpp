#include "app/verify/book.h"

#include "app/verify/alternatives.h"

#include <algorithm>
#include <fmt/format.h>

namespace verify {
namespace {

/// The reference with what a mutant changes in it, in a namespace of its own. Functions that the contract
/// itself defines come from there; nobody calls this chapter's own.
std::string chapter(const std::string& mutant, std::size_t files,
                    const std::vector<std::string>& from_contract) {
    std::string text = fmt::format("namespace mutant_{0} {{\nusing namespace contract;\n"
                                   "#define ENGINE_DECLARE(NAME) static decltype(exercise::NAME) NAME;\n"
                                   "EXERCISE_INTERFACE(ENGINE_DECLARE)\n#undef ENGINE_DECLARE\n}}\n"
                                   "#define exercise mutant_{0}\n",
                                   mutant);
    for (std::size_t i = 0; i < files; ++i)
        text += fmt::format("#include \"{}\"\n", file_name(mutant, i));
    text += fmt::format("#undef exercise\nnamespace called_{0} {{\nusing namespace mutant_{0};\n", mutant);
    for (const std::string& name : from_contract)
        text += fmt::format("using exercise::{};\n", name);
    return text +
           fmt::format("}}\nnamespace subject::shim {{\nnamespace {{\n"
                       "#define ENGINE_ENTRY(NAME) [](Call& call) {{ invoke(&called_{0}::NAME, call); }},\n"
                       "void (*const entries_{0}[])(Call&) = {{EXERCISE_INTERFACE(ENGINE_ENTRY)}};\n"
                       "#undef ENGINE_ENTRY\n}}\n}}\n",
                       mutant);
}

/// A row of the worker's tables: the name that chooses a mutant, and the chapter that plays it.
std::string table(const std::string& mutant, const std::string& chapter) {
    return fmt::format("constexpr Table table_{0}{{\"{0}\", entries_{1}, std::size(entries_{1})}};\n", mutant,
                       chapter);
}

/// Sets the number that bodies are chosen by from the worker's argument. Constructors get the arguments of
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
        const std::vector<Function> functions = functions_of(sources[file]);
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
                                              const std::vector<std::string>& from_contract) {
    std::map<std::string, std::string> files;
    for (std::size_t file = 0; file < sources.size(); ++file) {
        std::vector<Alternative> alternatives;
        for (const std::size_t k : which)
            if (all[k].chosen && all[k].file == file) alternatives.push_back({k, &all[k].mutant});
        files[file_name(unchanged, file)] = with_alternatives(sources[file], file, alternatives);
    }
    std::string chapters = chapter(unchanged, sources.size(), from_contract);
    std::string tables = table(unchanged, unchanged);
    std::string rows = fmt::format("&table_{}", unchanged);
    for (const std::size_t k : which) {
        const std::string name = std::to_string(k);
        if (!all[k].chosen) {
            for (std::size_t file = 0; file < sources.size(); ++file)
                files[file_name(name, file)] =
                    all[k].file == file ? all[k].mutant.apply(sources[file]) : sources[file];
            chapters += chapter(name, sources.size(), from_contract);
        }
        tables += table(name, all[k].chosen ? unchanged : name);
        rows += ", &table_" + name;
    }
    files[book_name] = fmt::format("#include \"contract.h\"\n#include \"subject/shim/table.h\"\n"
                                   "#include <iterator>\n{}{}namespace subject::shim {{\nnamespace {{\n{}}}\n"
                                   "const Table* const tables[] = {{{}}};\n"
                                   "const std::size_t table_count = std::size(tables);\n}}\n",
                                   choice, chapters, tables, rows);
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
