#include "app/verify/mutate.h"

#include "reader/statements.h"
#include "reader/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <set>

namespace verify {
namespace {

/// What stands in a place, and what else could stand there.
struct Slip {
    std::string_view from;
    std::string_view to;
};

constexpr std::array<Slip, 34> binary_slips{{
    {"+", "-"},   {"-", "+"},   {"*", "/"},   {"/", "*"},   {"%", "*"},   {"<<", ">>"}, {">>", "<<"},
    {"&", "|"},   {"|", "&"},   {"^", "&"},   {"+=", "-="}, {"+=", "="},  {"-=", "+="}, {"-=", "="},
    {"*=", "/="}, {"*=", "="},  {"/=", "*="}, {"/=", "="},  {"%=", "*="}, {"|=", "&="}, {"&=", "|="},
    {"^=", "="},  {"==", "!="}, {"!=", "=="}, {"<", "<="},  {"<", ">="},  {"<=", "<"},  {"<=", ">"},
    {">", ">="},  {">", "<="},  {">=", ">"},  {">=", "<"},  {"&&", "||"}, {"||", "&&"},
}};
constexpr std::array<Slip, 6> other_slips{
    {{"++", "--"}, {"--", "++"}, {"true", "false"}, {"false", "true"}, {"!", ""}, {"~", ""}}};

class Mutator {
  public:
    explicit Mutator(const std::string& source) : source_(source), words_(reader::read_words(source)) {}

    std::vector<Mutant> run() {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            if (words_[i].template_angle) continue;
            slip(i);
            if (words_[i].number) change_number(i);
            if (words_[i].in_function) {
                drop_statement(i);
                swap_arguments(i);
            }
        }
        number_repetitions();
        return std::move(mutants_);
    }

  private:
    const reader::Word* before(std::size_t i) const { return i > 0 ? &words_[i - 1] : nullptr; }

    /// Whether a value ends before this token, so that an operator here takes two.
    bool follows_value(std::size_t i) const {
        static const std::set<std::string_view> no_value{"return", "case",  "auto", "float",   "double",
                                                         "int",    "char",  "bool", "long",    "short",
                                                         "void",   "const", "else", "unsigned"};
        const reader::Word* left = before(i);
        if (left == nullptr) return false;
        if (left->identifier) return !no_value.contains(left->text);
        return left->number || left->text == ")" || left->text == "]" || left->text == "}";
    }

    /// `Type& name` and `Type* name`, as the formatter sets them: no operator of two values.
    bool declares(std::size_t i) const {
        const std::string_view text = words_[i].text;
        return (text == "&" || text == "*" || text == "&&") && before(i)->end() == words_[i].offset;
    }

    void slip(std::size_t i) {
        const reader::Word& word = words_[i];
        if (follows_value(i) && !declares(i))
            for (const Slip& each : binary_slips)
                if (each.from == word.text) replace(i, i, std::string(each.to));
        for (const Slip& each : other_slips)
            if (each.from == word.text) replace(i, i, std::string(each.to));
    }

    /// One more and one less; a suffix stays. What is not plainly decimal is doubled.
    void change_number(std::size_t i) {
        const std::string text(words_[i].text);
        const std::size_t digits = text.find_first_not_of("0123456789.");
        const std::string suffix = digits == std::string::npos ? "" : text.substr(digits);
        const std::string value = text.substr(0, digits);
        const bool plain = suffix.find_first_not_of("uUlLzZfF") == std::string::npos;
        if (!plain) return replace(i, i, fmt::format("({} * 2)", text));
        if (value.find('.') == std::string::npos) {
            std::uint64_t number = 0;
            if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc{}) return;
            replace(i, i, fmt::format("{}{}", number + 1, suffix));
            if (number > 0) replace(i, i, fmt::format("{}{}", number - 1, suffix));
        } else {
            const double number = std::stod(value);
            replace(i, i, fmt::format("{:#}{}", number + 1, suffix));
            if (number > 0) replace(i, i, fmt::format("{:#}{}", number - 1, suffix));
        }
    }

