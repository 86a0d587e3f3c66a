#include "build/diagnostics.h"

#include "build/launch_message.h"
#include "build/plan.h"
#include "build/unreadable.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace build {
namespace {

using model::Diagnostic;
using model::Severity;

constexpr std::size_t max_diagnostics = 50;
constexpr std::size_t max_message_bytes = 1000;
constexpr std::string_view no_value = "<expression error>"; ///< an earlier error said why
constexpr std::string_view undefined_function = "undefined reference to ";

struct Position {
    std::string file; ///< as the compiler wrote it
    int line = 0;
    int column = 0;
};

std::string base_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

/// Takes ":12" off the end of `text`; 0 where there is none.
int take_number(std::string_view& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return 0;
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, value);
    if (error != std::errc() || stop != end || value <= 0) return 0;
    text = text.substr(0, colon);
    return value;
}

/// "file:12:7" or "file:12"
Position parse_position(std::string_view text) {
    Position position;
    const int last = take_number(text);
    const int before = last > 0 ? take_number(text) : 0;
    position.line = before > 0 ? before : last;
    position.column = before > 0 ? last : 0;
    position.file = text;
    return position;
}

/// The learner's file at that position, with a line that the file has; nothing for any other file.
std::optional<Position> in_submission(Position position, const model::Submission& submission) {
    while (position.file.starts_with("./")) // GNU ld writes "././lookup.cpp"
        position.file.erase(0, 2);
    for (const model::SourceFile& file : submission.files) {
        const bool rewritten = file.name.ends_with(".cu") && position.file == file.name + ".cpp";
        if (file.name != position.file && !rewritten) continue;
        position.file = file.name;
        const auto lines = std::ranges::count(file.text, '\n') + 1;
        if (position.line > lines) position.line = position.column = 0; // a #line directive said so
        return position;
    }
    const std::string folder = std::string(own_headers) + "/";
    for (const model::SourceFile& header : submission.headers)
        if (position.file == header.name || position.file == folder + header.name) {
            position.file = header.name;
            return position;
        }
    return std::nullopt;
}

struct Heading {
    std::string_view words;
    Severity severity;
};
constexpr std::array<Heading, 5> headings{{
    {": internal compiler error: ", Severity::error},
    {": fatal error: ", Severity::error},
    {": error: ", Severity::error},
    {": warning: ", Severity::warning},
    {": note: ", Severity::note},
}};

struct Message {
    std::string_view where;
    Severity severity = Severity::error;
    std::string_view text;
};

