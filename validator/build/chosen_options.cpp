#include "build/chosen_options.h"

#include "reader/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace build {
namespace {

using reader::Token;
using reader::TokenKind;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
    return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 8> ignored{"optimize",      "__optimize__",     "optnone",
                                                  "__optnone__",   "target",           "__target__",
                                                  "target_clones", "__target_clones__"};
constexpr std::array<std::string_view, 2> refused{"naked", "__naked__"};
constexpr std::array<std::string_view, 5> pragmas{"optimize", "target", "push_options", "pop_options",
                                                  "reset_options"};

/// Lines that a backslash continues are one.
std::string joined_lines(std::string_view source) {
    std::string text;
    for (std::size_t at = 0; at < source.size(); ++at) {
        const std::size_t next = source[at] == '\\' ? source.find_first_not_of(" \t\r", at + 1) : source.npos;
        if (next != source.npos && source[next] == '\n')
            at = next;
        else
            text += source[at];
    }
    return text;
}

bool is_reserved(std::string_view word) {
    return word.size() > 1 && word[0] == '_' && (word[1] == '_' || (word[1] >= 'A' && word[1] <= 'Z'));
}

std::size_t next_word(const std::vector<Token>& tokens, std::size_t at) {
    for (++at; at < tokens.size() && tokens[at].kind == TokenKind::blank; ++at) {
    }
    return at;
}

/// Of the C++ library, whose headers have neither a folder nor an ending; or the contract.
bool is_known_header(const std::vector<Token>& tokens, std::size_t include) {
    const std::size_t name = next_word(tokens, include);
    if (name >= tokens.size()) return false;
    if (tokens[name].kind == TokenKind::text)
        return tokens[name].text == "\"contract.h\"" || tokens[name].text.starts_with("\"common/");
    return tokens[name].is("<") && name + 2 < tokens.size() &&
           tokens[name + 1].kind == TokenKind::identifier && tokens[name + 2].is(">");
}

/// What `[[` or `__attribute__((` opens: where its list begins and ends. Empty where it opens nothing.
struct List {
    std::size_t begin = 0;
    std::size_t end = 0; ///< of the bracket that closes it
};

/// For each opening parenthesis and bracket the one that closes it, each kind by itself; else 0. A directive
/// may stand within a list and has no part in it: what it closes is still open for the compiler.
std::vector<std::size_t> closing_brackets(const std::vector<Token>& tokens) {
    std::vector<std::size_t> closing(tokens.size());
    for (const auto& [opens, closes] : {std::pair("(", ")"), std::pair("[", "]")}) {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].directive) continue;
            if (tokens[i].is(opens)) open.push_back(i);
            if (!tokens[i].is(closes) || open.empty()) continue;
            closing[open.back()] = i;
            open.pop_back();
        }
    }
    return closing;
}

/// Goes through a preprocessed source, line markers and all.
class Filter {
  public:
    explicit Filter(std::string_view source)
        : tokens_(reader::tokenize(source)), closing_(closing_brackets(tokens_)), removed_(tokens_.size()),
          filtered_(tokens_.size()) {}

