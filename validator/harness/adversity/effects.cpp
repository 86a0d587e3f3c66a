#include "harness/adversity/effects.h"

#include <algorithm>
#include <map>

namespace harness {
namespace {

std::string shared_effect(const std::set<std::string>& effects) {
    if (effects.empty() || effects.size() > 2) return {};
    return effects.size() == 1 ? *effects.begin() : *effects.begin() + ", or " + *effects.rbegin();
}

std::string effect_of_all(const std::vector<CallFacts>& calls) {
    std::set<std::string> effects;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        if (call.effects.empty()) return {};
        effects.insert(call.effects.begin(), call.effects.end());
    }
    return shared_effect(effects);
}

/// "of its outputs only `dx` is wrong", or "`loss` is right and another output wrong", where that is so in
/// all of them.
std::string outputs_of(const std::vector<CallFacts>& calls) {
    std::set<std::string> wrong, right;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        if (call.wrong.empty()) return {};
        wrong.insert(call.wrong.begin(), call.wrong.end());
        right.insert(call.right.begin(), call.right.end());
    }
    std::erase_if(right, [&](const std::string& name) { return wrong.contains(name); });
    if (right.empty()) return {};
    if (wrong.size() == 1) return "of its outputs only `" + *wrong.begin() + "` is wrong";
    const auto is_right_everywhere = [&](const CallFacts& call) {
        return !call.failed || call.right.contains(*right.begin());
    };
    return right.size() == 1 && std::ranges::all_of(calls, is_right_everywhere)
               ? "`" + *right.begin() + "` is right and another output wrong"
               : std::string();
}

/// What came of most of them, where there are many: "elements of `out` are never written (in 24 of 27 of
/// them)".
std::string effect_of_most(const std::vector<CallFacts>& calls) {
    std::size_t failing = 0;
    std::map<std::string, std::size_t> counts;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        ++failing;
        for (const std::string& effect : call.effects)
            ++counts[effect];
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    if (most == counts.end() || most->second < least_to_single_out || 4 * most->second < 3 * failing)
        return {};
    return most->first + " (in " + std::to_string(most->second) + " of " + std::to_string(failing) +
           " of them)";
}

/// The size of which there are as many right rows in each of the failing calls before the first wrong one;
/// empty where it is the same in all of them, as that may be chance.
std::string extent_before_wrong_rows(const std::vector<CallFacts>& calls) {
    std::map<std::string, std::set<std::size_t>> sizes; ///< by name, of all calls
    std::set<std::string> outputs, others;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        if (call.where.places.empty()) return {};
        outputs.insert(call.where.output);
        for (const auto& [name, size] : call.extents.values()) {
            sizes[name].insert(size);
            if (size == 0 || size != call.where.places.first_row()) others.insert(name);
        }
    }
    if (outputs.size() != 1) return {};
    for (const auto& [name, values] : sizes)
        if (values.size() > 1 && !others.contains(name)) return name;
    return {};
}

std::string place_of(const std::vector<CallFacts>& calls) {
    std::vector<WrongPlaces> places;
    for (const CallFacts& call : calls)
        if (call.failed) places.push_back(call.where);
    const std::string extent = extent_before_wrong_rows(calls);
    if (!extent.empty())
        return "only rows of " + in_words(places.front().output) + " from " + extent + " on are wrong";
    return shared_place(places);
}

} // namespace

std::string effect_of_failures(const std::vector<CallFacts>& calls) {
    for (const auto& words : {effect_of_all, place_of, outputs_of, effect_of_most})
        if (std::string effect = words(calls); !effect.empty()) return effect;
    return {};
}

std::string general_effect_of_failures(const std::vector<CallFacts>& calls) {
    std::set<std::string> effects;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        if (call.effects.empty() && call.in_general.empty()) return {};
        effects.insert(call.effects.begin(), call.effects.end());
        if (call.effects.empty()) effects.insert(call.in_general);
    }
    return shared_effect(effects);
}

} // namespace harness
