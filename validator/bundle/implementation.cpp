#include "bundle/implementation.h"

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
    for (const Name& name : names)
        rows += fmt::format("    {{\"{0}\", entries_{1}, std::size(entries_{1})}},\n", name.text, name.id);
    return fmt::format(
        "namespace subject::shim {{\nextern const Table {0}[];\nconst Table {0}[] = {{\n{1}}};\n}}\n", list,
        rows);
}

std::string only(const std::string& list, std::size_t count) {
    std::string rows;
    for (std::size_t i = 0; i < count; ++i)
        rows += fmt::format("&{}[{}], ", list, i);
    return fmt::format("namespace subject::shim {{\nconst Table* const tables[] = {{{}}};\n"
                       "const std::size_t table_count = {};\n}}\n",
                       rows, count);
}

} // namespace bundle