    WithoutOptions run() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].kind == TokenKind::blank) continue;
            if (tokens_[i].directive)
                i = directive(i);
            else if (const List list = attributes_at(i); list.end != 0 && ours() && !filtered_[list.begin])
                filter(list);
        }
        WithoutOptions result{.notes = std::move(notes_), .errors = std::move(errors_)};
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            for (const char c : tokens_[i].text)
                result.text += removed_[i] && c != '\n' ? ' ' : c;
        return result;
    }

  private:
    bool ours() const { return in_system_header_.empty() || !in_system_header_.back(); }
    void remove(std::size_t at) { removed_[at] = true; }

    /// The next word that is in no directive.
    std::size_t next_outside(std::size_t at) const {
        do
            at = next_word(tokens_, at);
        while (at < tokens_.size() && tokens_[at].directive);
        return at;
    }

    List attributes_at(std::size_t at) const {
        const bool gnu = tokens_[at].is("__attribute__") || tokens_[at].is("__attribute");
        if (!gnu && !tokens_[at].is("[")) return {};
        const std::string_view bracket = gnu ? "(" : "[";
        const std::size_t open = gnu ? next_outside(at) : at;
        const std::size_t second = next_outside(open);
        if (second >= tokens_.size() || !tokens_[open].is(bracket) || !tokens_[second].is(bracket)) return {};
        return closing_[second] == 0 ? List{} : List{second + 1, closing_[second]};
    }

    /// Returns the last token of the line.
    std::size_t directive(std::size_t hash) {
        std::size_t end = hash;
        while (end < tokens_.size() && tokens_[end].text != "\n")
            ++end;
        const std::size_t word = next_word(tokens_, hash);
        if (word < end && tokens_[word].kind == TokenKind::number) read_marker(word, end);
        const std::size_t space = next_word(tokens_, word);
        const std::size_t name = next_word(tokens_, space);
        if (word < end && tokens_[word].is("pragma") && name < end && ours() &&
            is_one_of(tokens_[name].text, pragmas)) {
            note("#pragma " + std::string(tokens_[space].text) + " " + std::string(tokens_[name].text), hash);
            for (std::size_t i = hash; i < end; ++i)
                remove(i);
        }
        return end;
    }

    /// # 12 "lookup.cpp" 2 3
    void read_marker(std::size_t number, std::size_t end) {
        const std::string_view digits = tokens_[number].text;
        std::from_chars(digits.data(), digits.data() + digits.size(), line_);
        marker_line_ = tokens_[number].line;
        const std::size_t name = next_word(tokens_, number);
        if (name >= end) return;
        file_ =
            tokens_[name].text.size() < 2 ? "" : tokens_[name].text.substr(1, tokens_[name].text.size() - 2);
        bool entered = false, left = false, system = false;
        for (std::size_t i = next_word(tokens_, name); i < end; i = next_word(tokens_, i)) {
            entered = entered || tokens_[i].text == "1";
            left = left || tokens_[i].text == "2";
            system = system || tokens_[i].text == "3";
        }
        // A marker that does neither is about a macro of a header's, which is used in the file around it.
        if (entered) in_system_header_.push_back(system);
        if (left && !in_system_header_.empty()) in_system_header_.pop_back();
    }

    /// Each token is looked at once, however lists are nested: one that another list holds in no parentheses
    /// was looked at with that list.
    void filter(const List& list) {
        for (std::size_t i = list.begin; i < list.end; ++i) {
            filtered_[i] = true;
            if (tokens_[i].directive) continue;
            if (tokens_[i].is("(")) {
                if (closing_[i] == 0) return;
                i = closing_[i];
            }
            if (tokens_[i].kind != TokenKind::identifier) continue;
            if (is_one_of(tokens_[i].text, refused))
                errors_.push_back(
                    at(i, "attribute '" + std::string(tokens_[i].text) + "'",
                       "A naked function has no code except its assembly: write it as an ordinary one."));
            if (is_one_of(tokens_[i].text, ignored)) i = remove_attribute(i, list);
        }
    }

    /// Its name, `gnu::` before it, and its arguments; returns its last token.
    std::size_t remove_attribute(std::size_t name, const List& list) {
        note("attribute '" + std::string(tokens_[name].text) + "'", name);
        std::size_t first = name;
        for (int back = 0; back < 2; ++back) {
            std::size_t before = first;
            while (before > list.begin && tokens_[before - 1].kind == TokenKind::blank)
                --before;
            if (before == list.begin || !(back == 0 ? tokens_[before - 1].is("::") : first != name)) break;
            first = before - 1;
        }
        std::size_t last = name;
        if (const std::size_t open = next_word(tokens_, name); open < list.end && tokens_[open].is("(")) {
            last = closing_[open] == 0 ? list.end - 1 : std::min(closing_[open], list.end - 1);
        }
        for (std::size_t i = first; i <= last; ++i)
            if (!tokens_[i].directive) remove(i);
        return last;
    }

    model::Diagnostic at(std::size_t token, std::string message, std::string explanation) const {
        model::Diagnostic diagnostic;
        diagnostic.file = file_;
        diagnostic.line = line_ + tokens_[token].line - marker_line_ - 1;
        diagnostic.message = std::move(message);
        diagnostic.explanation = std::move(explanation);
        return diagnostic;
    }

    void note(const std::string& what, std::size_t token) {
        notes_.push_back(
            at(token, what + " is ignored",
               "All submissions are compiled with the same options, so " + what + " has no effect here."));
        notes_.back().severity = model::Severity::note;
    }

    std::vector<Token> tokens_;
    std::vector<std::size_t> closing_; ///< for each token that opens something; else 0
    std::vector<bool> removed_;
    std::vector<bool> filtered_;
    std::vector<model::Diagnostic> notes_;
    std::vector<model::Diagnostic> errors_;
    std::string file_;
    int line_ = 0;                       ///< of the line after the marker
    int marker_line_ = 0;                ///< where that marker stands
    std::vector<bool> in_system_header_; ///< for each file that is being included
};

} // namespace

bool may_choose_options(std::string_view source) {
    const std::string text = joined_lines(source);
    constexpr std::array<std::string_view, 6> words{"optimize", "optnone", "target", "naked", "##", "%:"};
    if (std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; }))
        return true;
    const std::vector<Token> tokens = reader::tokenize(text);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::identifier) continue;
        if (is_reserved(tokens[i].text)) return true;
        const bool include = tokens[i].directive && (tokens[i].is("include") || tokens[i].is("include_next"));
        if (include && !is_known_header(tokens, i)) return true;
    }
    return false;
}

int line_marker_in(std::string_view source) {
    std::string text(source);
    for (std::size_t at = text.find("%:"); at != text.npos; at = text.find("%:", at))
        text.replace(at, 2, "# ");
    const std::vector<Token> tokens = reader::tokenize(text);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (const std::size_t next = next_word(tokens, i);
            tokens[i].directive && tokens[i].is("#") && (i == 0 || !tokens[i - 1].directive) &&
            next < tokens.size() && tokens[next].kind == TokenKind::number)
            return tokens[i].line;
    return 0;
}

WithoutOptions without_options(std::string_view preprocessed) {
    return Filter(preprocessed).run();
}

} // namespace build
