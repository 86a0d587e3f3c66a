#include "harness/adversity/adverse_function.h"

#include <typeinfo>
#include <utility>
#include <vector>

namespace harness {
namespace {

/// A parameter of each of two functions.
struct Shared {
    std::size_t mine, its;
};

/// Those of one name whose operands are alike.
std::vector<Shared> shared_parameters(const Callable& function, const Operands& operands,
                                      const Callable& other, const Operands& others) {
    std::vector<Shared> shared;
    for (std::size_t k = 0; k < operands.size(); ++k)
        for (std::size_t o = 0; o < others.size(); ++o) {
            const AnyOperand &mine = operands[k], &its = others[o];
            if (function.parameters[k].name == other.parameters[o].name && typeid(mine) == typeid(its))
                shared.push_back({k, o});
        }
    return shared;
}

} // namespace

void AdverseFunction::after(const AdverseFunction& other) {
    run([&](Calls& call) {
        if (!call.starts(Probe::after_other_function)) return;
        const Situation base = situations_.ordinary();
        const Operands a = function_.make(base, call.random());
        const Operands b = function_.make(base, call.random());
        const Operands others = other.function_.make(other.situations_.ordinary(), call.random());
        const std::vector<Shared> shared = shared_parameters(function_, a, other.function_, others);
        for (const auto& [mine, its] : shared)
            others[its].assign(a[mine]);
        const std::string before = "after `" + other.function_.name + "`";
        const auto call_after = [&](const Situation& situation, Operands& operands, const std::string& when) {
            Operands same = others.copy();
            other.function_.subject(same);
            call(situation, operands, before + when);
        };
        Operands running = a.copy();
        call_after(base, running, "");
        constexpr std::size_t max_values = 12;
        for (const auto& [mine, its] : shared) {
            const std::string& name = function_.parameters[mine].name;
            if (function_.parameters[mine].in_place && !leaves_out(name, Adversity::repeated)) {
                running.assign(a);
                running[mine].assign(b[mine]);
                call_after(base, running, " of another `" + name + "`");
            }
            if (!function_.parameters[mine].is_value) continue;
            const std::vector<Situation> list = values_of(mine, base, function_.launches ? 3 : max_values);
            for (const Situation& earlier : list)
                for (const Situation& later : list) {
                    if (&earlier == &later) continue;
                    others[its].assign(function_.make(earlier, call.random())[mine]);
                    const Operands value = function_.make(later, call.random());
                    running.assign(a);
                    running[mine].assign(value[mine]);
                    call_after(later, running, " with another `" + name + "`");
                }
            others[its].assign(a[mine]);
        }
    });
}

} // namespace harness
