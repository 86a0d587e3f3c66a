// Programs that are wrong because of a call before, or of where their arguments lie.
#include "harness/adversity/embedding.h"
#include "lookup_programs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace lookup_programs;

TEST_CASE("what a counter of eight bits takes for the present call shows") {
    static std::map<contract::TokenId, std::uint8_t> seen;
    static std::uint8_t calls;
    seen.clear();
    calls = 0;
    const Lookup stamps = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        ++calls;
        const Status status = lookup(table, ids, out);
        if (status != Status{} || out.cols == 0) return status;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto [known, is_new] = seen.try_emplace(ids[i], calls);
            // A row that this call has had, or so it seems.
            if (!is_new && known->second == calls &&
                std::find(ids.begin(), ids.begin() + i, ids[i]) == ids.begin() + i)
                out(i, 0) += 1;
            known->second = calls;
        }
        return status;
    };
    CHECK(findings(stamps, Circumstance::history).size() > 0);
    // It takes hundreds of calls, which a graded run does not make.
    CHECK(findings(stamps, Circumstance::history, false).empty());
    CHECK(findings(stamps, Circumstance::gaps).empty());
}

TEST_CASE("a copy that is kept while the ends of a table stay the same shows") {
    static const float* address;
    static float first, last;
    static std::vector<float> kept;
    address = nullptr;
    const Lookup remembers = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const bool is_dense = table.stride == table.cols && table.rows * table.cols > 0;
        if (!is_dense) return lookup(table, ids, out);
        const std::size_t size = table.rows * table.cols;
        const std::span<const float> cells(table.data, size);
        if (address != table.data || kept.size() != size || first != cells.front() || last != cells.back()) {
            address = table.data, first = cells.front(), last = cells.back();
            kept.assign(cells.begin(), cells.end());
        }
        return lookup({kept.data(), table.rows, table.cols, table.cols}, ids, out);
    };
    CHECK(finding(remembers, Circumstance::history).context.find("first and last element alike") !=
          std::string::npos);
}

TEST_CASE("a row that is kept while some of its elements stay the same shows") {
    static std::vector<float> kept;
    kept.clear();
    const Lookup spot_checks = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const std::size_t C = table.cols;
        const bool is_one = C >= 64 && ids.size() > 0 && refusal(table, ids, out) == Status{};
        if (!is_one) return lookup(table, ids, out);
        const float* row = table.row(static_cast<std::size_t>(ids[0]));
        if (kept.size() != C || kept[0] != row[0] || kept[C / 2] != row[C / 2] || kept[C - 1] != row[C - 1])
            kept.assign(row, row + C);
        const Status status = lookup(table, ids, out);
        std::copy(kept.begin(), kept.end(), out.row(0));
        return status;
    };
    CHECK(finding(spot_checks, Circumstance::history).context.find("one element of each row of `table`") !=
          std::string::npos);
}

TEST_CASE("a copy that is kept while the sum of a table stays the same shows") {
    static std::uint64_t known;
    static std::vector<float> kept;
    known = 0;
    kept.clear();
    const Lookup sums_bits = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        if (table.stride != table.cols || table.rows * table.cols == 0) return lookup(table, ids, out);
        const std::span<const float> cells(table.data, table.rows * table.cols);
        std::uint64_t sum = 0;
        for (const float cell : cells)
            sum += std::bit_cast<std::uint32_t>(cell);
        if (sum != known || kept.size() != cells.size()) {
            known = sum;
            kept.assign(cells.begin(), cells.end());
        }
        return lookup({kept.data(), table.rows, table.cols, table.cols}, ids, out);
    };
    CHECK(finding(sums_bits, Circumstance::history).context.find("the order of elements in `table`") !=
          std::string::npos);
}

TEST_CASE("rows that are whole vectors apart and end before the first one show") {
    const Lookup with_a_head = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        const std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(out.data) % 16) % 16 / sizeof(float);
        if (status != Status{} || out.rows == 0 || out.stride % 4 != 0 || out.stride < out.cols + head)
            return status;
        for (std::size_t c = out.cols; c < head; ++c)
            out.data[c] = 0;
        return status;
    };
    CHECK(finding(with_a_head, Circumstance::history).context.find("views elsewhere") != std::string::npos);
    CHECK(findings(with_a_head, Circumstance::gaps).empty());
}

TEST_CASE("an equal call that is answered otherwise shows") {
    static int calls = 0;
    calls = 0;
    const Lookup moody = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        return ids.size() == 37 && ++calls > 1 ? Status{Code::invalid_argument} : status;
    };
    CHECK(finding(moody, Circumstance::history).context.find("after an equal one") != std::string::npos);
}

TEST_CASE("results that depend on where the views lie show") {
    const Lookup aligned = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{} && reinterpret_cast<std::uintptr_t>(out.data) % 16 == 12 && out.rows > 30)
            out(0, 0) = std::nextafter(out(0, 0), 9.0F);
        return status;
    };
    CHECK(finding(aligned, Circumstance::history).context.find("views elsewhere") != std::string::npos);
}

TEST_CASE("results that depend on where long views lie show, too") {
    const Lookup aligned_where_long = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{} && reinterpret_cast<std::uintptr_t>(out.data) % 16 != 0 && out.rows > 256)
            out(0, 0) = std::nextafter(out(0, 0), 9.0F);
        return status;
    };
    CHECK(finding(aligned_where_long, Circumstance::history).context.find("views elsewhere") !=
          std::string::npos);
    const Lookup aligned_column = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        if (status == Status{} && reinterpret_cast<std::uintptr_t>(out.data) % 16 != 0 && out.rows > 256 &&
            out.cols == 1)
            out(0, 0) = std::nextafter(out(0, 0), 9.0F);
        return status;
    };
    CHECK(finding(aligned_column, Circumstance::history).context.find("views elsewhere") !=
          std::string::npos);
}

