#include "report/difference.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace report {
namespace {

using model::Sample;

constexpr std::uint64_t fewest_elements = 4;
/// Values that agree up to it are taken for the same by those who look.
constexpr double little = 1e-4;

bool alike(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= little * std::max(std::abs(a), std::abs(b));
}

bool is_right(const Sample& sample, std::size_t i) {
    return sample.got_blank[i] == sample.expected_blank[i] &&
           (sample.got_blank[i] || alike(sample.got[i], sample.expected[i]));
}

/// Whether `expected_at(i)` says for each element of what it knows what came, and that is no coincidence of
/// equal numbers: some of it differs from what should have come.
template <class ExpectedAt>
bool explains(const Sample& sample, ExpectedAt expected_at) {
    bool differs = false;
    std::size_t known = 0;
    for (std::size_t i = 0; i < sample.got.size(); ++i) {
        const std::optional<double> value = expected_at(i);
        if (!value) continue;
        if (sample.got_blank[i] || !alike(sample.got[i], *value)) return false;
        differs = differs || !is_right(sample, i);
        ++known;
    }
    return differs && 2 * known >= sample.got.size();
}

/// Each row, or each element of its row, is the one that belongs `by` further.
std::string shift_of(const Sample& sample) {
    const auto rows = static_cast<std::int64_t>(sample.rows), cols = static_cast<std::int64_t>(sample.cols);
    for (const std::int64_t by : {1, -1, 2, -2, 3, -3}) {
        const auto moved = [&](std::int64_t down, std::int64_t across) {
            return explains(sample, [&](std::size_t i) -> std::optional<double> {
                const std::int64_t r = static_cast<std::int64_t>(i) / cols + down;
                const std::int64_t c = static_cast<std::int64_t>(i) % cols + across;
                if (r < 0 || r >= rows || c < 0 || c >= cols) return std::nullopt;
                return sample.expected[static_cast<std::size_t>(r * cols + c)];
            });
        };
        const auto far = [by](const char* noun) {
            return fmt::format("{} {}{} further", std::abs(by), noun, std::abs(by) == 1 ? "" : "s");
        };
        if (rows > 1 && moved(by, 0))
            return fmt::format("Each row is the one that belongs {} {}", far("row"), by > 0 ? "down" : "up");
        if (cols > 1 && moved(0, by))
            return fmt::format("Each element is the one that belongs {} to the {}", far("column"),
                               by > 0 ? "right" : "left");
    }
    return {};
}

std::string transposed(const Sample& sample) {
    if (sample.rows != sample.cols || sample.rows < 2) return {};
    const bool holds = explains(sample, [&](std::size_t i) -> std::optional<double> {
        return sample.expected[i % sample.cols * sample.cols + i / sample.cols];
    });
    return holds ? "Rows and columns are swapped" : "";
}

/// A factor or a distance that all elements have in common.
std::string arithmetic(const Sample& sample) {
    double factor = NAN, distance = NAN;
    for (std::size_t i = 0; i < sample.got.size() && std::isnan(factor); ++i)
        if (std::isfinite(sample.expected[i]) && sample.expected[i] != 0) {
            factor = sample.got[i] / sample.expected[i];
            distance = sample.got[i] - sample.expected[i];
        }
    if (!std::isfinite(factor)) return {};
    if (explains(sample, [&](std::size_t i) { return std::optional(factor * sample.expected[i]); }))
        return factor == 0 ? "Everything is 0"
                           : fmt::format("Everything is {:.4g} times what it should be", factor);
    if (explains(sample, [&](std::size_t i) { return std::optional(distance + sample.expected[i]); }))
        return fmt::format("Everything is off by {:.4g}", distance);
    return {};
}

/// "row 3", "rows 1, 4 and 5", "every second row", as long as it is short.
std::string places(const std::set<std::uint64_t>& wrong, std::uint64_t all, std::uint64_t first,
                   const std::string& noun) {
    if (wrong.size() == 1) return fmt::format("{} {}", noun, first + *wrong.begin());
    for (const std::uint64_t period : {2U, 3U, 4U, 8U}) {
        std::set<std::uint64_t> regular;
        for (std::uint64_t i = *wrong.begin() % period; i < all; i += period)
            regular.insert(i);
        constexpr std::string_view names[] = {"", "", "second", "third", "fourth", "", "", "", "eighth"};
        if (regular == wrong && regular.size() > 1)
            return fmt::format("every {} {}, from {} on", names[period], noun, first + *wrong.begin());
    }
    const bool run = *wrong.rbegin() - *wrong.begin() + 1 == wrong.size();
    if (run) return fmt::format("{}s {} to {}", noun, first + *wrong.begin(), first + *wrong.rbegin());
    if (wrong.size() > 4) return {};
    std::string text = noun + "s ";
    for (const std::uint64_t each : wrong)
        text += fmt::format("{}{}",
                            each == *wrong.begin()    ? ""
                            : each == *wrong.rbegin() ? " and "
                                                      : ", ",
                            first + each);
    return text;
}

/// Where a pattern lies in whole rows or columns, and what is there.
std::string wrong_lines(const Sample& sample) {
    std::set<std::uint64_t> rows, cols;
    bool blank = true, zero = true;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sample.got.size(); ++i) {
        if (is_right(sample, i)) continue;
        ++wrong;
        rows.insert(i / sample.cols);
        cols.insert(i % sample.cols);
        blank = blank && sample.got_blank[i];
        zero = zero && sample.got[i] == 0;
    }
    if (wrong == 0) return {};
    std::string where;
    if (rows.size() < sample.rows && rows.size() <= cols.size())
        where = places(rows, sample.rows, sample.first_row, "row");
    else if (cols.size() < sample.cols)
        where = places(cols, sample.cols, sample.first_col, "column");
    const std::string what = blank ? "was never written" : zero ? "is 0" : "is wrong";
    if (!where.empty()) return fmt::format("Only this {}: {}", what, where);
    if (wrong == sample.got.size() && (blank || zero)) return "Everything here " + what;
    return {};
}

std::vector<double> differences(const Sample& sample) {
    std::vector<double> values;
    for (std::size_t i = 0; i < sample.got.size(); ++i)
        values.push_back(is_right(sample, i) ? 0 : sample.got[i] - sample.expected[i]);
    return values;
}

} // namespace

std::string pattern_of(const Sample& sample) {
    for (const auto& find : {shift_of, transposed, arithmetic, wrong_lines})
        if (std::string words = find(sample); !words.empty()) return words + ".";
    return {};
}

std::optional<picture::Figure> difference_of(const model::Mismatch& mismatch) {
    if (!mismatch.sample || mismatch.sample->got.size() < fewest_elements) return std::nullopt;
    const Sample& sample = *mismatch.sample;
    const auto map = [&](const char* name, std::vector<double> values, std::vector<bool> blank) {
        return picture::Heat{.name = name,
                             .numbers = {sample.rows, sample.cols, std::move(values)},
                             .blank = std::move(blank),
                             .first_row = sample.first_row,
                             .first_col = sample.first_col};
    };
    picture::Heat difference = map("difference", differences(sample), {});
    for (std::size_t i = 0; i < sample.got.size(); ++i)
        difference.blank.push_back(sample.got_blank[i] && !sample.expected_blank[i]);
    difference.own_scale = true;
    picture::Figure figure;
    figure.title = mismatch.what;
    if (std::string words = pattern_of(sample); !words.empty()) figure.says.push_back(std::move(words));
    figure.charts = {map("expected", sample.expected, sample.expected_blank),
                     map("got", sample.got, sample.got_blank), std::move(difference)};
    return figure;
}

} // namespace report
