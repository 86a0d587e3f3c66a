#include "harness/adversity/adverse_function.h"

#include "harness/adversity/id_sequences.h"
#include "harness/depth.h"

namespace harness {

void AdverseFunction::special_cases() {
    run([&](Calls& call) {
        const Situation base = situations_.ordinary(), single = situations_.with_all(1);
        const std::vector<Situation> accepted = function_.specials_of(base, false),
                                     refused = function_.specials_of(base, true);
        if (call.starts(Probe::special)) call.all(accepted);
        if (call.starts(Probe::refused)) call.all(refused);
        if (call.starts(Probe::held_negatives)) call.holding_negatives(base);
        if (call.starts(Probe::nearly_done)) {
            call.nearly_done(base);
            for (const Situation& size : situations_.long_ones({67}, 5))
                call.nearly_done(size);
        }
        if (call.starts(Probe::special_on_negatives))
            for (const Situation& special : accepted)
                call.holding_negatives(special);
        if (call.starts(Probe::single)) call(single);
        if (call.starts(Probe::single_refused)) call.all(function_.specials_of(single, true));
        if (call.starts(Probe::rounding_upward)) {
            for (const Situation& plain : {base, situations_.with_all(0)})
                call.rounding_upward(plain);
            for (const Situation& special : refused)
                call.rounding_upward(special);
        }
        scale_numbers(base, single, call);
        // A short cut may be taken only for a single element, or only where there are enough for it to pay.
        if (call.starts(Probe::level))
            for (const Situation& size : situations_.long_ones({67}, 5))
                call.level(size);
        std::vector<Situation> sizes = situations_.long_ones({67}, 3);
        sizes.push_back(single);
        for (const Situation& size : sizes) {
            if (call.starts(Probe::special_elsewhere)) call.some(function_.specials_of(size, false));
            if (!leaves_out("", Adversity::two_specials) && call.starts(Probe::two_specials_elsewhere))
                call.pairs_of(function_.specials_of(size, false), Adversity::two_specials);
        }
        // Where work is done in blocks, or shared among threads, a refusal has to come before all of it.
        const std::size_t many_blocks = function_.launches ? by_depth<std::size_t>(1'027, 5'003) : 5'003;
        for (const Situation& many : situations_.long_ones({many_blocks}, others_of_long_)) {
            if (call.starts(Probe::refused_of_many)) call.some(function_.specials_of(many, true));
            if (call.starts(Probe::special_of_many)) call.some(function_.specials_of(many, false));
        }
        many_ids(call);
        if (!leaves_out("", Adversity::two_specials) && call.starts(Probe::two_specials))
            call.pairs_of(accepted, Adversity::two_specials);
        if (!leaves_out("", Adversity::two_refusals) && call.starts(Probe::two_refusals))
            call.some(pairs_of(refused, Adversity::two_refusals));
        if (!leaves_out("", Adversity::special_and_refused) && call.starts(Probe::special_and_refused))
            call.crossed(accepted, refused, Adversity::special_and_refused);
    });
}

/// Bounds are relative: what counts in steps of one size, or clears what is small, is far off here.
void AdverseFunction::scale_numbers(const Situation& base, const Situation& single, Calls& call) const {
    if (call.starts(Probe::scaled))
        for (const int power : {-40, 30}) {
            call(with_numbers_times(base, power));
            call(with_numbers_times(single, power));
        }
    // A sum of multiples of the smallest number is one, and exact.
    if (!function_.agreement.is_exact() || !call.starts(Probe::below_normal)) return;
    call(with_numbers_times(base, -139));
    if (!in_short())
        for (const Situation& many : situations_.long_ones({66'003}, 1)) // the modes of other threads
            call(with_numbers_times(many, -139));
}

/// Ids whose places need more than eight bits, or more than 16, and ids that threads share.
void AdverseFunction::many_ids(Calls& call) const {
    const auto special_ids = [&](const Situation& many, std::size_t least, bool refused_ones) {
        return function_.specials_of(many, refused_ones, [&](const AnyParameter& each) {
            return each.id_count && each.id_count(many.extents) >= least;
        });
    };
    if (call.starts(Probe::refused_id_of_many))
        for (const Situation& many : situations_.long_ones({70'003}, 1)) {
            const std::vector<Situation> refused = special_ids(many, 70'003, true);
            if (is_thorough())
                call.all(refused);
            else
                call.those_with(last_id_is_negative, refused);
        }
    if (call.starts(Probe::repeated_id_of_many))
        for (const std::size_t length : by_depth<std::vector<std::size_t>>({257}, {257, 65'537, 70'003}))
            for (const Situation& many : situations_.long_ones({length}, 2))
                call.those_with(first_id_again_at_the_end, special_ids(many, length, false));
    // Of threads that share so many, a later one is the first to find a bad id, or finds the only one.
    if (!call.starts(Probe::late_bad_id)) return;
    const std::size_t shared = by_depth<std::size_t>(270'003, 1'000'003);
    for (const Situation& many : situations_.long_ones({shared}, 1)) {
        call.those_with(bad_from_a_fifth_on, special_ids(many, shared, true));
        if (!function_.launches) call.those_with(last_id_is_negative, special_ids(many, shared, true));
    }
}

} // namespace harness