    void drop_statement(std::size_t i) {
        if (!begins_statement(words_, i)) return;
        const std::size_t end = end_of_statement(words_, i);
        if (end == 0 || in_for_header(words_, i)) return;
        if (could_declare(words_, i, end)) return; // what uses the variable would not compile
        // A function's last return: what follows would be undefined behaviour, not a wrong result.
        if (words_[i].text == "return" && end + 1 < words_.size() && words_[end + 1].ends_function) return;
        add(i, end, ";", "dropped: " + text_of(i, end));
    }

    /// Neighbouring arguments of a call change places. Of `min` and `max` nobody could tell.
    void swap_arguments(std::size_t i) {
        static const std::set<std::string_view> no_call{"if",     "for",   "while", "switch",
                                                        "return", "catch", "min",   "max"};
        if (words_[i].text != "(" || words_[i].partner <= i + 1) return;
        const reader::Word* left = before(i);
        if (left == nullptr || no_call.contains(left->text)) return;
        if (!left->identifier && !(left->template_angle && left->text == ">")) return;
        std::vector<std::size_t> commas{i};
        for (std::size_t k = i + 1; k < words_[i].partner; ++k) {
            if (words_[k].partner > k)
                k = words_[k].partner;
            else if (words_[k].text == ",")
                commas.push_back(k);
        }
        commas.push_back(words_[i].partner);
        for (std::size_t c = 0; c + 2 < commas.size(); ++c) {
            const std::string first = text_of(commas[c] + 1, commas[c + 1] - 1);
            const std::string second = text_of(commas[c + 1] + 1, commas[c + 2] - 1);
            if (first != second)
                add(commas[c] + 1, commas[c + 2] - 1, second + ", " + first,
                    fmt::format("{}, {} -> {}, {}", first, second, second, first));
        }
    }

    std::string text_of(std::size_t first, std::size_t last) const {
        return collapsed(source_.substr(words_[first].offset, words_[last].end() - words_[first].offset));
    }

    void replace(std::size_t first, std::size_t last, std::string replacement) {
        std::string mutation =
            fmt::format("{} -> {}", text_of(first, last), replacement.empty() ? "nothing" : replacement);
        add(first, last, std::move(replacement), std::move(mutation));
    }

    void add(std::size_t first, std::size_t last, std::string replacement, std::string mutation) {
        Mutant mutant;
        mutant.line = words_[first].line;
        mutant.offset = words_[first].offset;
        mutant.length = words_[last].end() - mutant.offset;
        mutant.replacement = std::move(replacement);
        mutant.mutation = std::move(mutation);
        const std::size_t begin = source_.rfind('\n', mutant.offset) + 1; // npos + 1 is the beginning
        const std::size_t end = std::min(source_.find('\n', mutant.offset + mutant.length), source_.size());
        const std::string head = source_.substr(begin, mutant.offset - begin);
        const std::string tail =
            source_.substr(mutant.offset + mutant.length, end - mutant.offset - mutant.length);
        mutant.original = collapsed(source_.substr(begin, end - begin));
        mutant.mutated = collapsed(head + mutant.replacement + tail);
        mutants_.push_back(std::move(mutant));
    }

    /// On one line, with single blanks, without a line comment at its end.
    static std::string collapsed(const std::string& text) {
        std::string line;
        bool comment = false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') comment = false;
            if (text.compare(i, 2, "//") == 0) comment = true;
            if (comment) continue;
            const bool blank = text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
            if (!blank)
                line += text[i];
            else if (!line.empty() && line.back() != ' ')
                line += ' ';
        }
        if (line.ends_with(' ')) line.pop_back();
        return line;
    }

    /// Two equal changes of one line are told apart by their number.
    void number_repetitions() {
        std::map<std::pair<int, std::string>, int> seen;
        for (Mutant& mutant : mutants_)
            if (const int n = ++seen[{mutant.line, mutant.mutation}]; n > 1)
                mutant.mutation += fmt::format(" ({})", n);
    }

    const std::string& source_;
    std::vector<reader::Word> words_;
    std::vector<Mutant> mutants_;
};

} // namespace

std::string Mutant::apply(const std::string& source) const {
    return source.substr(0, offset) + replacement + source.substr(offset + length);
}

std::vector<Mutant> mutate(const std::string& source) {
    return Mutator(source).run();
}

} // namespace verify
