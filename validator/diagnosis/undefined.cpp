#include "diagnosis/undefined.h"

namespace diagnosis {
namespace {

/// Name of the function in "exercise::lookup(int)", with its namespaces.
std::string qualified_name(const std::string& signature) {
    return signature.substr(0, signature.find('('));
}

std::string last_name(const std::string& signature) {
    // "(anonymous namespace)::lookup(int)" has an earlier parenthesis
    const std::size_t anonymous = signature.rfind("(anonymous namespace)::");
    const std::string name = qualified_name(
        anonymous == std::string::npos
            ? signature
            : signature.substr(anonymous + std::string_view("(anonymous namespace)::").size()));
    const std::size_t colon = name.rfind("::");
    return colon == std::string::npos ? name : name.substr(colon + 2);
}

/// With its namespaces, and "::" where it has none.
std::string readable_qualified(const std::string& signature) {
    const std::string name = qualified_name(signature);
    return name.find("::") == std::string::npos ? "::" + name : name;
}

std::string parameters(const std::string& readable) {
    const std::size_t open = readable.find('(');
    return open == std::string::npos ? "" : readable.substr(open);
}

std::string without_const(std::string text) {
    replace_all(text, "const ", "");
    return text;
}

} // namespace

std::string missing_helper(const std::string& wanted, const std::vector<std::string>& defined) {
    const std::string called = readable_signature(wanted);
    for (const std::string& other : defined) {
        if (last_name(other) != last_name(wanted)) continue;
        if (qualified_name(other) != qualified_name(wanted))
            return called + " is declared and called, but what the file defines is " +
                   readable_qualified(other) +
                   ", in another namespace: declare and define it in the same one.";
        return called + " is declared and called, but what the file defines is " + readable_signature(other) +
               ": give both the same parameters.";
    }
    return called + " is declared and called, but not defined: write its body, or do not call it.";
}

std::string missing_function(const std::string& wanted, const std::vector<std::string>& defined) {
    constexpr std::string_view home = "exercise::";
    const std::string expected = readable_signature(wanted);
    if (!wanted.starts_with(home)) return missing_helper(wanted, defined);

    const std::string name = last_name(wanted);
    for (const std::string& other : defined) {
        if (qualified_name(other) != qualified_name(wanted)) continue;
        const std::string found = readable_signature(other);
        const char* what = without_const(found) == without_const(expected)
                               ? " differs from contract.h in a const: expected "
                               : " has different parameters from those in contract.h: expected ";
        return name + what + expected + ", found " + found + ".";
    }
    for (const std::string& other : defined)
        if (last_name(other) == name)
            return name + " is defined outside namespace exercise: put it inside `namespace exercise { … }`, "
                          "as in the starter.";
    for (const std::string& other : defined)
        if (other.starts_with(home) && parameters(readable_signature(other)) == parameters(expected))
            return name + " is declared in contract.h, but your file defines " + last_name(other) +
                   " with these parameters: is the name misspelt?";
    return name + " is declared in contract.h, but your file does not define it.";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

std::string readable_signature(const std::string& demangled) {
    std::string text = demangled;
    replace_all(text, "contract::", "");
    replace_all(text, "exercise::", "");
    replace_all(text, ", 18446744073709551615ul", "");
    replace_all(text, "std::__cxx11::", "std::");
    replace_all(text, "std::basic_string<char>", "std::string");
    for (const std::string_view keyword : {"struct ", "class "})
        if (text.starts_with(keyword)) text.erase(0, keyword.size());
    // "float const" is how symbols are printed, "const float" how they are written.
    constexpr std::string_view after = " const";
    for (std::size_t at = text.find(after); at != std::string::npos;
         at = text.find(after, at + after.size())) {
        const std::size_t end = at + after.size();
        if (end < text.size() && std::string_view(">,)&*").find(text[end]) == std::string_view::npos)
            continue;
        const std::size_t begin = text.find_last_of("<>(,&*", at) + 1; // 0 where there is none
        if (begin > 0 && text[begin - 1] == '>') continue;
        const std::size_t word = text.find_first_not_of(' ', begin);
        text.erase(at, after.size());
        text.insert(word, "const ");
    }
    return text;
}

} // namespace diagnosis
