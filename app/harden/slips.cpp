#include "app/harden/slips.h"

#include "reader/statements.h"
#include "reader/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace harden {
namespace {

using Word = reader::Word;

/// What is written in a place, and what could be written there by mistake.
struct Swap {
    Kind kind;
    std::string_view from;
    std::string_view to;
};

constexpr std::array operators{
    Swap{Kind::operation, "+", "-"},      Swap{Kind::operation, "-", "+"},
    Swap{Kind::operation, "*", "+"},      Swap{Kind::operation, "/", "*"},
    Swap{Kind::operation, "%", "/"},      Swap{Kind::operation, "<<", ">>"},
    Swap{Kind::operation, ">>", "<<"},    Swap{Kind::operation, "^", "|"},
    Swap{Kind::operation, "==", "!="},    Swap{Kind::operation, "!=", "<"},
    Swap{Kind::operation, "&&", "||"},    Swap{Kind::operation, "||", "&&"},
    Swap{Kind::bound, "<", "<="},         Swap{Kind::bound, "<=", "<"},
    Swap{Kind::bound, ">", ">="},         Swap{Kind::bound, ">=", ">"},
    Swap{Kind::accumulation, "+=", "="},  Swap{Kind::accumulation, "-=", "="},
    Swap{Kind::accumulation, "*=", "="},  Swap{Kind::accumulation, "|=", "="},
    Swap{Kind::accumulation, "+=", "-="}, Swap{Kind::accumulation, "-=", "+="},
};

/// Members of views and of CUDA's coordinates.
constexpr std::array members{
    Swap{Kind::stride, "rows", "cols"},   Swap{Kind::stride, "cols", "rows"},
    Swap{Kind::stride, "stride", "cols"}, Swap{Kind::stride, "cols", "stride"},
    Swap{Kind::index, "x", "y"},          Swap{Kind::index, "y", "x"},
};

constexpr std::array names{
    Swap{Kind::width, "double", "float"},       Swap{Kind::width, "size_t", "uint16_t"},
    Swap{Kind::width, "ptrdiff_t", "int32_t"},  Swap{Kind::width, "int64_t", "int32_t"},
    Swap{Kind::width, "uint64_t", "uint32_t"},  Swap{Kind::index, "threadIdx", "blockIdx"},
    Swap{Kind::index, "blockIdx", "threadIdx"}, Swap{Kind::stride, "blockDim", "gridDim"},
    Swap{Kind::stride, "gridDim", "blockDim"},  Swap{Kind::operation, "min", "max"},
    Swap{Kind::operation, "max", "min"},        Swap{Kind::operation, "cos", "sin"},
    Swap{Kind::operation, "sin", "cos"},
};

class Finder {
  public:
    explicit Finder(const std::string& source) : source_(source), words_(reader::read_words(source)) {
        for (const Word& word : words_)
            device_code_ = device_code_ || word.text == "__global__" || word.text == "__device__";
    }

    std::vector<Slip> run() {
        for (std::size_t i = 1; i + 1 < words_.size(); ++i) {
            if (!words_[i].in_function) {
                loop_variables_.clear();
                extents_.clear();
            }
            if (!words_[i].in_function || words_[i].template_angle) continue;
            note_names(i);
            swap_operator(i);
            swap_name(i);
            change_number(i);
            change_index(i);
            change_extent(i);
            drop_operand(i);
            swap_arguments(i);
            change_statement(i);
            change_capture(i);
        }
        return std::move(slips_);
    }

  private:
    bool is(std::size_t i, std::string_view text) const {
        return i < words_.size() && words_[i].text == text;
    }

    /// A name that is not a part of a longer one, and is not called.
    bool is_plain_name(std::size_t i) const {
        static const std::set<std::string_view> around{".", "->", "::", "(", "["};
        return words_[i].identifier && !around.contains(words_[i + 1].text) && !is(i - 1, ".") &&
               !is(i - 1, "->") && !is(i - 1, "::");
    }

    /// Whether a value ends before word i, so that an operator there takes two.
    bool follows_value(std::size_t i) const {
        static const std::set<std::string_view> no_value{"return", "case", "auto", "float",
                                                         "double", "int",  "else", "const"};
        const Word& left = words_[i - 1];
        if (left.identifier) return !no_value.contains(left.text);
        return left.number || left.text == ")" || left.text == "]";
    }

    /// `Type* name`, as the formatter sets it.
    bool declares(std::size_t i) const { return is(i, "*") && words_[i - 1].end() == words_[i].offset; }

