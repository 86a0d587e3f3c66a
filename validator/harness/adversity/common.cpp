#include "harness/adversity/common.h"

#include "harness/adversity/effects.h"
#include "harness/adversity/properties.h"
#include "subject/slots.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace harness {
namespace {

constexpr const char* aside = "not counting refused calls and calls with an empty size";
constexpr const char* aside_of_ones = "not counting refused calls and calls with a size of 0 or 1";

/// How many calls have a property, or one of several.
struct Spread {
    std::size_t failing = 0, passing = 0; ///< which have it
    bool misses_failing = false;          ///< one that fails has it not

    bool without_exception() const { return !misses_failing && failing > 0 && passing == 0; }
    bool nearly() const { return failing >= 3 * passing; }
};

template <class Holds>
Spread spread(const std::vector<CallFacts>& calls, Holds&& holds) {
    Spread spread;
    for (const CallFacts& call : calls) {
        const Truth held = holds(call);
        if (held == Truth::yes) ++(call.failed ? spread.failing : spread.passing);
        if (held == Truth::no && call.failed) spread.misses_failing = true;
    }
    return spread;
}

Truth both(Truth a, Truth b) {
    if (a == Truth::no || b == Truth::no) return Truth::no;
    return a == Truth::yes && b == Truth::yes ? Truth::yes : Truth::unknown;
}

/// What an argument holds comes in company: all of it is said, as any of it may be the reason.
std::string single_property(const std::vector<CallFacts>& calls, const std::vector<Property>& properties) {
    std::string words;
    for (const Property& property : properties)
        if (property.alone && (words.empty() || is_content(property.words)) &&
            spread(calls, property.holds).without_exception())
            words += (words.empty() ? "" : " and ") + property.words;
    return words;
}

/// Hands every two properties that all failing calls have, as one, to `offer` until that returns true.
template <class Offer>
void for_pairs(const std::vector<CallFacts>& calls, const std::vector<Property>& all, Offer&& offer) {
    std::vector<Property> properties = all;
    std::erase_if(properties, [&](const Property& property) {
        return !property.paired || spread(calls, property.holds).misses_failing;
    });
    for (std::size_t a = 0; a < properties.size(); ++a)
        for (std::size_t b = a + 1; b < properties.size(); ++b)
            if (offer(spread(calls,
                             [&](const CallFacts& call) {
                                 return both(properties[a].holds(call), properties[b].holds(call));
                             }),
                      properties[a].words + " and " + properties[b].words))
                return;
}

/// Some properties hold for every failing call and for others: two of them may single the failing ones out.
std::string two_together(const std::vector<CallFacts>& calls, const std::vector<Property>& properties) {
    std::string found;
    for_pairs(calls, properties, [&](const Spread& its, const std::string& words) {
        if (its.without_exception()) found = words;
        return its.without_exception();
    });
    return found;
}

/// Circumstances that no passing call has, or few, of which every failing call has one.
struct Alternatives {
    std::vector<const Property*> list;

