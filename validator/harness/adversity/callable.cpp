#include "harness/adversity/callable.h"

#include "harness/recorder.h"
#include "subject/session.h"

#include <utility>

namespace harness {

bool Callable::is_watched() const {
    return !Recorder::current().long_calls() || (launches && subject::Session::current().order() > 0);
}

std::vector<std::string> Callable::names() const {
    std::vector<std::string> list;
    for (const AnyParameter& parameter : parameters)
        list.push_back(parameter.name);
    return list;
}

std::vector<std::size_t> Callable::numbers_with(const Test& test) const {
    std::vector<std::size_t> list;
    for (std::size_t k = 0; k < parameters.size(); ++k)
        if (test(parameters[k])) list.push_back(k);
    return list;
}

Operands Callable::make(const Situation& situation, Random& random) const {
    std::vector<std::unique_ptr<AnyOperand>> operands;
    for (std::size_t k = 0; k < parameters.size(); ++k)
        operands.push_back(parameters[k].make(situation.extents, situation.shapings[k], random));
    return Operands(std::move(operands));
}

std::vector<Situation> Callable::specials_of(const Situation& base, bool refused, const Test& test) const {
    std::vector<Situation> list;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const AnyParameter& parameter = parameters[k];
        if (!parameter.specials || (test && !test(parameter))) continue;
        const std::vector<Special> specials = parameter.specials(base.extents);
        for (std::size_t i = 0; i < specials.size(); ++i) {
            if (specials[i].refused != refused) continue;
            Situation situation = base;
            situation.shapings[k].special = i;
            situation.words.insert(specials[i].words);
            situation.refused = refused;
            if (refused) situation.properties.insert("`" + parameter.name + "` has to be refused");
            if (refused && base.has_empty_axis())
                situation.reaches.insert({"", Adversity::empty_and_refused});
            situation.reaches.insert({parameter.name, refused ? Adversity::refused : Adversity::special});
            list.push_back(std::move(situation));
        }
    }
    return list;
}

std::string Callable::print(const Operands& operands, const CallFacts& facts) const {
    std::string text = name + "(" + operands.print(names()) + ")";
    const char* link = ", where ";
    for (const std::string& words : facts.circumstances)
        text += std::exchange(link, " and ") + words;
    return text;
}

} // namespace harness
