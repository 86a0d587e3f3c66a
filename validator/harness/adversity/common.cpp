#include "harness/adversity/common.h"

#include "harness/compare.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>

namespace harness {
namespace {

/// Something that may be true of a call, and how it is said of the failing ones.
struct Property {
    std::function<bool(const CallFacts&)> holds;
    std::string words;
    bool paired = true; ///< may explain together with another one
};

std::size_t extent(const CallFacts& call, const std::string& name) {
    return call.extents[name];
}

bool has_empty_size(const CallFacts& call) {
    return std::ranges::any_of(call.extents.values(), [](const auto& extent) { return extent.second == 0; });
}

bool has(const CallFacts& call, const std::string& words) {
    return call.circumstances.contains(words) || call.properties.contains(words);
}

void add_circumstances(const std::vector<CallFacts>& calls, std::vector<Property>& properties) {
    std::set<std::string> all;
    for (const CallFacts& call : calls) {
        all.insert(call.circumstances.begin(), call.circumstances.end());
        all.insert(call.properties.begin(), call.properties.end());
    }
    for (const std::string& words : all)
        properties.push_back({[words](const CallFacts& call) { return has(call, words); }, words});
}

/// The smallest and the largest value of an extent among the calls that failed.
struct Range {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
};

Range range_of(const std::vector<CallFacts>& calls, const std::string& name) {
    Range range;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        range.least = std::min(range.least, extent(call, name));
        range.most = std::max(range.most, extent(call, name));
    }
    return range;
}

void add_sizes(const std::vector<CallFacts>& calls, const std::string& name,
               std::vector<Property>& properties) {
    const auto of = [name](auto&& test) {
        return [name, test](const CallFacts& call) { return test(extent(call, name)); };
    };
    for (const std::size_t value : {0, 1})
        properties.push_back(
            {of([value](std::size_t size) { return size == value; }), name + " = " + std::to_string(value)});
    for (const std::size_t factor : {2, 4, 8, 16, 32, 64, 128, 256}) {
        properties.push_back({of([factor](std::size_t size) { return size % factor != 0; }),
                              name + " is not a multiple of " + std::to_string(factor)});
        properties.push_back({of([factor](std::size_t size) { return size > 0 && size % factor == 0; }),
                              name + " is a multiple of " + std::to_string(factor)});
    }
    if (const std::size_t least = range_of(calls, name).least; least > 1)
        properties.push_back({of([least](std::size_t size) { return size >= least; }),
                              name + " is " + std::to_string(least) + " or more"});
    // With "or less" and "or more" together, any one call could be singled out.
    const std::size_t most = range_of(calls, name).most;
    properties.push_back({of([most](std::size_t size) { return size <= most; }),
                          name + " is " + std::to_string(most) + " or less", false});
}

bool all_have(const std::vector<CallFacts>& calls, const std::string& extent) {
    return std::ranges::all_of(calls, [&](const CallFacts& call) {
        return std::ranges::any_of(call.extents.values(),
                                   [&](const auto& each) { return each.first == extent; });
    });
}

/// A number like a seed or a probability is small or large; its remainders mean nothing.
void add_numbers(const std::vector<CallFacts>& calls, const std::string& name,
                 std::vector<Property>& properties) {
    const auto of = [name](auto&& test) {
        return [name, test](const CallFacts& call) { return test(call.numbers.at(name)); };
    };
    double least = std::numeric_limits<double>::infinity();
    for (const CallFacts& call : calls)
        if (call.failed) least = std::min(least, call.numbers.at(name));
    properties.push_back({of([](double number) { return number == 0; }), "`" + name + "` is 0"});
    properties.push_back({of([](double number) { return number != 0; }), "`" + name + "` is not 0"});
    properties.push_back({of([least](double number) { return number >= least; }),
                          "`" + name + "` is " + print_value(least) + " or more"});
    // The first number that is out of range is a size.
    for (const auto& [size, value] : calls.front().extents.values())
        if (all_have(calls, size))
            properties.push_back({[name, size](const CallFacts& call) {
                                      return call.numbers.at(name) == static_cast<double>(extent(call, size));
                                  },
                                  "`" + name + "` is " + size});
}

bool is_content(const std::string& words) {
    return words.find("` holds ") != std::string::npos;
}

} // namespace