    /// What this function uses as a loop's variable or as a size.
    void note_names(std::size_t i) {
        if (!is_plain_name(i)) return;
        if (is(i + 1, "=") && reader::in_for_header(words_, i)) loop_variables_.insert(words_[i].text);
        if ((is(i - 1, "*") && !declares(i - 1)) || (is(i - 1, "<") && !words_[i - 1].template_angle))
            extents_.insert(words_[i].text);
    }

    void swap_operator(std::size_t i) {
        if (!follows_value(i) || declares(i)) return;
        for (const Swap& swap : operators)
            if (is(i, swap.from)) add(swap.kind, i, i, std::string(swap.to));
    }

    void swap_name(std::size_t i) {
        const bool member = is(i - 1, ".") || is(i - 1, "->");
        const auto swap_one_of = [&](const auto& table) {
            for (const Swap& swap : table)
                if (is(i, swap.from)) add(swap.kind, i, i, std::string(swap.to));
        };
        if (member && !is(i + 1, "("))
            swap_one_of(members);
        else if (!member)
            swap_one_of(names);
    }

    /// One more and one less.
    void change_number(std::size_t i) {
        const std::string_view text = words_[i].text;
        const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const std::string suffix(text.substr(digits));
        if (!words_[i].number || suffix.find_first_not_of("uUlLzZ") != std::string::npos) return;
        std::uint64_t number = 0;
        if (std::from_chars(text.data(), text.data() + digits, number).ec != std::errc{}) return;
        const Kind kind = reader::in_for_header(words_, i) && is(i - 1, "=") ? Kind::bound : Kind::index;
        add(kind, i, i, std::to_string(number + 1) + suffix);
        if (number > 0) add(kind, i, i, std::to_string(number - 1) + suffix);
    }

    /// Another loop's variable, or always the first element.
    void change_index(std::size_t i) {
        if (!is_plain_name(i) || !loop_variables_.contains(words_[i].text) || is(i + 1, "=")) return;
        if (reader::in_for_header(words_, i) && !is(i - 1, "[")) return;
        for (const std::string_view other : loop_variables_)
            if (other != words_[i].text) add(Kind::index, i, i, std::string(other));
        if (is(i - 1, "[") && is(i + 1, "]")) add(Kind::index, i, i, "0");
    }

    /// Another size, where one is a bound or a factor.
    void change_extent(std::size_t i) {
        if (!is_plain_name(i) || !extents_.contains(words_[i].text)) return;
        if (!is(i - 1, "*") && !is(i - 1, "<")) return;
        for (const std::string_view other : extents_)
            if (other != words_[i].text && !loop_variables_.contains(other))
                add(Kind::stride, i, i, std::string(other));
    }

    /// The last of several conditions is forgotten, or the last term of a sum.
    void drop_operand(std::size_t i) {
        const bool condition = is(i, "||") || is(i, "&&");
        if (!condition && !is(i, "+") && !is(i, "-")) return;
        if (!follows_value(i)) return;
        static const std::set<std::string_view> ends{"||", "&&", ")", ";", "?", ",", "+", "-", "]", "}"};
        static const std::set<std::string_view> compares{"<", ">", "<=", ">=", "==", "!=", ":"};
        std::size_t last = i;
        for (std::size_t k = i + 1; k < words_.size() && !ends.contains(words_[k].text); ++k) {
            if (!condition && compares.contains(words_[k].text)) break;
            if (words_[k].partner > k) k = words_[k].partner;
            last = k;
        }
        if (last > i) add(condition ? Kind::bound : Kind::index, i, last, "");
    }

    /// Neighbouring arguments of a call change places.
    void swap_arguments(std::size_t i) {
        static const std::set<std::string_view> no_call{"if",     "for",   "while", "switch",
                                                        "return", "catch", "min",   "max"};
        if (!is(i, "(") || words_[i].partner <= i + 1) return;
        if (!words_[i - 1].identifier || no_call.contains(words_[i - 1].text)) return;
        std::vector<std::size_t> commas{i};
        for (std::size_t k = i + 1; k < words_[i].partner; ++k) {
            if (words_[k].partner > k)
                k = words_[k].partner;
            else if (is(k, ","))
                commas.push_back(k);
        }
        commas.push_back(words_[i].partner);
        for (std::size_t c = 0; c + 2 < commas.size(); ++c)
            swap_ranges(commas[c] + 1, commas[c + 1] - 1, commas[c + 1] + 1, commas[c + 2] - 1);
    }

