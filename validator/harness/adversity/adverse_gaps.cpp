#include "harness/adversity/adverse_function.h"

#include "harness/depth.h"
#include "subject/session.h"

// Rows that lie apart.
namespace harness {

void AdverseFunction::gaps() {
    run([&](Calls& call) {
        const std::vector<std::size_t> strided = function_.numbers_with([this](const AnyParameter& each) {
            return each.has_gaps && !leaves_out(each.name, Adversity::gaps);
        });
        if (call.starts(Probe::whole_vectors)) begin_with_whole_vectors(call);
        std::vector<Situation> bases{situations_.ordinary(), situations_.with_at_most(19)};
        if (function_.launches || !in_short())
            bases.insert(bases.end(), {situations_.with_all(1), situations_.with_at_most(4)});
        for (const Situation& base : bases)
            put_apart(base, strided, call);
        // Two special arguments may have a way of their own, such as that of calls in which nothing counts.
        if (!strided.empty() && !leaves_out("", Adversity::two_specials) &&
            call.starts(Probe::gaps_and_two_specials)) {
            const Situation apart =
                with_gaps(situations_.ordinary(), strided, [](std::size_t i) { return i + 1; });
            call.pairs_of(function_.specials_of(apart, false), Adversity::two_specials);
        }
        // A short cut for one position, one row or one column may forget that what is left lies apart.
        if (call.starts(Probe::gaps_of_one))
            for (const ExtentDomain& extent : situations_.extents()) {
                if (extent.least > 1) continue;
                const Situation single = situations_.with({{extent.name, 1}});
                for (const std::size_t k : strided)
                    call(with_gaps(single, {k}, [](std::size_t) { return 2; }));
                call(with_gaps(single, strided, [](std::size_t i) { return i + 1; }));
            }
        // Long rows may go by whole vectors, which each of the strides has to allow; the last vector of a row
        // may reach into the gap, and behind the end of the last row.
        if (!call.starts(Probe::gaps_of_long_rows)) return;
        std::vector<std::size_t> lengths{67, 68};
        if (is_thorough()) lengths.push_back(1'028);
        if (!function_.launches && !in_short()) lengths.push_back(4'099);
        for (const Situation& base : situations_.long_ones(lengths, 3)) {
            for (const std::size_t k : strided)
                for (const std::size_t gap : {1, 2})
                    call(with_gaps(base, {k}, [&](std::size_t) { return gap; }));
            call(with_gaps(base, strided, [&](std::size_t) { return 1; }));
        }
    });
}

/// What the very first call allows, as dense rows of whole vectors do, may be taken for allowed for good.
void AdverseFunction::begin_with_whole_vectors(Calls& call) const {
    const Situation whole = situations_.between(16, 16);
    call(whole);
    Operands elsewhere = function_.make(whole, call.random());
    for (std::size_t k = 0; k < elsewhere.size(); ++k)
        elsewhere[k].move_by(1);
    call(whole, elsewhere, "after one whose views lie elsewhere");
}

/// The rows of each argument apart, of all equally far, and of each by a distance of its own.
void AdverseFunction::put_apart(const Situation& base, const std::vector<std::size_t>& strided,
                                Calls& call) const {
    for (const std::size_t k : strided) {
        if (call.starts(Probe::one_gap))
            for (const std::size_t gap : {1, 3, 5, 8})
                call(with_gaps(base, {k}, [&](std::size_t) { return gap; }));
        if (call.starts(Probe::gap_that_goes_on))
            call.going_on_in_gaps(with_gaps(base, {k}, [](std::size_t) { return 3; }), k);
        // An option may take a short cut that asks of one argument alone whether it is dense.
        if (call.starts(Probe::one_gap_and_special))
            call.some(function_.specials_of(with_gaps(base, {k}, [](std::size_t) { return 2; }), false));
    }
    for (const std::size_t gap : {1, 4}) {
        const Situation equal = with_gaps(base, strided, [&](std::size_t) { return gap; });
        if (call.starts(Probe::equal_gaps)) call(equal);
        if (!call.starts(Probe::equal_gaps_and_special)) continue;
        call.some(function_.specials_of(equal, false));
        call.some(function_.specials_of(equal, true));
    }
    if (call.starts(Probe::shared_memory)) share_memory(base, strided, call);
    if (call.starts(Probe::gap_pages)) keep_gaps(base, strided, call);
    if (!call.starts(Probe::unequal_gaps)) return;
    call(with_gaps(base, strided, [](std::size_t i) { return 2 * i + 1; }));
    call(with_gaps(base, strided, [&](std::size_t i) { return 2 * (strided.size() - i); }));
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