namespace {

/// One property, or two that hold together.
enum class Explanations { single, paired };

/// The same for calls of which nothing is left aside.
std::string share(const std::vector<CallFacts>& calls, Explanations explanations) {
    const auto failed = static_cast<std::size_t>(std::ranges::count(calls, true, &CallFacts::failed));
    if (failed == 0 || failed == calls.size()) return {};

    std::vector<Property> properties;
    properties.push_back({[](const CallFacts& call) { return call.number > 1; }, "it is not the first call"});
    add_circumstances(calls, properties);
    // One failing call is at one size, which explains nothing.
    for (const auto& [name, value] : calls.front().extents.values())
        if (failed > 1 && all_have(calls, name)) add_sizes(calls, name, properties);
    for (const auto& [name, value] : calls.front().numbers)
        if (failed > 1 &&
            std::ranges::all_of(calls, [&](const CallFacts& call) { return call.numbers.contains(name); }))
            add_numbers(calls, name, properties);

    const auto exactly = [&](auto&& holds) {
        return std::ranges::all_of(calls, [&](const CallFacts& call) { return holds(call) == call.failed; });
    };
    // What an argument holds comes in company: all of it is said, as any of it may be the reason.
    std::string words;
    for (const Property& property : properties)
        if (exactly(property.holds) && (words.empty() || is_content(property.words)))
            words += (words.empty() ? "" : " and ") + property.words;
    if (!words.empty()) return "only where " + words;
    if (explanations == Explanations::single) return {};
    // Some properties hold for every failing call and for others: two of them may single the failing ones
    // out.
    std::erase_if(properties, [&](const Property& property) {
        return !property.paired || std::ranges::any_of(calls, [&](const CallFacts& call) {
            return call.failed && !property.holds(call);
        });
    });
    for (std::size_t a = 0; a < properties.size(); ++a)
        for (std::size_t b = a + 1; b < properties.size(); ++b)
            if (exactly([&](const CallFacts& call) {
                    return properties[a].holds(call) && properties[b].holds(call);
                }))
                return "only where " + properties[a].words + " and " + properties[b].words;
    return {};
}

} // namespace

namespace {

std::string shared_cause(const std::vector<CallFacts>& calls) {
    const auto computes = [](const CallFacts& call) { return !call.refused && !has_empty_size(call); };
    std::vector<CallFacts> computing;
    if (std::ranges::all_of(calls, [&](const CallFacts& call) { return !call.failed || computes(call); }))
        std::ranges::copy_if(calls, std::back_inserter(computing), computes);
    for (const Explanations explanations : {Explanations::single, Explanations::paired}) {
        if (const std::string words = share(calls, explanations); !words.empty()) return words;
        if (const std::string words = share(computing, explanations); !words.empty())
            return words + " (calls that are refused or have an empty size aside)";
    }
    return {};
}

std::string effect_of_failures(const std::vector<CallFacts>& calls) {
    std::set<std::string> effects;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        if (call.effects.empty()) return {};
        effects.insert(call.effects.begin(), call.effects.end());
    }
    return shared_effect(effects);
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

std::string place_of_failures(const std::vector<CallFacts>& calls) {
    std::vector<WrongPlaces> places;
    for (const CallFacts& call : calls)
        if (call.failed) places.push_back(call.where);
    return shared_place(places);
}

} // namespace

std::string shared_effect(const std::set<std::string>& effects) {
    if (effects.empty() || effects.size() > 2) return {};
    return effects.size() == 1 ? *effects.begin() : *effects.begin() + ", or " + *effects.rbegin();
}

std::string what_failures_share(const std::vector<CallFacts>& calls) {
    std::string cause = shared_cause(calls);
    if (const std::string alone = passing_alone(calls); !alone.empty())
        cause = (cause.empty() ? "only after other calls; " : cause + "; ") + alone;
    std::string effect = effect_of_failures(calls);
    if (effect.empty()) effect = place_of_failures(calls);
    if (effect.empty()) return cause;
    return cause.empty() ? "in that " + effect : cause + ": " + effect;
}

} // namespace harness