    Truth operator()(const CallFacts& call) const {
        return std::ranges::any_of(list,
                                   [&](const Property* each) { return each->holds(call) == Truth::yes; })
                   ? Truth::yes
                   : Truth::no;
    }
    std::string words() const {
        std::string all;
        for (const Property* each : list)
            all += (all.empty() ? "" : ", or if ") + each->words;
        return all;
    }
};

/// Up to three of them, each time the one that most of the failing calls left have. Each has to be that of
/// two calls at least: some circumstance is a call's own.
template <class Admits>
std::optional<Alternatives> alternatives(const std::vector<CallFacts>& calls,
                                         const std::vector<Property>& properties, Admits&& admits) {
    constexpr std::size_t most_alternatives = 3, least_calls = 2;
    std::vector<CallFacts> left;
    std::ranges::copy_if(calls, std::back_inserter(left), &CallFacts::failed);
    std::vector<const Property*> candidates;
    for (const Property& property : properties)
        if (property.alternative && admits(spread(calls, property.holds))) candidates.push_back(&property);
    Alternatives chosen;
    while (!left.empty()) {
        const Property* best = nullptr;
        std::size_t covered = least_calls - 1;
        for (const Property* each : candidates)
            if (const std::size_t count = spread(left, each->holds).failing; count > covered)
                best = each, covered = count;
        if (best == nullptr || chosen.list.size() == most_alternatives) return std::nullopt;
        chosen.list.push_back(best);
        std::erase_if(left, [&](const CallFacts& call) { return best->holds(call) == Truth::yes; });
    }
    return chosen;
}

/// "A (95 of 97 such calls)": of what all failing calls share, what the fewest passing calls have. It says
/// something only where it sets most of the passing calls apart.
std::string with_exceptions(const std::vector<CallFacts>& calls, const std::vector<Property>& properties,
                            bool left_aside) {
    const auto failing = static_cast<std::size_t>(std::ranges::count(calls, true, &CallFacts::failed));
    const std::size_t passing = calls.size() - failing;
    if (failing < least_to_single_out || passing == 0) return {};
    std::string words;
    Spread best{.failing = 0, .passing = passing / 2 + 1};
    const auto offer = [&](const Spread& offered, const std::string& its_words) {
        if (offered.misses_failing || offered.failing < least_to_single_out || !offered.nearly() ||
            offered.passing >= best.passing)
            return;
        best = offered;
        words = its_words;
    };
    for (const Property& property : properties)
        if (property.alone) offer(spread(calls, property.holds), property.words);
    if (const auto several =
            alternatives(calls, properties, [](const Spread& each) { return each.nearly(); }))
        offer(spread(calls, *several), several->words());
    if (words.empty()) // there are many pairs, so more is asked of them
        for_pairs(calls, properties, [&](const Spread& its, const std::string& both_words) {
            if (its.failing >= 9 * its.passing) offer(its, both_words);
            return false;
        });
    if (words.empty()) return {};
    return words + " (" + std::to_string(best.failing) + " of " +
           std::to_string(best.failing + best.passing) + " such calls" +
           (left_aside ? "; " + std::string(aside) : "") + ")";
}

std::string alternatives_without_exception(const std::vector<CallFacts>& calls,
                                           const std::vector<Property>& properties) {
    const auto several = alternatives(
        calls, properties, [](const Spread& each) { return each.failing > 0 && each.passing == 0; });
    return several ? several->words() : std::string();
}

/// Those that all failing calls have, and alternatives that several have: the others explain nothing.
std::vector<Property> explaining(const std::vector<CallFacts>& calls) {
    std::vector<CallFacts> failing;
    std::ranges::copy_if(calls, std::back_inserter(failing), &CallFacts::failed);
    std::vector<Property> properties = properties_of(calls);
    std::erase_if(properties, [&](const Property& property) {
        const Spread its = spread(failing, property.holds);
        return its.misses_failing && !(property.alternative && its.failing > 1);
    });
    return properties;
}

template <class Predicate>
std::vector<CallFacts> without_passing(const std::vector<CallFacts>& calls, Predicate&& set_aside) {
    std::vector<CallFacts> others;
    std::ranges::copy_if(calls, std::back_inserter(others),
                         [&](const CallFacts& call) { return call.failed || !set_aside(call); });
    return others;
}

/// Whether calls that pass may have what all failing ones share, too.
enum class Exceptions { none, some };

std::string shared_cause(const std::vector<CallFacts>& calls, Exceptions exceptions) {
    const auto failing = static_cast<std::size_t>(std::ranges::count(calls, true, &CallFacts::failed));
    if (failing == 0 || failing == calls.size() || failing < calls.front().least_failures) return {};
    const std::vector<CallFacts> computing =
        without_passing(calls, [](const CallFacts& call) { return call.refused || has_size(call, 0); });
    const bool left_aside = computing.size() < calls.size();
    const std::vector<Property> of_all = explaining(calls), of_computing = explaining(computing);
    for (const auto& explanation : {single_property, two_together, alternatives_without_exception}) {
        if (const std::string words = explanation(calls, of_all); !words.empty()) return "only if " + words;
        if (computing.size() == failing || !left_aside) continue;
        if (const std::string words = explanation(computing, of_computing); !words.empty())
            return "only if " + words + " (" + aside + ")";
    }
    // A single row has no gaps and comes in no order.
    const std::vector<CallFacts> several =
        without_passing(computing, [](const CallFacts& call) { return has_size(call, 1); });
    if (several.size() > failing && several.size() < computing.size() && failing >= least_to_single_out)
        for (const auto& explanation : {single_property, two_together})
            if (const std::string words = explanation(several, explaining(several)); !words.empty())
                return "only if " + words + " (" + aside_of_ones + ")";
    if (exceptions == Exceptions::none) return {};
    const std::string words = with_exceptions(computing, of_computing, left_aside);
    return words.empty() ? words : "only if " + words;
}

/// A use of memory past the end of an argument shows only in calls that have their arguments in slots; the
/// others may do the same.
std::vector<CallFacts> comparable(const std::vector<CallFacts>& calls) {
    const bool shows_in_slots = std::ranges::any_of(
        calls, [](const CallFacts& call) { return call.effects.contains(past_end_is_used); });
    return without_passing(calls, [&](const CallFacts& call) {
        return shows_in_slots && !subject::is_in_slots(call.number - 1);
    });
}

/// "made again with none before, 3 of 3 pass"; empty where one does not, or one that was the first call
/// failed.
std::string passing_alone(const std::vector<CallFacts>& calls) {
    const auto alone = [&](bool passes) {
        return std::ranges::count(calls, std::optional(passes), &CallFacts::passes_alone);
    };
    const bool first_failed =
        std::ranges::any_of(calls, [](const CallFacts& call) { return call.failed && call.number == 1; });
    if (alone(true) == 0 || alone(false) > 0 || first_failed) return {};
    const std::string count = std::to_string(alone(true));
    return "made again with none before, " + count + " of " + count + (count == "1" ? " passes" : " pass");
}

} // namespace

std::string what_failures_share(const std::vector<CallFacts>& all) {
    const std::vector<CallFacts> calls = comparable(all);
    const std::string alone = passing_alone(calls);
    // What came before explains these calls, and something else that many of them have does not.
    std::string cause = shared_cause(calls, alone.empty() ? Exceptions::some : Exceptions::none);
    if (!alone.empty()) cause = (cause.empty() ? "only after other calls; " : cause + "; ") + alone;
    std::string effect = effect_of_failures(calls);
    if (!cause.empty()) return effect.empty() ? cause : cause + ": " + effect;
    if (effect.empty()) effect = general_effect_of_failures(calls);
    return effect;
}

} // namespace harness
