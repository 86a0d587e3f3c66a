#include "emulator/waiting_loops.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace emulator {

namespace {

/// A loop by its tokens: `first` is its keyword, `last` its closing brace or semicolon.
struct Loop {
    std::size_t first = 0, last = 0;
    std::size_t header = 0;             ///< the parenthesis that opens its condition
    std::size_t body = 0, body_end = 0; ///< its braces, or twice the semicolon of an empty statement
    bool empty() const { return body_end <= body + 1; }
};

enum class Work { waits, polls, other };

/// Calls that only look at memory, order accesses or take time.
constexpr std::string_view looks[] = {"__threadfence",
                                      "__threadfence_block",
                                      "__threadfence_system",
                                      "__nanosleep",
                                      "__ldcg",
                                      "__ldcv",
                                      "load",
                                      "if",
                                      "sizeof"};

std::optional<Loop> loop_at(const reader::TokenView& tokens, std::size_t i) {
    Loop loop{.first = i};
    if (tokens.is(i, "do")) {
        loop.body = i + 1;
        loop.body_end = tokens.skip(loop.body);
        loop.header = loop.body_end + 2;
        if (!tokens.is(loop.body, "{") || !tokens.is(loop.body_end + 1, "while")) return std::nullopt;
        loop.last = tokens.skip(loop.header) + 1;
        if (!tokens.is(loop.last, ";")) return std::nullopt;
        return loop;
    }
    if (!tokens.is(i, "while") && !tokens.is(i, "for")) return std::nullopt;
    loop.header = i + 1;
    if (!tokens.is(loop.header, "(") || tokens.skip(loop.header) == loop.header) return std::nullopt;
    loop.body = tokens.skip(loop.header) + 1;
    if (!tokens.is(loop.body, ";") && !tokens.is(loop.body, "{")) return std::nullopt;
    // Perhaps the end of a do: there, the semicolon is no loop's body.
    if (tokens.is(loop.body, ";") && tokens.is(i, "while") && tokens.is(i - 1, "}") &&
        tokens.partner(i - 1) != reader::no_token && tokens.is(tokens.partner(i - 1) - 1, "do"))
        return std::nullopt;
    loop.last = loop.body_end = tokens.skip(loop.body);
    return loop;
}

bool begins_statement(const reader::TokenView& tokens, std::size_t i) {
    return tokens.is(i, ";") || tokens.is(i, "{") || tokens.is(i, "}") || tokens.is(i, "(") ||
           tokens.is(i, ")");
}

/// Whether the name at i is a variable's, by itself: no element, no member, nothing that is pointed at.
bool is_own_variable(const reader::TokenView& tokens, std::size_t i) {
    if (!tokens.is_identifier(i)) return false;
    if (tokens.is(i + 1, "[") || tokens.is(i + 1, "->") || tokens.is(i + 1, ".")) return false;
    if (tokens.is(i - 1, ".") || tokens.is(i - 1, "->")) return false;
    // `int* p = q` declares, `*p = q` writes where p points.
    return !tokens.is(i - 1, "*") || !begins_statement(tokens, i - 2);
}

/// `+=` and its like.
bool is_compound_assignment(const reader::TokenView& tokens, std::size_t i) {
    return tokens[i].text.size() > 1 && tokens[i].text.back() == '=' &&
           !(tokens.is(i, "==") || tokens.is(i, "!=") || tokens.is(i, "<=") || tokens.is(i, ">="));
}

/// What the tokens [begin, end) of a loop do.
Work work_of(const reader::TokenView& tokens, std::size_t begin, std::size_t end, bool in_header) {
    bool counts = false;
    for (std::size_t i = begin; i < end; ++i) {
        if (tokens.is(i, "++") || tokens.is(i, "--")) {
            if (!is_own_variable(tokens, i + 1) &&
                !(is_own_variable(tokens, i - 1) && !tokens.is(i + 1, "*")))
                return Work::other;
            counts = true;
        } else if (tokens.is(i, "=")) {
            if (!is_own_variable(tokens, i - 1)) return Work::other;
        } else if (is_compound_assignment(tokens, i) || tokens.is(i, "while") || tokens.is(i, "for") ||
                   tokens.is(i, "switch") || tokens.is(i, "asm")) {
            return Work::other;
        } else if (tokens.is_identifier(i) && tokens.is(i + 1, "(")) {
            const bool atomic = in_header && tokens[i].text.starts_with("atomic");
            if (!atomic && std::ranges::find(looks, tokens[i].text) == std::end(looks)) return Work::other;
        }
    }
    return counts ? Work::polls : Work::waits;
}

/// The variables that each turn of the loop changes, whatever it saw.
std::set<std::string_view> moved_by(const reader::TokenView& tokens, const Loop& loop) {
    std::set<std::string_view> names;
    for (std::size_t i = loop.header; i < loop.last; ++i) {
        if (tokens.is(i, "if")) { // what follows is changed only if
            i = tokens.skip(i + 1) + 1;
            while (i < loop.last && !tokens.is(i, ";") && !tokens.is(i, "{"))
                ++i;
            if (tokens.is(i, "{")) i = tokens.skip(i);
        } else if (tokens.is(i, "++") || tokens.is(i, "--")) {
            names.insert(tokens[tokens.is_identifier(i + 1) ? i + 1 : i - 1].text);
        } else if (tokens.is(i, "=")) {
            names.insert(tokens[i - 1].text);
        }
    }
    return names;
}

/// Whether it looks at one place again and again. What goes on to another place in each turn searches, and
/// waits for nobody.
bool looks_at_memory(const reader::TokenView& tokens, const Loop& loop) {
    const std::set<std::string_view> moved = moved_by(tokens, loop);
    const auto moves = [&](std::size_t i) { return moved.contains(tokens[i].text); };
    for (std::size_t i = loop.first; i <= loop.last; ++i) {
        if (tokens.is(i, "load") || tokens.is(i, "volatile")) return true;
        if (tokens.is(i, "*") && !moves(i + 1)) return true;
        if (tokens.is(i, "->") && !moves(i - 1)) return true;
        if (!tokens.is(i, "[")) continue;
        bool elsewhere = false;
        for (std::size_t k = i + 1; k < tokens.skip(i); ++k)
            elsewhere = elsewhere || moves(k);
        if (!elsewhere) return true;
    }
    return false;
}

Work work_of(const reader::TokenView& tokens, const Loop& loop) {
    const Work header = work_of(tokens, loop.header, tokens.skip(loop.header), true);
    if (loop.empty() && header == Work::waits) return Work::waits; // even if it looks at a variable by name
    const Work body = work_of(tokens, loop.body + 1, loop.body_end, false);
    if (header == Work::other || body == Work::other || !looks_at_memory(tokens, loop)) return Work::other;
    return header == Work::polls || body == Work::polls ? Work::polls : Work::waits;
}

} // namespace

void rewrite_waiting_loops(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits) {
    for (const reader::Outline::Function& function : outline.functions) {
        if (!function.device) continue;
        for (std::size_t i = function.open; i < function.close; ++i) {
            if (tokens[i].directive) continue;
            const std::optional<Loop> loop = loop_at(tokens, i);
            const Work work = loop ? work_of(tokens, *loop) : Work::other;
            if (work == Work::other) continue;
            const std::string call =
                work == Work::waits ? "::cuda_emulator::pause_thread();" : "::cuda_emulator::poll();";
            edits.replace(loop->body, tokens.is(loop->body, "{") ? "{ " + call : call);
            i = loop->last;
            if (work == Work::polls) continue;
            const std::string end = tokens.is(i, "}") ? "}" : i == loop->body ? call : ";";
            edits.replace(loop->first, "{ " + std::string(tokens[loop->first].text));
            edits.replace(i, end + " ::cuda_emulator::waited(); }");
        }
    }
}

} // namespace emulator
