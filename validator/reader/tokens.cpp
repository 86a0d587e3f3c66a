#include "reader/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace reader {

namespace {

bool is_identifier_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80) != 0;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) {
            const std::size_t begin = at_;
            const int line = line_;
            const TokenKind kind = next();
            const std::string_view text = source_.substr(begin, at_ - begin);
            if (text == "#" && fresh_line_) directive_ = true;
            if (kind != TokenKind::blank) fresh_line_ = false;
            const bool ends_line = text == "\n";
            if (ends_line) {
                directive_ = false;
                fresh_line_ = true;
            }
            tokens_.push_back({kind, text, line, directive_});
            line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
        }
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }
    bool starts_with(std::string_view s) const { return source_.substr(at_).starts_with(s); }
    void to(std::size_t position) { at_ = std::min(position, source_.size()); }

    TokenKind next() {
        const char c = peek();
        if (c == '\n') return take(1, TokenKind::blank);
        if (starts_with("//")) return line_comment();
        if (starts_with("/*")) return block_comment();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') return take(1, TokenKind::blank);
        if (starts_with("\\\n")) return take(2, TokenKind::blank);
        if (starts_with("\\\r\n")) return take(3, TokenKind::blank);
        if (c == '"' || c == '\'') return quoted();
        if (is_identifier_start(c)) return word();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        return punctuation();
    }

    TokenKind take(std::size_t length, TokenKind kind) {
        to(at_ + length);
        return kind;
    }

    TokenKind line_comment() {
        while (at_ < source_.size() && peek() != '\n')
            to(at_ + (peek() == '\\' ? 2 : 1));
        return TokenKind::blank;
    }

    TokenKind block_comment() {
        const std::size_t end = source_.find("*/", at_ + 2);
        to(end == std::string_view::npos ? end : end + 2);
        return TokenKind::blank;
    }

    TokenKind quoted() {
        const char quote = peek();
        to(at_ + 1);
        while (at_ < source_.size() && peek() != quote && peek() != '\n')
            to(at_ + (peek() == '\\' ? 2 : 1));
        if (peek() == quote) to(at_ + 1);
        return TokenKind::text;
    }

    TokenKind raw_string() {
        const std::size_t open = source_.find('(', at_);
        if (open == std::string_view::npos) return take(1, TokenKind::text);
        const std::string end = ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t found = source_.find(end, open);
        to(found == std::string_view::npos ? found : found + end.size());
        return TokenKind::text;
    }

    TokenKind word() {
        const std::size_t begin = at_;
        while (is_identifier_start(peek()) || is_digit(peek()))
            to(at_ + 1);
        const std::string_view text = source_.substr(begin, at_ - begin);
        if (peek() == '"') {
            if (text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR")
                return raw_string();
            if (text == "u8" || text == "u" || text == "U" || text == "L") return quoted();
        }
        if (peek() == '\'' && (text == "u8" || text == "u" || text == "U" || text == "L")) return quoted();
        return TokenKind::identifier;
    }

    TokenKind number() {
        for (;;) {
            const char c = peek();
            const bool sign = (c == '+' || c == '-') &&
                              std::string_view("eEpP").find(source_[at_ - 1]) != std::string_view::npos;
            const bool separator = c == '\'' && (is_digit(peek(1)) || is_identifier_start(peek(1)));
            if (!is_digit(c) && !is_identifier_start(c) && c != '.' && !sign && !separator)
                return TokenKind::number;
            to(at_ + 1);
        }
    }

    TokenKind punctuation() {
        static constexpr std::array<std::string_view, 20> longer{
            "<<<", "...", "::", "->", "==", "!=", "<=", "&&", "||", "++",
            "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};
        for (const std::string_view p : longer)
            if (starts_with(p)) return take(p.size(), TokenKind::punctuation);
        return take(1, TokenKind::punctuation);
    }

    std::string_view source_;
    std::size_t at_ = 0;
    int line_ = 1;
    bool fresh_line_ = true;
    bool directive_ = false;
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(std::string_view source) {
    return Lexer(source).run();
}

} // namespace reader