std::optional<Message> parse_message(std::string_view line) {
    std::optional<Message> found;
    std::size_t first = line.size();
    for (const Heading& heading : headings) {
        const std::size_t at = line.find(heading.words);
        if (at >= first) continue;
        first = at;
        found = Message{line.substr(0, at), heading.severity, line.substr(at + heading.words.size())};
    }
    return found;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

/// Lines that say where the next messages come from: from here on the former place no longer counts.
bool begins_context(std::string_view line) {
    constexpr std::array<std::string_view, 7> words{
        "In file included from", ": In instantiation of", ": In function",   ": In member function",
        ": At global scope",     ": In substitution of",  ": In constructor"};
    return std::ranges::any_of(
        words, [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

/// The place in "In file included from P:", "    from P:" and "P:   required from here".
std::optional<Position> context_position(std::string_view line, const model::Submission& submission) {
    if (const std::size_t from = line.find("from ");
        from != std::string_view::npos && !line.empty() && line.find(": ") > from) {
        std::string_view place = line.substr(from + 5);
        while (!place.empty() && (place.back() == ':' || place.back() == ','))
            place.remove_suffix(1);
        return in_submission(parse_position(place), submission);
    }
    if (const std::size_t colon = line.find(": "); colon != std::string_view::npos)
        return in_submission(parse_position(line.substr(0, colon)), submission);
    return std::nullopt;
}

void place(Diagnostic& diagnostic, const Position& position) {
    diagnostic.file = position.file;
    diagnostic.line = position.line;
    diagnostic.column = position.column;
}

bool same_line(const Diagnostic& a, const Diagnostic& b) {
    return a.file == b.file && a.line == b.line && a.severity == b.severity;
}

/// A note at the error's own line says why each candidate did not fit, one below the other; one elsewhere
/// shows where else to look.
bool is_worth_a_note(const std::vector<Diagnostic>& so_far, const Position& place) {
    constexpr int max_notes = 3;
    int notes = 0;
    for (auto last = so_far.rbegin(); last != so_far.rend(); ++last) {
        if (last->severity != Severity::note)
            return notes < max_notes && (last->file != place.file || last->line != place.line);
        ++notes;
    }
    return false;
}

} // namespace

std::string bounded_message(std::string text) {
    if (text.size() <= max_message_bytes) return text;
    return std::string(text::prefix(text, max_message_bytes)) + "…";
}

std::string without_paths(std::string_view text) {
    constexpr std::string_view before = " \t('\"`<[=,";
    constexpr std::string_view after = " \t)'\"`>],";
    constexpr std::array<std::string_view, 2> quotes{"‘", "’"};
    std::string result;
    while (!text.empty()) {
        const bool starts = result.empty() || before.find(result.back()) != std::string_view::npos ||
                            result.ends_with(quotes[0]) || result.ends_with("-I");
        if (!starts || (text[0] != '/' && !text.starts_with("../"))) {
            result += text[0];
            text.remove_prefix(1);
            continue;
        }
        const std::size_t end = std::min({text.find_first_of(after), text.find(quotes[1]), text.size()});
        const std::string_view path = text.substr(0, end);
        // A lone slash, or two, is an operator or a comment.
        result += path.find_first_not_of('/') == std::string_view::npos ? std::string(path) : base_name(path);
        text.remove_prefix(end);
    }
    return result;
}

std::vector<Diagnostic> parse_compiler_output(std::string_view output, const model::Submission& submission) {
    std::vector<Diagnostic> result;
    std::optional<Position> context;
    bool last_is_ours = true; // the last message stands at the learner's own line
    while (!output.empty() && result.size() < max_diagnostics) {
        const std::string_view line = take_line(output);
        const auto message = parse_message(line);
        if (!message) {
            if (begins_context(line)) context.reset();
            if (auto position = context_position(line, submission)) context = std::move(position);
            continue;
        }
        const auto own = in_submission(parse_position(message->where), submission);
        if (message->severity == Severity::note) {
            // clang tells the learner's line after the message; a note elsewhere is about our own or library
            // code.
            if (own && !last_is_ours && !result.empty() && result.back().line == 0) {
                place(result.back(), *own);
                last_is_ours = true;
            } else if (own && !result.empty() && is_worth_a_note(result, *own)) {
                Diagnostic note{.severity = Severity::note,
                                .message = bounded_message(without_paths(message->text))};
                place(note, *own);
                result.push_back(std::move(note));
            }
            continue;
        }
        Diagnostic diagnostic;
        diagnostic.severity = message->severity;
        diagnostic.message = launch_in_words(without_reason(without_paths(message->text)));
        last_is_ours = own.has_value();
        if (own) {
            place(diagnostic, *own);
        } else {
            const std::string elsewhere = base_name(parse_position(message->where).file);
            if (parse_position(message->where).line > 0) diagnostic.message += " (inside " + elsewhere + ")";
            if (context) place(diagnostic, *context);
        }
        diagnostic.message = bounded_message(std::move(diagnostic.message));
        // One wrong line can fail at many places of a library: its first message stands for all.
        const bool repeated = std::ranges::any_of(result, [&](const Diagnostic& earlier) {
            return same_line(earlier, diagnostic) &&
                   ((earlier.column == diagnostic.column && earlier.message == diagnostic.message) ||
                    (!own && context));
        });
        const bool follows = !result.empty() && diagnostic.message.find(no_value) != std::string::npos;
        if (!repeated && !follows) result.push_back(std::move(diagnostic));
    }
    return result;
}

std::vector<Diagnostic> parse_linker_output(std::string_view output, const model::Submission& submission) {
    std::vector<Diagnostic> result;
    std::vector<std::size_t> called_by_judge; // indices of undefined functions
    std::size_t current = 0;                  // the message that the lines are about
    const auto add = [&](const std::string& message) {
        const auto known = std::ranges::find(result, message, &Diagnostic::message);
        current = static_cast<std::size_t>(known - result.begin());
        if (known != result.end()) return;
        if (result.size() < max_diagnostics) result.push_back({.message = bounded_message(message)});
        current = result.size() - 1;
    };
    const auto reference = [&](std::string_view where) {
        const auto own = in_submission(parse_position(where), submission);
        if (!own)
            called_by_judge.push_back(current);
        else if (result[current].line == 0)
            place(result[current], *own);
    };
    const auto tail = [](std::string_view line, std::string_view words) -> std::optional<std::string> {
        const std::size_t at = line.find(words);
        if (at == std::string_view::npos || at + words.size() == line.size()) return std::nullopt;
        return std::string(line.substr(at + words.size()));
    };
    const auto quoted = [](std::string_view name) {
        while (!name.empty() && (name.front() == '`' || name.front() == '\''))
            name.remove_prefix(1);
        return "'" + std::string(name.substr(0, name.find('\''))) + "'";
    };
    while (!output.empty()) {
        const std::string_view line = take_line(output);
        if (auto name = tail(line, "undefined reference to `")) {
            add(std::string(undefined_function) + quoted(*name));
            std::string_view where = line.substr(0, line.find(": undefined"));
            if (const std::size_t program = where.rfind(": "); program != std::string_view::npos)
                where.remove_prefix(program + 2); // "/usr/bin/ld: lookup.cpp:7"
            reference(where);
        } else if (name = tail(line, "error: undefined symbol: "); name) {
            add(std::string(undefined_function) + quoted(*name));
        } else if (name = tail(line, "multiple definition of `"); name) {
            add("multiple definition of " + quoted(*name));
        } else if (name = tail(line, "error: duplicate symbol: "); name) {
            // mold: "a.o: b.o: name", lld: "name"
            if (const std::size_t at = name->rfind(".o: "); at != std::string::npos) name->erase(0, at + 4);
            if (!name->empty()) add("multiple definition of " + quoted(*name));
        } else if (name = tail(line, ">>> referenced by "); name && !result.empty()) {
            reference(std::string_view(*name).substr(0, name->find(' ')));
        } else if (line.find("ld returned") == std::string_view::npos &&
                   line.find("linker command failed") == std::string_view::npos) {
            if (name = tail(line, "error: "); name) add(without_paths(*name));
        }
    }
    for (const std::size_t index : called_by_judge)
        place(result[index], {});
    for (Diagnostic& diagnostic : result)
        if (diagnostic.message.starts_with(undefined_function) && !diagnostic.file.empty())
            diagnostic.message += " from " + diagnostic.file;
    return result;
}

} // namespace build
