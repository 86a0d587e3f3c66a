#include "harness/adversity/adverse_function.h"

#include "harness/depth.h"
#include "model/thread_orders.h"
#include "subject/session.h"

namespace harness {

void AdverseFunction::history() {
    run([&](Calls& call) {
        const Situation base = situations_.ordinary();
        std::optional<Done> first; // while nothing is left of any call
        if (call.starts(Probe::after_other_numbers))
            first = done_with_rough_numbers(situations_.between(9, 37), call);
        if (call.starts(Probe::in_place)) repeat_in_place(base, call);
        if (call.starts(Probe::ids_of_before)) repeat_ids(base, call);
        if (call.starts(Probe::all_but_one))
            for (const Situation& size : situations_.long_ones({67, 517}, 3))
                repeat_but_for_one(size, call);
        repeat_elsewhere(call);
        if (call.starts(Probe::long_after)) repeat_long_after(call);
        if (first && call.starts(Probe::after_other_numbers)) repeat_after_others(*first, call);
        if (call.starts(Probe::after_other_value)) repeat_values(base, call);
        if (call.starts(Probe::walk)) walk_over_numbers(base, call);
        if (call.starts(Probe::own_sizes_again))
            for (const Extents& extents : more_)
                repeat_equal(situations_.with(extents.values()),
                             std::vector<Shifts>(by_depth<std::size_t>(4, 8), all_by(0)), call);
        if (call.starts(Probe::after_refused))
            for (const Situation& refused : function_.specials_of(base, true)) {
                call(refused, "after an ordinary call");
                if (is_thorough()) call(refused, "after the same refused call");
                call(base, "after a refused call");
            }
        if (call.starts(Probe::after_other_sizes))
            for (const Situation& other : situations_.other_sizes()) {
                call(other);
                call(base, "after a call of other sizes");
            }
    });
}

void AdverseFunction::repeat_in_place(const Situation& base, Calls& call) const {
    const Operands a = function_.make(base, call.random());
    const Operands b = function_.make(base, call.random());
    Operands running = a.copy();
    call(base, running, "");
    running.assign(a);
    call(base, running, "again, with nothing changed");
    for (std::size_t k = 0; k < function_.parameters.size(); ++k) {
        const AnyParameter& parameter = function_.parameters[k];
        if (!parameter.in_place || leaves_out(parameter.name, Adversity::repeated)) continue;
        Situation changed = base;
        changed.reaches.insert({parameter.name, Adversity::repeated});
        const auto call_changed_and_back = [&](const std::string& but_for) {
            call(changed, running, "after one that was equal but for " + but_for);
            running.assign(a);
            call(base, running, "after the same and then another one");
        };
        running.assign(a);
        running[k].assign(b[k]);
        call_changed_and_back("`" + parameter.name + "`");
        // Whoever remembers a result may look at few elements to see whether it still holds, or at what does
        // not depend on their order.
        if (running[k].reverse()) call_changed_and_back("the order of elements in `" + parameter.name + "`");
        if (running[k].assign_inside(b[k]))
            call_changed_and_back("`" + parameter.name + "`, first and last element alike");
    }
}

/// Ids that were rows of one table need not be rows of a smaller one.
void AdverseFunction::repeat_ids(const Situation& base, Calls& call) const {
    const auto may_be_refused = [&](const AnyParameter& each) {
        return each.id_count && std::ranges::any_of(each.specials(base.extents), &Special::refused);
    };
    for (const std::size_t k : function_.numbers_with(may_be_refused))
        for (const ExtentDomain& extent : situations_.extents()) {
            const Situation smaller =
                situations_.with({{extent.name, std::max<std::size_t>(extent.least, 1)}});
            const auto& id_count = function_.parameters[k].id_count;
            if (id_count(smaller.extents) != id_count(base.extents)) continue;
            Operands operands = function_.make(base, call.random());
            Operands fewer = function_.make(smaller, call.random());
            fewer[k].assign(operands[k]);
            call(base, operands, "");
            call(smaller, fewer, "with the ids of the call before");
        }
}

/// Whoever remembers what follows from many elements may look at some of them to see whether it still holds.
void AdverseFunction::repeat_but_for_one(const Situation& base, Calls& call) const {
    const Operands a = function_.make(base, call.random());
    const Operands b = function_.make(base, call.random());
    Operands running = a.copy();
    for (std::size_t k = 0; k < function_.parameters.size(); ++k) {
        const AnyParameter& parameter = function_.parameters[k];
        if (!parameter.in_place || leaves_out(parameter.name, Adversity::repeated)) continue;
        running.assign(a);
        call(base, running, "");
        running.assign(a);
        if (running[k].assign_one_of_each_row(b[k], call.random()))
            call(base, running,
                 "after one that was equal but for one element of each row of `" + parameter.name + "`");
    }
}

/// The call with each accepted special value of one argument, as many as these.
std::vector<Situation> AdverseFunction::values_of(std::size_t which, const Situation& base,
                                                  std::size_t max_values) const {
    std::vector<Situation> list = function_.specials_of(base, false);
    std::erase_if(list, [&](const Situation& each) { return !each.shapings[which].special; });
    if (list.size() > max_values) list.resize(max_values);
    return list;
}

/// Each special value of an argument right after each other one, with all else equal: what is remembered
/// of an option has to be remembered with every part of it.
void AdverseFunction::repeat_values(const Situation& base, Calls& call) const {
    const std::size_t max_values = by_depth(6, 12);
    for (const std::size_t k :
         function_.numbers_with([](const AnyParameter& each) { return each.is_value; })) {
        const std::vector<Situation> list = values_of(k, base, max_values);
        const std::string when = "after one with another `" + function_.parameters[k].name + "`";
        const Operands all_else = function_.make(base, call.random());
        const auto call_with = [&](const Situation& value) {
            Operands operands = function_.make(value, call.random());
            for (std::size_t other = 0; other < operands.size(); ++other)
                if (other != k) operands[other].assign(all_else[other]);
            call(value, operands, when);
        };
        for (std::size_t a = 0; a < list.size(); ++a)
            for (std::size_t b = a + 1; b < list.size(); ++b) {
                call_with(list[a]);
                call_with(list[b]);
            }
    }
}

/// What is kept of the last calls of a function of numbers alone goes by some number that is made of them,
/// which others may share.
void AdverseFunction::walk_over_numbers(const Situation& base, Calls& call) const {
    const int steps = by_depth(200, 2000);
    if (!std::ranges::all_of(function_.parameters, &AnyParameter::is_value)) return;
    for (int step = 0; step < steps; ++step)
        call(base, "after others of small numbers");
}

AdverseFunction::Shifts AdverseFunction::all_by(std::size_t elements) const {
    return Shifts(function_.parameters.size(), elements);
}

/// Numbers whose sum depends on the order, at addresses that differ by less than a cache line: all views
/// moved alike, and one alone, since a check of the others says nothing about its alignment.
void AdverseFunction::repeat_elsewhere(Calls& call) const {
    const std::size_t side = function_.launches ? by_depth<std::size_t>(19, 37) : 37;
    Situation rough = situations_.with_at_most(side);
    rough.reaches.insert({"", Adversity::moved});
    std::vector<Shifts> shifts;
    for (const std::size_t by : {0, 1, 2, 3, 7})
        shifts.push_back(all_by(by));
    const std::vector<std::size_t> views =
        function_.numbers_with([](const AnyParameter& each) { return !each.is_value; });
    for (const std::size_t k : views) {
        shifts.push_back(all_by(0));
        shifts.back()[k] = 1;
    }
    // What is made of all addresses may be a multiple where none of them is: their sum, their exclusive or.
    for (std::size_t a = 0; is_thorough() && a < views.size(); ++a)
        for (std::size_t b = a + 1; b < views.size(); ++b)
            for (const std::size_t other : {1, 3}) {
                shifts.push_back(all_by(0));
                shifts.back()[views[a]] = 1;
                shifts.back()[views[b]] = other;
            }
    shifts.push_back(all_by(0));
    for (std::size_t i = 0; i < views.size(); ++i)
        shifts.back()[views[i]] = i % 3 + 1;
    if (call.starts(Probe::moved)) repeat_equal(rough, shifts, call);
    // What is done by whole vectors may ask for sizes without a rest.
    rough.extents = situations_.between(16, 16).extents;
    if (call.starts(Probe::moved_vectors)) repeat_equal(rough, shifts, call);
    // An array may end before the first address that a vector can have.
    if (call.starts(Probe::moved_short))
        for (const std::size_t size : {1, 2, 3, 5}) {
            rough.extents = situations_.with_at_most(size).extents;
            repeat_equal(rough, shifts, call);
        }
    if (call.starts(Probe::moved_apart)) repeat_apart(rough, call);
    // Short arrays may be left to single elements, and narrow rows, too; a single column may be an array.
    const std::size_t few = function_.launches ? 5 : 9;
    if (call.starts(Probe::moved_long))
        for (const std::size_t others : by_depth<std::vector<std::size_t>>({few}, {1, few}))
            for (const Situation& size : situations_.long_ones({517}, others)) {
                rough.extents = size.extents;
                repeat_equal(
                    rough, function_.launches ? by_depth({all_by(0), all_by(1), all_by(3)}, shifts) : shifts,
                    call);
            }
    // An option may bring roundings that ordinary calls do not have, in rows of whole vectors and a rest.
    if (!call.starts(Probe::moved_special)) return;
    rough.extents = situations_.between(9, 37).extents;
    const std::size_t max_values = function_.launches ? by_depth(2, 6) : by_depth(8, 64);
    for (const std::size_t k : function_.numbers_with([](const AnyParameter& each) { return each.is_value; }))
        for (const Situation& special : values_of(k, rough, max_values))
            repeat_equal(special, {all_by(0), all_by(1), all_by(3)}, call);
}

/// Rows that end before the first address that a vector can have, and are whole vectors apart: what goes
/// before the first vector may be more than the row.
void AdverseFunction::repeat_apart(Situation rough, Calls& call) const {
    const std::vector<std::size_t> strided = function_.numbers_with([this](const AnyParameter& each) {
        return each.has_gaps && each.width && !leaves_out(each.name, Adversity::gaps);
    });
    if (strided.empty()) return;
    for (const std::size_t size : {2, 5}) {
        rough.extents = situations_.with_at_most(size).extents;
        const Situation apart = with_gaps(rough, strided, [&](std::size_t i) {
            return 8 - function_.parameters[strided[i]].width(rough.extents) % 4;
        });
        repeat_equal(apart, {all_by(0), all_by(1), all_by(2), all_by(3)}, call);
    }
}

AdverseFunction::Done AdverseFunction::done_with_rough_numbers(Situation situation, Calls& call) const {
    for (Shaping& shaping : situation.shapings)
        shaping.rough = true;
    Operands untouched = function_.make(situation, call.random());
    Agreement::Left left{untouched.copy()};
    left.result = function_.subject(left.operands);
    return {std::move(situation), std::move(untouched), std::move(left)};
}

/// The same call again and again, its views moved by so many elements, and kernels under each order of
/// threads.
void AdverseFunction::repeat_equal(Situation size, const std::vector<Shifts>& shifts, Calls& call) const {
    const auto [rough, untouched, first] = done_with_rough_numbers(std::move(size), call);
    for (const Shifts& by : shifts) {
        Operands moved = untouched.copy();
        for (std::size_t k = 0; k < by.size(); ++k)
            moved[k].move_by(by[k]);
        call.equal(rough, moved, first,
                   by == all_by(0) ? "after an equal one" : "after an equal one, its views elsewhere");
    }
    if (!function_.launches) return;
    subject::Session& session = subject::Session::current();
    const std::uint32_t order = session.order();
    for (std::uint32_t turn = 1; turn < model::thread_orders; ++turn) {
        Operands again = untouched.copy();
        session.set_order((order + turn) % model::thread_orders);
        call.equal(rough, again, first, "after an equal one, its threads in another order");
        session.set_order(order);
    }
}

} // namespace harness