TEST_CASE("an array that ends before the first whole vector shows") {
    const Lookup with_a_head = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = lookup(table, ids, out);
        const bool has_vector =
            reinterpret_cast<std::uintptr_t>(out.data) % 16 == 0 || out.rows * out.cols > 3;
        if (status == Status{} && !has_vector && out.rows * out.cols > 0) out(0, 0) += 1;
        return status;
    };
    CHECK(finding(with_a_head, Circumstance::history).context.find("views elsewhere") != std::string::npos);
}

TEST_CASE("what is kept of a table as large, but of another shape, shows") {
    const Lookup keeps = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        static std::map<std::size_t, std::size_t> columns; // by the number of elements
        const std::size_t cols = columns.emplace(table.rows * table.cols, table.cols).first->second;
        const Status status = lookup(table, ids, out);
        if (status == Status{} && cols != table.cols && table.rows * table.cols > 1 &&
            out.rows * out.cols > 0)
            out(0, 0) = 77;
        return status;
    };
    CHECK(finding(keeps, Circumstance::history).context.find("table: 3 x 6") != std::string::npos);
}

TEST_CASE("an alignment that is asked of every view but one shows") {
    const Lookup wide = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const auto aligned = [](const float* data) {
            return reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
        };
        const Status status = lookup(table, ids, out);
        if (status == Status{} && out.rows > 30 && aligned(table.data) && !aligned(out.data))
            out(0, 0) = std::nextafter(out(0, 0), 9.0F);
        return status;
    };
    CHECK(finding(wide, Circumstance::history).context.find("views elsewhere") != std::string::npos);
}

TEST_CASE("an alignment that is asked of all addresses together shows") {
    const Lookup wide = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const auto place = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16; };
        const Status status = lookup(table, ids, out);
        const std::size_t all = place(table.data) ^ place(ids.data()) ^ place(out.data);
        if (status == Status{} && out.rows > 30 && all == 0 &&
            place(out.data) != 0) // as a vector would not be
            out(0, 0) = std::nextafter(out(0, 0), 9.0F);
        return status;
    };
    CHECK(finding(wide, Circumstance::history).context.find("views elsewhere") != std::string::npos);
}

TEST_CASE("ids that are not checked again show where the table has fewer rows") {
    static std::vector<contract::TokenId> checked;
    const Lookup remembers = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status.code == Code::id_out_of_range && std::ranges::equal(ids, checked)) return Status{};
        if (status == Status{}) checked.assign(ids.begin(), ids.end());
        return lookup(table, ids, out);
    };
    CHECK(finding(remembers, Circumstance::history).context.find("with the ids of the call before") !=
          std::string::npos);
}

TEST_CASE("a table remembered by its address shows when its content changes in place") {
    static const float* known = nullptr;
    static std::vector<float> remembered;
    known = nullptr;
    const Lookup caching = [](Matrix<const float> table, Ids ids, Matrix<float> out) {
        const Status status = refusal(table, ids, out);
        if (status != Status{}) return status;
        if (known != table.data || remembered.size() != table.rows * table.cols) {
            known = table.data;
            remembered.clear();
            for (std::size_t r = 0; r < table.rows; ++r)
                remembered.insert(remembered.end(), table.row(r), table.row(r) + table.cols);
        }
        return lookup({remembered.data(), table.rows, table.cols}, ids, out);
    };
    CHECK(finding(caching, Circumstance::history).context.find("equal but for `table`") != std::string::npos);
}

TEST_CASE("a number that is kept under a name that others share shows") {
    using Mix = std::uint64_t (*)(std::uint64_t, std::uint64_t);
    static std::uint64_t name, kept;
    name = kept = 0;
    const Mix right = [](std::uint64_t seed, std::uint64_t index) { return 31 * seed + index / 16; };
    const Mix sharing = [](std::uint64_t seed, std::uint64_t index) {
        if (const std::uint64_t mine = seed ^ index / 16; mine != name)
            name = mine, kept = 31 * seed + index / 16;
        return kept;
    };
    for (const Mix subject : {right, sharing}) {
        Recorder::current().begin_case("a case");
        Adverse("mix", subject, right, {}, any_number_64("seed"), any_number_64("index")).history();
        CHECK(Recorder::current().end_case().empty() == (subject == right));
    }
}

namespace {

struct Options {
    float p = 0;
    bool train = true;
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
};

std::uint64_t mask(const Options& options) {
    return 31 * options.seed + 7 * options.offset;
}

} // namespace

TEST_CASE("a mask that is kept under a number made of seed and offset shows, whichever it is") {
    using Mask = std::uint64_t (*)(Options);
    static std::map<std::uint64_t, std::uint64_t> kept;
    const auto right = [](Options options) { return mask(options); };
    const auto by_sum = [](Options options) {
        return kept.try_emplace(options.seed + options.offset, mask(options)).first->second;
    };
    const auto by_xor = [](Options options) {
        return kept.try_emplace(options.seed ^ options.offset, mask(options)).first->second;
    };
    const auto by_both = [](Options options) {
        return kept.try_emplace(mask(options), mask(options)).first->second;
    };
    for (const auto& [subject, is_right] :
         {std::pair<Mask, bool>{right, true}, {by_sum, false}, {by_xor, false}, {by_both, true}}) {
        kept.clear();
        Recorder::current().begin_case("a case");
        Adverse("mask", subject, Mask(right), {}, dropout_options<Options>("dropout", false)).history();
        CHECK(Recorder::current().end_case().empty() == is_right);
    }
}
