#include "harness/adversity/adverse_function.h"

#include "harness/adversity/id_sequences.h"
#include "harness/depth.h"
#include "harness/recorder.h"
#include "harness/suite.h"

namespace harness {

AdverseFunction::AdverseFunction(Callable function, std::vector<ExtentDomain> extents)
    : function_(std::move(function)), situations_(std::move(extents), function_.parameters.size()),
      long_sizes_(function_.launches ? long_sizes_of_launches() : long_sizes()),
      others_of_long_(function_.launches ? 1 : 2) {}

AdverseFunction::AdverseFunction(const AdverseFunction&) = default;
AdverseFunction::~AdverseFunction() = default;

void AdverseFunction::add_sizes(std::initializer_list<Extents> more) {
    more_.insert(more_.end(), more.begin(), more.end());
}

void AdverseFunction::leave_out(Adversity adversity, const std::string& parameter,
                                const std::string& reason) {
    left_out_[{parameter, adversity}] = reason;
}

void AdverseFunction::share_powers(std::set<std::string> first, std::set<std::string> second) {
    first_factors_ = std::move(first);
    second_factors_ = std::move(second);
}

Situation AdverseFunction::with_numbers_times(const Situation& situation, int power_of_two) const {
    Situation scaled = harness::with_numbers_times(situation, power_of_two);
    const int half = power_of_two / 2, other_half = power_of_two - half;
    for (std::size_t k = 0; k < scaled.shapings.size(); ++k) {
        const std::string& name = function_.parameters[k].name;
        if (first_factors_.contains(name)) scaled.shapings[k].power_of_two = half;
        if (second_factors_.contains(name)) scaled.shapings[k].power_of_two = other_half;
    }
    return scaled;
}

bool AdverseFunction::leaves_out(const std::string& parameter, Adversity adversity) const {
    return left_out_.contains({parameter, adversity});
}

void AdverseFunction::sizes() {
    run([&](Calls& call) {
        if (call.starts(Probe::size)) call.all(situations_.boundaries(boundaries()));
        if (call.starts(Probe::two_sizes)) call.all(situations_.paired_boundaries(paired()));
        if (call.starts(Probe::long_extent)) // arrays of a fixed size end before these
            call.all(situations_.long_ones(in_short() ? std::vector<std::size_t>{9'001} : long_sizes_,
                                           others_of_long_));
        if (call.starts(Probe::own_sizes))
            for (const Extents& extents : more_)
                call(situations_.with(extents.values()));
        if (call.starts(Probe::two_large))
            call.all(situations_.large_pairs(function_.launches ? 259 : 1'037, 69));
        if (call.starts(Probe::long_and_narrow)) call.all(situations_.large_pairs(16'411, 17));
        if (!call.starts(Probe::last_id)) return;
        for (const std::size_t rows :
             by_depth<std::vector<std::size_t>>({257, 65'537}, {256, 257, 32'769, 65'536, 65'537}))
            for (const Situation& just_too_long : situations_.long_ones({rows}, 2))
                call.those_with(all_ids_are_last,
                                function_.specials_of(just_too_long, false, [&](const AnyParameter& each) {
                                    return each.id_count && each.id_count(just_too_long.extents) < rows;
                                }));
    });
}

std::vector<std::size_t> AdverseFunction::boundaries() const {
    if (is_thorough()) return in_short() ? sparse_boundary_sizes() : boundary_sizes();
    if (in_short()) return {1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 41, 64, 65, 129, 257};
    return function_.launches ? boundary_sizes_up_to(1'025) : sparse_boundary_sizes();
}

std::vector<std::size_t> AdverseFunction::paired() const {
    if (is_thorough()) return paired_sizes();
    if (in_short()) return {1, 17};
    return function_.launches ? short_paired_sizes() : paired_sizes();
}

/// Where a kernel is watched, thousands of rows take seconds; how its threads meet shows in shorter ones,
/// too. So do the bounds of memory, for which a graded run has sanitizers.
bool AdverseFunction::in_short() const {
    return function_.is_watched() && (function_.launches || !is_thorough());
}

void AdverseFunction::empty_axes() {
    run([&](Calls& call) {
        for (const Situation& situation : situations_.empty()) {
            if (call.starts(Probe::empty)) call(situation);
            if (call.starts(Probe::null_views)) call(with_null_views(situation));
            if (call.starts(Probe::empty_and_refused)) call.some(function_.specials_of(situation, true));
            if (call.starts(Probe::empty_and_special)) call.some(function_.specials_of(situation, false));
        }
    });
}

void AdverseFunction::run(const std::function<void(Calls&)>& body) {
    declare();
    Caller caller(function_.name, constructed());
    Calls calls(function_, caller);
    try {
        body(calls);
    } catch (...) { // a call that did not come back is the last one
        caller.conclude();
        throw;
    }
    caller.conclude();
}

/// What can be adverse about this function, for the record.
void AdverseFunction::declare() const {
    Coverage& coverage = Recorder::current().coverage();
    const auto domain = [&](const std::string& parameter, Adversity adversity) {
        const auto reason = left_out_.find({parameter, adversity});
        if (reason == left_out_.end())
            coverage.declare(function_.name, parameter, adversity);
        else
            coverage.leave_out(function_.name, parameter, adversity, reason->second);
    };
    bool any_empty = false;
    for (const ExtentDomain& extent : situations_.extents()) {
        domain(extent.name, Adversity::sizes);
        if (extent.least > 0) continue;
        domain(extent.name, Adversity::empty);
        any_empty = true;
    }
    for (const std::string& pair : situations_.pair_names())
        domain(pair, Adversity::paired);
    int refusing = 0, special = 0;
    for (const AnyParameter& parameter : function_.parameters) {
        if (parameter.has_gaps) domain(parameter.name, Adversity::gaps);
        if (parameter.in_place) domain(parameter.name, Adversity::repeated);
        if (parameter.make_far) domain(parameter.name, Adversity::far);
        if (!parameter.specials) continue;
        bool refuses = false, accepts = false;
        for (const Special& each : parameter.specials(situations_.ordinary().extents)) {
            domain(parameter.name, each.refused ? Adversity::refused : Adversity::special);
            (each.refused ? refuses : accepts) = true;
        }
        refusing += refuses ? 1 : 0;
        special += accepts ? 1 : 0;
    }
    if (special > 1) domain("", Adversity::two_specials);
    if (refusing > 1) domain("", Adversity::two_refusals);
    if (!crossed(function_.specials_of(situations_.ordinary(), false),
                 function_.specials_of(situations_.ordinary(), true), Adversity::special_and_refused)
             .empty())
        domain("", Adversity::special_and_refused);
    domain("", Adversity::moved);
    if (any_empty) domain("", Adversity::null);
    if (refusing > 0 && any_empty) domain("", Adversity::empty_and_refused);
}

} // namespace harness
