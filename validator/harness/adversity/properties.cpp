#include "harness/adversity/properties.h"

#include "harness/compare.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace harness {
namespace {

Truth truth(bool holds) {
    return holds ? Truth::yes : Truth::no;
}

std::size_t extent(const CallFacts& call, const std::string& name) {
    return call.extents[name];
}

/// The argument that words like "`ids` holds a NaN" are about.
std::string argument_of(const std::string& words) {
    const std::size_t end = words.find('`', 1);
    return words.substr(1, end - 1);
}

Truth has(const CallFacts& call, const std::string& words) {
    if (call.circumstances.contains(words) || call.properties.contains(words)) return Truth::yes;
    return is_content(words) && call.undescribed.contains(argument_of(words)) ? Truth::unknown : Truth::no;
}

void add_circumstances(const std::vector<CallFacts>& calls, std::vector<Property>& properties) {
    std::set<std::string> all;
    for (const CallFacts& call : calls) {
        all.insert(call.circumstances.begin(), call.circumstances.end());
        all.insert(call.properties.begin(), call.properties.end());
    }
    for (const std::string& words : all)
        properties.push_back({.holds = [words](const CallFacts& call) { return has(call, words); },
                              .words = words,
                              .alternative = !is_content(words)});
    // A short cut may look for gaps in one argument and forget another one.
    for (const std::string& words : all)
        if (const std::size_t verb = words.find(" lie apart"); words.ends_with("` lie apart"))
            properties.push_back(
                {.holds = [words](const CallFacts& call) { return truth(has(call, words) == Truth::no); },
                 .words = words.substr(0, verb) + " do not lie apart",
                 .alone = false});
}

/// The smallest and the largest value of something among the calls that failed.
template <class T>
struct Range {
    T least = std::numeric_limits<T>::max();
    T most = std::numeric_limits<T>::lowest();
};

template <class T, class Of>
Range<T> range_of(const std::vector<CallFacts>& calls, Of&& of) {
    Range<T> range;
    for (const CallFacts& call : calls) {
        if (!call.failed) continue;
        range.least = std::min<T>(range.least, of(call));
        range.most = std::max<T>(range.most, of(call));
    }
    return range;
}

void add_sizes(const std::vector<CallFacts>& calls, const std::string& name,
               std::vector<Property>& properties) {
    const auto of = [name](auto&& test) {
        return [name, test](const CallFacts& call) { return truth(test(extent(call, name))); };
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
    const auto range =
        range_of<std::size_t>(calls, [&](const CallFacts& call) { return extent(call, name); });
    if (range.least > 1)
        properties.push_back({of([least = range.least](std::size_t size) { return size >= least; }),
                              name + " is " + std::to_string(range.least) + " or more"});
    // With "or less" and "or more" together, any one call could be singled out.
    properties.push_back({of([most = range.most](std::size_t size) { return size <= most; }),
                          name + " is " + std::to_string(range.most) + " or less", true, false});
}

bool all_have(const std::vector<CallFacts>& calls, const std::string& extent) {
    return std::ranges::all_of(calls, [&](const CallFacts& call) {
        return std::ranges::any_of(call.extents.values(),
                                   [&](const auto& each) { return each.first == extent; });
    });
}

/// Beyond 2^53 a double holds only what a number is near to.
std::string print_number(double number) {
    if (std::abs(number) < 0x1p53) return print_value(number);
    int exponent = 0;
    const bool is_power = std::frexp(number, &exponent) == 0.5;
    return "about " + (is_power ? "2^" + std::to_string(exponent - 1) : print_value(number));
}

/// A number like a seed or a probability is small or large; its remainders mean nothing.
void add_numbers(const std::vector<CallFacts>& calls, const std::string& name,
                 std::vector<Property>& properties) {
    const auto of = [name](auto&& test) {
        return [name, test](const CallFacts& call) { return truth(test(call.numbers.at(name))); };
    };
    // "`eps`", but "the right result"
    const std::string called = name.find(' ') == std::string::npos ? "`" + name + "`" : name;
    const auto range = range_of<double>(calls, [&](const CallFacts& call) { return call.numbers.at(name); });
    properties.push_back({of([](double number) { return number == 0; }), called + " is 0"});
    properties.push_back({of([](double number) { return number != 0; }), called + " is not 0"});
    const auto having_it = std::ranges::count_if(
        calls, [&](const CallFacts& call) { return call.numbers.at(name) == range.least; });
    const bool is_usual = 2 * having_it > std::ssize(calls); // which explains nothing
    if (range.least == range.most && !is_usual)
        properties.push_back({of([only = range.least](double number) { return number == only; }),
                              called + " is " + print_number(range.least)});
    properties.push_back({of([least = range.least](double number) { return number >= least; }),
                          called + " is " + print_number(range.least) + " or more"});
    // The first number that is out of range is a size.
    for (const auto& [size, value] : calls.front().extents.values())
        if (all_have(calls, size))
            properties.push_back({[name, size](const CallFacts& call) {
                                      return truth(call.numbers.at(name) ==
                                                   static_cast<double>(extent(call, size)));
                                  },
                                  called + " is " + size});
    for (const auto& [size, value] : calls.front().extents.values())
        if (all_have(calls, size))
            properties.push_back({[name, size](const CallFacts& call) {
                                      const double number = call.numbers.at(name);
                                      return truth(number >= 0 &&
                                                   number < static_cast<double>(extent(call, size)));
                                  },
                                  called + " is at least 0 and below " + size});
}

} // namespace

bool is_content(const std::string& words) {
    return words.starts_with("`") && words.find("` holds ") != std::string::npos;
}

bool has_size(const CallFacts& call, std::size_t size) {
    return std::ranges::any_of(call.extents.values(),
                               [&](const auto& extent) { return extent.second == size; });
}

std::vector<Property> properties_of(const std::vector<CallFacts>& calls) {
    std::vector<Property> properties;
    // First calls are ordinary ones: what else sets others apart is no matter of the calls before them.
    if (std::ranges::count(calls, std::optional(false), &CallFacts::passes_alone) == 0)
        properties.push_back({.holds = [](const CallFacts& call) { return truth(call.number > 1); },
                              .words = "it is not the first call",
                              .paired = false});
    add_circumstances(calls, properties);
    if (std::ranges::count(calls, true, &CallFacts::failed) < 2) return properties;
    for (const auto& [name, value] : calls.front().extents.values())
        if (all_have(calls, name)) add_sizes(calls, name, properties);
    for (const auto& [name, value] : calls.front().numbers)
        if (std::ranges::all_of(calls, [&](const CallFacts& call) { return call.numbers.contains(name); }))
            add_numbers(calls, name, properties);
    return properties;
}

} // namespace harness
