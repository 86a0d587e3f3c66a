#include "harness/adversity/agreement.h"

#include "harness/recorder.h"

#include <algorithm>

namespace harness {
namespace {

/// Hands the name of each output and whether it is right to `found`.
template <class RuleOf, class Found>
void expect_outputs(const Operands& got, const Operands& want, const std::vector<std::string>& names,
                    RuleOf&& rule_of, Found&& found) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool right = got[i].expect(names[i], want[i], rule_of(names[i]));
        if (got[i].is_written() && got[i].has_elements()) found(names[i], right);
    }
}

} // namespace

void Agreement::with_reference(const Callee& subject, const Callee& reference, Operands& operands,
                               const std::vector<std::string>& names, CallFacts& facts) const {
    Left wanted{operands.copy()};
    const std::map<std::string, Rule> rules = rules_for(wanted.operands, names);
    const Answer got = subject(operands);
    wanted.result = reference(wanted.operands);
    if (refusal_of_) {
        const std::optional<std::string> refusal = refusal_of_(wanted.result);
        facts.refused = refusal.has_value();
        if (refusal) facts.properties.insert("the right answer is `" + *refusal + "`");
    }
    if (!result_number_.name.empty()) facts.numbers[result_number_.name] = result_number_.of(wanted.result);
    expect_result_(got, wanted.result);
    if (facts.refused) Recorder::current().mean("a call that has to be refused writes to an output");
    expect_outputs(
        operands, wanted.operands, names,
        [&](const std::string& name) -> const Rule& { return rules.at(name); },
        [&](const std::string& name, bool right) { (right ? facts.right : facts.wrong).insert(name); });
}

void Agreement::with_earlier(const Callee& subject, const Left& earlier, Operands& operands,
                             const std::vector<std::string>& names) const {
    const Answer got = subject(operands);
    expect_equal_(got, earlier.result);
    expect_outputs(
        operands, earlier.operands, names,
        [this](const std::string& name) {
            return Rule{.kind = unordered_.contains(name) ? Rule::Kind::free : Rule::Kind::bits};
        },
        [](const std::string&, bool) {});
}

bool Agreement::is_exact() const {
    const auto has_bounds = [](const auto& rule) {
        return rule.second.kind == Rule::Kind::within || rule.second.kind == Rule::Kind::close;
    };
    return std::ranges::none_of(rules_, has_bounds);
}

std::map<std::string, Rule> Agreement::rules_for(Operands& operands,
                                                 const std::vector<std::string>& names) const {
    std::map<std::string, Rule> rules;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string& name = names[i];
        const auto found = rules_.find(name);
        rules[name] = found == rules_.end() ? Rule{} : found->second;
        if (!operands[i].has_elements()) continue; // perhaps of a size that no loop comes to the end of
        if (const auto bounds = bounds_.find(name); bounds != bounds_.end())
            rules[name].bounds = bounds->second(operands);
        if (const auto exact = exact_.find(name); exact != exact_.end())
            rules[name].exact = exact->second(operands);
    }
    return rules;
}

} // namespace harness
