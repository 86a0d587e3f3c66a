#include "harness/adversity/adverse_function.h"

#include "harness/adversity/id_sequences.h"
#include "harness/depth.h"
#include "harness/recorder.h"
#include "harness/suite.h"
#include "subject/session.h"

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
        call.all(situations_.boundaries(boundaries(), paired()));
        if (!in_short() || !function_.launches) // arrays of a fixed size end before these
            call.all(situations_.long_ones(long_sizes_, others_of_long_));
        if (!in_short()) {
            for (const Extents& extents : more_)
                call(situations_.with(extents.values()));
            call.all(situations_.large_pairs(function_.launches ? 259 : 1'037, 69));
            // Much to do in few rows, or few columns, hardly more than there are threads.
            if (!function_.launches && is_thorough()) call.all(situations_.large_pairs(16'411, 17));
        }
        if (in_short()) return;
        // The largest id of a table that is just too long for ids of fewer bits, or for one more number.
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
    if (function_.launches && !is_thorough()) return boundary_sizes_up_to(in_short() ? 257 : 1'025);
    return in_short() ? sparse_boundary_sizes() : boundary_sizes();
}

const std::vector<std::size_t>& AdverseFunction::paired() const {
    return function_.launches && !is_thorough() ? short_paired_sizes() : paired_sizes();
}

/// Where a kernel is traced, thousands of rows take seconds; how its threads meet shows in shorter ones, too.
/// So do the bounds of memory, for which a graded run has sanitizers.
bool AdverseFunction::in_short() const {
    const bool watched = !Recorder::current().long_calls();
    if (!function_.launches) return watched && !is_thorough();
    return watched || subject::Session::current().order() > 0;
}

void AdverseFunction::gaps() {
    run([&](Calls& call) {
        const std::vector<std::size_t> strided = function_.numbers_with([this](const AnyParameter& each) {
            return each.has_gaps && !leaves_out(each.name, Adversity::gaps);
        });
        // What the very first call allows, as dense rows of whole vectors do, may be taken for allowed for
        // good.
        const Situation whole = situations_.between(16, 16);
        call(whole);
        Operands elsewhere = function_.make(whole, call.random());
        for (std::size_t k = 0; k < elsewhere.size(); ++k)
            elsewhere[k].move_by(1);
        call(whole, elsewhere, "after one whose views lie elsewhere");
        for (const Situation& base : {situations_.ordinary(), situations_.with_all(1),
                                      situations_.with_at_most(4), situations_.with_at_most(19)}) {
            for (const std::size_t k : strided) {
                for (const std::size_t gap : {1, 3, 5, 8})
                    call(with_gaps(base, {k}, [&](std::size_t) { return gap; }));
                call.going_on_in_gaps(with_gaps(base, {k}, [](std::size_t) { return 3; }), k);
                // An option may take a short cut that asks of one argument alone whether it is dense.
                call.some(function_.specials_of(with_gaps(base, {k}, [](std::size_t) { return 2; }), false));
            }
            for (const std::size_t gap : {1, 4}) {
                const Situation equal = with_gaps(base, strided, [&](std::size_t) { return gap; });
                call(equal);
                call.some(function_.specials_of(equal, false));
                call.some(function_.specials_of(equal, true));
            }
            share_memory(base, strided, call);
            keep_gaps(base, strided, call);
            call(with_gaps(base, strided, [](std::size_t i) { return 2 * i + 1; }));
            call(with_gaps(base, strided, [&](std::size_t i) { return 2 * (strided.size() - i); }));
        }
        // Two special arguments may have a way of their own, such as that of calls in which nothing counts.
        if (!function_.launches && !strided.empty() && !leaves_out("", Adversity::two_specials)) {
            const Situation apart =
                with_gaps(situations_.ordinary(), strided, [](std::size_t i) { return i + 1; });
            call.pairs_of(function_.specials_of(apart, false), Adversity::two_specials);
        }
        // A short cut for one position, one row or one column may forget that what is left lies apart.
        for (const ExtentDomain& extent : situations_.extents()) {
            if (extent.least > 1) continue;
            const Situation single = situations_.with({{extent.name, 1}});
            for (const std::size_t k : strided)
                call(with_gaps(single, {k}, [](std::size_t) { return 2; }));
            call(with_gaps(single, strided, [](std::size_t i) { return i + 1; }));
        }
        // Long rows may go by whole vectors, which each of the strides has to allow; the last vector of a row
        // may reach into the gap, and behind the end of the last row.
        std::vector<std::size_t> lengths{67, 68};
        if (!function_.launches || is_thorough()) lengths.push_back(1'028);
        if (!function_.launches) lengths.push_back(4'099);
        for (const Situation& base : situations_.long_ones(lengths, 3)) {
            for (const std::size_t k : strided)
                for (const std::size_t gap : {1, 2})
                    call(with_gaps(base, {k}, [&](std::size_t) { return gap; }));
            call(with_gaps(base, strided, [&](std::size_t) { return 1; }));
        }
    });
}

/// Each matrix in the gaps of each other one that has as many rows or more, and what is dense in one gap:
/// what is moved there and back with a row belongs to somebody else, and the memory of one lies across that
/// of the other.
void AdverseFunction::share_memory(const Situation& base, const std::vector<std::size_t>& strided,
                                   Calls& call) const {
    const std::vector<std::string> names = function_.names();
    for (const std::size_t host : strided)
        for (std::size_t guest = 0; guest < names.size(); ++guest) {
            const AnyParameter &outer = function_.parameters[host], &inner = function_.parameters[guest];
            if (host == guest || !outer.width || !inner.width || (!outer.written && !inner.written)) continue;
            const std::size_t rows = inner.row_count(base.extents), most_rows = outer.row_count(base.extents);
            if (inner.has_gaps ? rows > most_rows : most_rows == 0) continue;
            Situation shared = base;
            shared.words.insert("`" + names[guest] + "` lies in the gaps of `" + names[host] + "`");
            // One element between them and two behind, or none.
            for (const auto& [behind, apart] : {std::pair<std::size_t, std::size_t>{1, 3}, {0, 0}}) {
                shared.shapings[host].gap = inner.width(base.extents) * (inner.has_gaps ? 1 : rows) + apart;
                if (inner.has_gaps) shared.shapings[guest].gap = outer.width(base.extents) + apart;
                call.lodged(shared, guest, host, behind);
            }
        }
}

/// Gaps that are whole pages: whoever writes there is seen even where the old content is brought back, which
/// a thread that works on the memory in between would lose.
void AdverseFunction::keep_gaps(const Situation& base, const std::vector<std::size_t>& strided,
                                Calls& call) const {
    if (function_.launches) return;
    for (const std::size_t k : strided) {
        const AnyParameter& parameter = function_.parameters[k];
        if (!parameter.written || !parameter.width || parameter.element_bytes == 0) continue;
        const std::size_t width = parameter.width(base.extents);
        const std::size_t in_page = subject::page / parameter.element_bytes;
        const std::size_t pages = subject::round_up(width, in_page) + in_page - width;
        // A short cut may ask of each argument whether there is room behind its rows.
        for (const std::vector<std::size_t>& which : {std::vector{k}, strided})
            call.in_pages(with_gaps(base, which, [&](std::size_t i) { return which[i] == k ? pages : 8; }),
                          k);
    }
}

void AdverseFunction::empty_axes() {
    run([&](Calls& call) {
        for (const Situation& situation : situations_.empty()) {
            call(situation);
            call(with_null_views(situation));
            call.some(function_.specials_of(situation, true));
            call.some(function_.specials_of(situation, false));
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

Situation AdverseFunction::with_gaps(Situation situation, const std::vector<std::size_t>& which,
                                     const std::function<std::size_t(std::size_t)>& gap) const {
    const std::vector<std::string> names = function_.names();
    bool equal = true;
    for (std::size_t i = 0; i < which.size(); ++i) {
        situation.shapings[which[i]].gap = gap(i);
        situation.words.insert("the rows of `" + names[which[i]] + "` lie apart");
        situation.reaches.insert({names[which[i]], Adversity::gaps});
        equal = equal && gap(i) == gap(0);
    }
    if (equal && which.size() > 1)
        situation.properties.insert("the rows of all arguments lie equally far apart");
    return situation;
}

} // namespace harness
