#include "harness/adversity/commands.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace harness {
namespace {

constexpr std::string_view refused = "a refused ";

/// What was done, without its sizes: "forward" of "forward of 2 x 3 ids".
std::string kind_of(const std::string& words) {
    std::string_view kind = std::string_view(words).substr(0, words.find_first_of("0123456789"));
    for (const std::string_view end : {" of ", "(", " "})
        if (kind.ends_with(end)) kind.remove_suffix(end.size());
    return std::string(kind);
}

/// "forward" of "a refused forward", "backward" of "backward of another shape"
std::string function_of(std::string_view kind) {
    if (kind.starts_with(refused)) kind.remove_prefix(refused.size());
    const auto end = std::ranges::find_if(
        kind, [](char c) { return c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return {kind.begin(), end};
}

} // namespace

std::string CommandHistory::print() const {
    std::string before;
    for (const std::string& words : last_)
        before += (before.empty() ? "after " : ", then ") + words;
    return before.empty() ? "the first command" : before;
}

void CommandHistory::add(const std::string& words, bool failed,
                         std::map<std::string, std::vector<CallFacts>>& facts) {
    constexpr std::size_t remembered = 4;
    const std::string kind = kind_of(words), function = function_of(kind);
    CallFacts call;
    call.number = kinds_.size() + 1;
    call.failed = failed;
    // Of the many things that came before, some are every failing command's own.
    call.least_failures = 3;
    if (kind != function) call.circumstances.insert("it is `" + kind + "`");
    for (const std::string& earlier : kinds_)
        call.circumstances.insert("`" + earlier + "` came before");
    if (!kinds_.empty()) call.circumstances.insert("it comes right after `" + kinds_.back() + "`");
    if (failed) {
        const Effect& effect = Recorder::current().effect();
        call.effects = effect.words;
        call.where = effect.where;
        call.in_general = effect.in_general;
    }
    facts[function].push_back(std::move(call));
    kinds_.push_back(kind);
    last_.push_back(words);
    if (last_.size() > remembered) last_.erase(last_.begin());
}

} // namespace harness
