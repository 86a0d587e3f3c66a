#include "bundle/implementation.h"

#include "bundle/choices.h"

#include <fmt/format.h>

namespace bundle {

std::string preamble() {
    return "#include \"contract.h\"\n#include \"subject/shim/table.h\"\n#include <iterator>\n";
}

std::string implementation(const std::string& id, const std::vector<std::string>& files,
                           const std::vector<std::string>& from_contract) {
    // Declared before they are defined, as the contract does it. Nobody calls those that it defines itself.
    std::string text = fmt::format("namespace {0} {{\nusing namespace contract;\n"
                                   "#define ENGINE_DECLARE(NAME) static decltype(exercise::NAME) NAME;\n"
                                   "EXERCISE_INTERFACE(ENGINE_DECLARE)\n#undef ENGINE_DECLARE\n}}\n"
                                   "#define exercise {0}\n",
                                   id);
    for (const std::string& file : files)
        text += fmt::format("#include \"{}\"\n", file);
    text += fmt::format("#undef exercise\nnamespace called_{0} {{\nusing namespace {0};\n", id);
    for (const std::string& name : from_contract)
        text += fmt::format("using exercise::{};\n", name);
    return text +
           fmt::format("}}\nnamespace subject::shim {{\nnamespace {{\n"
                       "#define ENGINE_ENTRY(NAME) [](Call& call) {{ invoke(&called_{0}::NAME, call); }},\n"
                       "void (*const entries_{0}[])(Call&) = {{EXERCISE_INTERFACE(ENGINE_ENTRY)}};\n"
                       "#undef ENGINE_ENTRY\n}}\n}}\n",
                       id);
}

std::string tables(const std::string& list, const std::vector<Name>& names) {
    std::string rows;
    for (const Name& name : names) {
        const std::string choice = name.number ? fmt::format(", &::{}, {}", selector, *name.number) : "";
        rows += fmt::format("    {{\"{0}\", entries_{1}, std::size(entries_{1}){2}}},\n", name.text, name.id,
                            choice);
    }
    return fmt::format(
        "namespace subject::shim {{\nextern const Table {0}[];\nconst Table {0}[] = {{\n{1}}};\n}}\n", list,
        rows);
}

std::string selector_variable() {
    return fmt::format("static int {} = -1;\n", selector);
}

std::string selector_choice(const std::string& list, std::size_t count) {
    // Constructors get the arguments of main on Linux, and this one runs before those of any variables.
    return fmt::format("#include <string_view>\n"
                       "[[gnu::constructor(101)]] static void choose_program(int count, char** values) {{\n"
                       "    for (std::size_t i = 0; count > 1 && i < {1}; ++i) {{\n"
                       "        const subject::shim::Table& table = subject::shim::{0}[i];\n"
                       "        if (table.selector != nullptr && std::string_view(table.name) == values[1])\n"
                       "            *table.selector = table.number;\n"
                       "    }}\n}}\n",
                       list, count);
}

std::string all_tables(const std::vector<List>& lists) {
    std::string declarations;
    std::string rows;
    std::size_t count = 0;
    for (const List& list : lists) {
        declarations += fmt::format("extern const Table {}[];\n", list.name);
        for (std::size_t i = 0; i < list.count; ++i)
            rows += fmt::format("&{}[{}], ", list.name, i);
        count += list.count;
    }
    return fmt::format("namespace subject::shim {{\n{}const Table* const tables[] = {{{}}};\n"
                       "const std::size_t table_count = {};\n}}\n",
                       declarations, count > 0 ? rows : "nullptr", count);
}

} // namespace bundle
