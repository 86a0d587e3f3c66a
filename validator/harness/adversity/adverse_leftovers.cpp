#include "harness/adversity/adverse_function.h"

#include <algorithm>

// What may be left of other calls, however long ago.
namespace harness {

/// After as many calls of something else as a counter of eight or sixteen bits can tell apart, and one more
/// or less.
void AdverseFunction::repeat_long_after(Calls& call) const {
    const Situation base =
        situations_.with_at_least(9); // enough ids that the first and the last call share some
    const std::vector<Situation> others =
        function_.specials_of(base, false, [](const AnyParameter& each) { return bool(each.id_count); });
    const Situation& other = others.empty() ? base : others.front();
    for (const int between : {255, 254, 256}) {
        call(base);
        for (int i = 0; i < between; ++i)
            call(other);
    }
    call(base, "after hundreds of others");
    // What is counted in so many bits is who has met which id. A function of several calls may make objects,
    // which only their ends would free.
    if (others.empty() || !function_.is_one_call) return;
    const Situation short_one = with_few_ids(other);
    for (const std::uint32_t between : {65'535U, 65'534U}) {
        call.many(short_one, between);
        call(base, "after as many others as there is time for");
    }
}

/// The same with so few ids that a program has just something to compare.
Situation AdverseFunction::with_few_ids(Situation situation) const {
    const auto ids_of = [&](const Situation& each) {
        std::size_t ids = 0;
        for (const AnyParameter& parameter : function_.parameters)
            if (parameter.id_count) ids += parameter.id_count(each.extents);
        return ids;
    };
    for (const ExtentDomain& extent : situations_.extents()) {
        Situation fewer = situation;
        fewer.extents.set(extent.name, std::max<std::size_t>(extent.least, 2));
        if (ids_of(fewer) < ids_of(situation)) situation = std::move(fewer);
    }
    return situation;
}

/// A call of special or larger numbers, or of more of them, between two equal ones: nothing that is kept of
/// it shows, not even in the last bit.
void AdverseFunction::repeat_after_others(const Done& first, Calls& call) const {
    const auto repeat = [&](const Done& done, const std::vector<Situation>& others) {
        for (const Situation& other : others) {
            call(other);
            Operands again = done.untouched.copy();
            call.equal(done.rough, again, done.left, "after an equal one and then another one");
        }
    };
    const Situation size = situations_.between(9, 37);
    std::vector<Situation> others = function_.specials_of(size, false);
    for (const int power : {1, 2, 3, 4, 5, 6, 7, 30, -40})
        others.push_back(with_numbers_times(size, power));
    repeat(first, others);
    if (!call.starts(Probe::after_longer)) return;
    // What is kept as large as the largest call so far may decide how sums are cut.
    const std::vector<Situation> longer = situations_.long_ones({5'003}, 9);
    const std::vector<Situation> long_ones = situations_.long_ones({517}, 9);
    for (std::size_t i = 0; i < std::min(long_ones.size(), longer.size()); ++i)
        repeat(done_with_rough_numbers(long_ones[i], call), {longer[i]});
}

} // namespace harness
