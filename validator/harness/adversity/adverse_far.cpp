#include "harness/adversity/adverse_function.h"
#include "harness/adversity/far.h"
#include "harness/depth.h"
#include "harness/tensors.h"

#include <algorithm>
#include <numeric>

namespace harness {
namespace {

/// The extent that says how many positions come before the window.
constexpr std::string_view start_extent = "start";
/// More than 65,536 blocks of 16 elements, and more than a stack holds.
constexpr std::size_t very_long = (std::size_t{1} << 21) + 21;
/// As many floats as a block has shared memory, 48 KiB; and 227 KiB if it asks for more.
constexpr std::size_t shared_floats = 48 * 256, max_shared_floats = 227 * 256;
constexpr std::size_t far_elements = (std::size_t{1} << 32) + 4096;

/// Those below `count`.
std::vector<std::size_t> zero_and_powers_of_two(std::size_t count) {
    std::vector<std::size_t> rows{0};
    for (std::size_t power = 1; power < count; power *= 2)
        rows.push_back(power);
    return rows;
}

std::vector<std::size_t> first_rows(std::size_t count) {
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

} // namespace

void AdverseFunction::far(const std::string& vocabulary, Visits visits) {
    run([&](Calls& call) {
        // The largest ordinary calls come before far memory is made.
        if (call.starts(Probe::very_long)) call.all(situations_.long_ones({very_long}, 1));
        Situation wide = situations_.with_at_least(9);
        if (call.starts(Probe::size)) call(wide);
        const Situation small = situations_.with_all(2);
        const Far far{far_memory(wide, small), vocabulary, call};
        Situation each_row = wide; // ids name every row, each from 2^29 on a multiple of that far
        if (!vocabulary.empty())
            for (Shaping& shaping : each_row.shapings)
                shaping.rows = first_rows(wide.extents[vocabulary]);
        if (call.starts(Probe::far_rows))
            for (const std::size_t k : matrices())
                call_far(k, each_row, far_stride, first_rows(function_.parameters[k].row_count(wide.extents)),
                         far);
        if (call.starts(Probe::farther_rows))
            for (const std::size_t k : matrices())
                call_far(k, small, farther_stride,
                         first_rows(function_.parameters[k].row_count(small.extents)), far);
        if (call.starts(Probe::late_start)) call_late(far);
        if (call.starts(Probe::shared_memory_of_block))
            for (const Situation& size : situations_.long_ones({shared_floats, max_shared_floats}, 2))
                if (is_thorough() || has_wide_rows(size)) call(size);
        if (call.starts(Probe::rehearsed)) rehearse(far.memory, call);
        if (!vocabulary.empty()) call_with_vocabulary(wide, visits, far);
    });
}

/// Tables of more rows than 24, 31, 32 or 53 bits count.
void AdverseFunction::call_with_vocabulary(Situation wide, Visits visits, const Far& far) const {
    const std::string& vocabulary = far.vocabulary;
    Calls& call = far.call;
    constexpr std::size_t many = (std::size_t{1} << 24) + 3, apart = 257;
    wide.extents.set(vocabulary, many);
    if (call.starts(Probe::dense_tall)) call_tall(wide, many, wide.extents["C"], far);
    if (call.starts(Probe::tall)) call_tall(wide, many, apart, far); // the last rows lie beyond element 2^32
    // Which vectors fit, but not the stride. A kernel that visits each of so many rows takes long.
    const std::size_t enough = function_.launches ? many / 16 : many;
    wide.extents.set("C", 12);
    wide.extents.set(vocabulary, enough);
    if (call.starts(Probe::tall_vectors)) call_tall(wide, enough, apart, far);
    Situation bare = situations_.with({{"C", 0}});
    bare.extents.set(vocabulary, (std::size_t{1} << 53) + 1);
    bare.words.insert(vocabulary + " is above 2^53");
    const auto is_ids = [](const AnyParameter& each) { return bool(each.id_count); };
    if (call.starts(Probe::above_53_bits)) call.all(function_.specials_of(bare, true, is_ids));
    if (call.starts(Probe::rehearsed_rows)) {
        Situation many_rows = situations_.with({{"C", 0}});
        many_rows.extents.set(vocabulary, (std::size_t{1} << 32) + 5);
        many_rows.words.insert(vocabulary + " is above 2^32");
        for (const Situation& special : function_.specials_of(many_rows, false))
            call.rehearsed(special);
    }
    if (visits == Visits::every_row) return;
    // A table of slots, or a few bits of a hash, may tell ids apart by their lower bits.
    if (call.starts(Probe::tall)) {
        Situation upper_bits = situations_.with_at_least(27);
        upper_bits.extents.set("C", 1);
        upper_bits.extents.set(vocabulary, many);
        call_tall(upper_bits, many, 1, zero_and_powers_of_two(many), far);
    }
    if (call.starts(Probe::above_53_bits)) {
        call(bare);
        call.all(function_.specials_of(bare, false, is_ids));
    }
    if (!call.starts(Probe::above_32_bits)) return;
    for (const std::size_t rows : {(std::size_t{1} << 31) + 5, (std::size_t{1} << 32) + 2}) {
        // As many ids as make it worth while to prepare something, which must not follow the rows.
        const auto tall = [&](Situation base) {
            base.extents.set("C", 1);
            base.extents.set(vocabulary, rows);
            base.words.insert(vocabulary + " is above 2^31");
            return base;
        };
        const Situation many_ids = tall(with_ids(1'024));
        call_tall(many_ids, rows, 1, far);
        // An id that is no row's may be one in 32 bits, and so may an option that is the last row's.
        const auto is_ids_or_value = [](const AnyParameter& each) { return each.id_count || each.is_value; };
        const Situation any_ids =
            function_.launches && !is_thorough() ? tall(situations_.with_at_least(5)) : many_ids;
        for (const Situation& special : function_.specials_of(any_ids, false, is_ids_or_value))
            call_tall(special, rows, 1, far);
    }
}

/// Whether a matrix has rows that fill the shared memory of a block.
bool AdverseFunction::has_wide_rows(const Situation& situation) const {
    return std::ranges::any_of(function_.parameters, [&](const AnyParameter& each) {
        return each.width && each.width(situation.extents) >= shared_floats;
    });
}

/// All extents alike, and as long as gives each list of ids so many.
Situation AdverseFunction::with_ids(std::size_t count) const {
    const auto has_too_few = [&](const Situation& situation) {
        return std::ranges::any_of(function_.parameters, [&](const AnyParameter& each) {
            return each.id_count && each.id_count(situation.extents) < count;
        });
    };
    for (std::size_t length = 33;; length *= 2)
        if (const Situation situation = situations_.with_at_least(length);
            !has_too_few(situation) || length >= count)
            return situation;
}

/// Launches that the emulator could not run in time: each extent in turn is so long that 65,535 blocks of
/// thousands do not cover it.
void AdverseFunction::rehearse(FarMemory memory, Calls& call) const {
    constexpr std::size_t length = (std::size_t{1} << 28) + 3;
    for (const Situation& situation : situations_.boundless_ones(length, 2)) {
        FarMemory left = memory;
        std::vector<std::unique_ptr<AnyOperand>> each;
        for (std::size_t k = 0; k < function_.parameters.size(); ++k) {
            const AnyParameter& parameter = function_.parameters[k];
            each.push_back(parameter.make_hollow
                               ? parameter.make_hollow(situation.extents, left)
                               : parameter.make(situation.extents, situation.shapings[k], call.random()));
        }
        Operands operands(std::move(each));
        call.rehearsed(situation, operands);
    }
}

std::vector<std::size_t> AdverseFunction::matrices() const {
    return function_.numbers_with(
        [this](const AnyParameter& each) { return each.make_far && !leaves_out(each.name, Adversity::far); });
}

/// As much as the tallest matrix takes where its rows lie far apart.
FarMemory AdverseFunction::far_memory(const Situation& wide, const Situation& small) const {
    std::size_t elements = far_elements * sizeof(double) / sizeof(float);
    for (const std::size_t k : matrices()) {
        const auto row_count = [&](const Situation& each) {
            return function_.parameters[k].row_count(each.extents);
        };
        elements = std::max({elements, row_count(wide) * far_stride, row_count(small) * farther_stride});
    }
    const std::size_t bytes = elements * sizeof(float);
    return {allocate_shared(bytes), bytes};
}

/// Each matrix in turn that has so many rows; ids choose among few of them.
void AdverseFunction::call_tall(Situation tall, std::size_t rows, std::size_t stride, const Far& far) const {
    call_tall(std::move(tall), rows, stride, far_rows(rows, stride), far);
}

void AdverseFunction::call_tall(Situation tall, std::size_t rows, std::size_t stride,
                                const std::vector<std::size_t>& used, const Far& far) const {
    for (Shaping& shaping : tall.shapings)
        shaping.rows = used;
    for (const std::size_t k : matrices()) {
        const AnyParameter& parameter = function_.parameters[k];
        if (parameter.row_count && parameter.row_count(tall.extents) == rows)
            call_far(k, tall, std::max(stride, parameter.width(tall.extents)), used, far);
    }
}

/// A window of positions that begins so far behind the first one that 32 bits do not count them.
void AdverseFunction::call_late(const Far& far) const {
    if (std::ranges::find(situations_.extents(), start_extent, &ExtentDomain::name) ==
        situations_.extents().end())
        return;
    for (const std::size_t start : {(std::size_t{1} << 31) + 3, (std::size_t{1} << 32) + 3}) {
        Situation late = situations_.with({{"C", 1}});
        late.extents.set(start_extent, start);
        late.words.insert("`start` is above 2^31");
        for (const std::size_t k : matrices()) {
            const std::size_t row_count = function_.parameters[k].row_count(late.extents);
            if (row_count < start) continue;
            // Those of the window, and those that a start which lost its upper bits would name.
            std::vector<std::size_t> rows = first_rows(3 + row_count - start);
            for (std::size_t r = start - 1; r < row_count; ++r)
                rows.push_back(r);
            call_far(k, late, function_.parameters[k].width(late.extents), rows, far);
        }
    }
}

/// Whether the matrix has as many rows as there are tokens, so that ids choose among them.
bool AdverseFunction::has_row_for_each(const std::string& vocabulary, const AnyParameter& matrix,
                                       Extents extents) {
    if (vocabulary.empty()) return false;
    const auto rows = [&] { return matrix.row_count(extents); };
    const std::size_t now = rows();
    extents.set(vocabulary, extents[vocabulary] + 1);
    return rows() != now;
}

void AdverseFunction::call_far(std::size_t which, Situation situation, std::size_t stride,
                               const std::vector<std::size_t>& rows, const Far& far) const {
    const std::string& name = function_.parameters[which].name;
    situation.words.insert("the rows of `" + name + "` reach far");
    const AnyParameter& matrix = function_.parameters[which];
    if (matrix.width && stride > matrix.width(situation.extents))
        situation.words.insert("the rows of `" + name + "` lie apart");
    situation.far =
        FarMatrix{name, stride, rows.back(), has_row_for_each(far.vocabulary, matrix, situation.extents)};
    situation.reaches.insert({name, Adversity::far});
    std::vector<std::unique_ptr<AnyOperand>> each;
    for (std::size_t k = 0; k < function_.parameters.size(); ++k) {
        const AnyParameter& parameter = function_.parameters[k];
        each.push_back(
            k == which ? parameter.make_far(situation.extents, stride, rows, far.memory, far.call.random())
                       : parameter.make(situation.extents, situation.shapings[k], far.call.random()));
    }
    Operands operands(std::move(each));
    far.call(situation, operands, "");
}

} // namespace harness