    void change_statement(std::size_t i) {
        if (!reader::begins_statement(words_, i) || reader::in_for_header(words_, i)) return;
        if (is(i, "if") && is(i + 1, "(")) return drop_check(i);
        const std::size_t end = reader::semicolon_after(words_, i);
        if (end == 0) return;
        keep_variable(i, end);
        const std::size_t plain = reader::end_of_statement(words_, i);
        if (plain == 0 || is_jump(i) || reader::could_declare(words_, i, plain)) return;
        if (words_[i].text.starts_with("__sync")) add(Kind::order, i, plain, ";");
        const std::size_t next = plain + 1;
        const std::size_t next_end = next < words_.size() ? reader::end_of_statement(words_, next) : 0;
        const bool braced = is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}");
        if (braced && next_end > 0 && !is_jump(next) && !reader::could_declare(words_, next, next_end))
            swap_ranges(i, plain, next, next_end);
    }

    bool is_jump(std::size_t i) const {
        return is(i, "return") || is(i, "break") || is(i, "continue") || is(i, "throw");
    }

    /// A case that was not thought of: `if (…) return …;` and `if (…) continue;` are missing.
    void drop_check(std::size_t i) {
        const std::size_t jump = words_[i + 1].partner + 1;
        if (words_[i + 1].partner <= i + 1 || jump >= words_.size() || !is_jump(jump)) return;
        const std::size_t end = reader::semicolon_after(words_, jump);
        if (end > 0 && !is(end + 1, "else")) add(Kind::bound, i, end, "");
    }

    /// A variable that lives longer than the call, and keeps what the first one gave it.
    void keep_variable(std::size_t i, std::size_t end) {
        static const std::set<std::string_view> no_type{"return", "static", "using", "constexpr", "throw",
                                                        "delete", "case",   "goto",  "else"};
        if (device_code_ || !words_[i].identifier || no_type.contains(words_[i].text)) return;
        const bool declaration = reader::could_declare(words_, i, end);
        if (!declaration || is(i + 1, "(") || is(i + 1, ".")) return;
        for (std::size_t k = i; k < end && !is(k, "="); ++k)
            if (is(k, "&")) return; // what it refers to is gone by the next call
        slips_.push_back({Kind::lifetime, words_[i].offset, 0, "static "});
    }

    /// A closure that works on copies.
    void change_capture(std::size_t i) {
        if (is(i, "&") && is(i - 1, "[") && is(i + 1, "]")) add(Kind::lifetime, i, i, "=");
        if (is(i, "&") && is(i - 1, "auto") && words_[i + 1].identifier) add(Kind::lifetime, i, i, "");
    }

    std::string text_of(std::size_t first, std::size_t last) const {
        return source_.substr(words_[first].offset, words_[last].end() - words_[first].offset);
    }

    /// What is between the two stays where it is.
    void swap_ranges(std::size_t first, std::size_t last, std::size_t other, std::size_t other_last) {
        const std::string one = text_of(first, last);
        const std::string two = text_of(other, other_last);
        if (one == two) return;
        const std::string between =
            source_.substr(words_[last].end(), words_[other].offset - words_[last].end());
        add(Kind::order, first, other_last, two + between + one);
    }

    void add(Kind kind, std::size_t first, std::size_t last, std::string replacement) {
        std::size_t begin = words_[first].offset;
        const std::size_t end = words_[last].end();
        if (replacement.empty()) { // no gap is left to see
            while (begin > 0 && source_[begin - 1] == ' ')
                --begin;
            if (begin > 0 && source_[begin - 1] == '\n') --begin;
        }
        slips_.push_back({kind, begin, end - begin, std::move(replacement)});
    }

    const std::string& source_;
    std::vector<Word> words_;
    std::set<std::string_view> loop_variables_; ///< of the function, up to here
    std::set<std::string_view> extents_;        ///< names of sizes: bounds and factors
    bool device_code_ = false;
    std::vector<Slip> slips_;
};

} // namespace

std::string_view name(Kind kind) {
    constexpr std::array<std::string_view, 8> all{"operator", "bound",  "index",    "accumulation",
                                                  "order",    "stride", "lifetime", "type width"};
    return all.at(static_cast<std::size_t>(kind));
}

std::string Slip::apply(const std::string& source) const {
    return source.substr(0, offset) + replacement + source.substr(offset + length);
}

std::vector<Slip> slips_of(const std::string& source) {
    return Finder(source).run();
}

} // namespace harden
