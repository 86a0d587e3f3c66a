#include "harness/claims.h"

#include "subject/session.h"

#include <algorithm>
#include <functional>
#include <ranges>
#include <span>
#include <utility>

namespace harness {
namespace {

/// Where more were called, what failed is not theirs to say.
constexpr std::size_t most_functions = 3;

/// "make, forward and state"
std::string listed(const std::vector<std::string>& functions) {
    std::string all;
    for (std::size_t i = 0; i < functions.size(); ++i)
        all += (i == 0 ? "" : i + 1 == functions.size() ? " and " : ", ") + functions[i];
    return all;
}

bool wrote(const subject::Observation& call, const void* element) {
    const auto* byte = static_cast<const std::byte*>(element);
    return std::ranges::any_of(call.outputs, [&](const subject::Observation::Output& output) {
        return std::greater_equal<>()(byte, output.at) && std::less<>()(byte, output.at + output.bytes);
    });
}

} // namespace

void Claims::begin_case() {
    before_ = after_ = 0;
    failed_ = false;
}

void Claims::made_after(std::size_t calls) {
    if (calls <= after_) return; // fewer ones are made aside
    before_ = std::exchange(after_, calls);
    failed_ = false;
}

bool Claims::is_first_to_fail() {
    return !std::exchange(failed_, true);
}

std::vector<std::string> Claims::functions(const Effect& effect) const {
    const std::span calls(subject::Session::current().transcript().observations());
    if (after_ > calls.size() || before_ == after_) return {};
    const std::span claimed = calls.subspan(before_, after_ - before_);
    if (effect.of_last_call) return {claimed.back().name};
    for (const subject::Observation& call : claimed | std::views::reverse)
        if (wrote(call, effect.output)) return {call.name};
    std::vector<std::string> names;
    for (const subject::Observation& call : claimed)
        if (std::ranges::find(names, call.name) == names.end()) names.emplace_back(call.name);
    return names;
}

void Claims::note_failure(const Effect& effect) {
    if (effect.functions.empty()) return;
    if (effect.functions.size() > most_functions) {
        unexplained_.insert(effect.functions.begin(), effect.functions.end());
        return;
    }
    CallFacts facts;
    facts.failed = true;
    facts.effects = effect.words;
    facts.where = effect.where;
    facts.in_general = effect.in_general;
    noted_[effect.functions].push_back(std::move(facts));
}

std::map<std::string, std::string> Claims::take_what_failures_share(const std::set<std::string>& known) {
    std::map<std::string, std::string> shared;
    for (const auto& [functions, calls] : noted_) {
        const auto is_left_out = [&](const std::string& name) {
            return known.contains(name) || unexplained_.contains(name);
        };
        if (std::ranges::any_of(functions, is_left_out)) continue;
        if (std::string words = what_failures_share(calls); !words.empty())
            shared[listed(functions)] = std::move(words);
    }
    noted_.clear();
    unexplained_.clear();
    return shared;
}

} // namespace harness
