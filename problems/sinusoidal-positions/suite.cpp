#include "harness/suite.h"
#include "harness/adversity/adverse.h"
#include "harness/recorder.h"
#include "subject/proxies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

// T: positions (rows), C: channels (columns), p: position
// The contract allows an error of 1e-6 an element; every other bound here is what follows from that for the
// quantity compared. A float phase is off by 6.6e-5 at position 1,023 and by 8.7e-3 at 131,071, a double one
// by 3e-8, which is the rounding of the result.

using namespace contract;
using namespace harness;

namespace {

constexpr double accuracy = 1e-6;
constexpr Tolerance exact_to_a_millionth{.abs = accuracy, .rel = 0};
constexpr Tolerance two_results_apart{.abs = 2 * accuracy, .rel = 0};

Grid<float> table(std::size_t positions, std::size_t channels, double base = 10000) {
    Grid<float> pe(positions, channels);
    subject::sinusoidal(pe, base);
    return pe;
}

/// One streamed row, as a matrix of one row.
Grid<float> streamed(std::size_t position, std::size_t channels, double base = 10000) {
    Grid<float> row(1, channels);
    subject::sinusoidal_row(position, base, row.row(0));
    return row;
}

/// Rows that are turned from others leave the range in one place of a million.
void expect_in_range(const Grid<float>& got) {
    bool in_range = true;
    for (std::size_t p = 0; p < got.rows(); ++p)
        in_range = in_range && std::ranges::all_of(got.row(p), [](float v) { return std::abs(v) <= 1; });
    expect_true("every value lies in [-1, 1]", in_range, "values lie outside [-1, 1]");
}

/// The table that the reference makes, without sine, cosine and power for each element: each row is the one
/// before, turned by the frequencies, and every 64 rows they are taken anew, so that the error stays below
/// 64 * 2^-52.
Grid<float> wanted(std::size_t positions, std::size_t channels, double base) {
    const std::size_t pairs = (channels + 1) / 2;
    std::vector<double> frequency(pairs), turn_sine(pairs), turn_cosine(pairs), sine(pairs), cosine(pairs);
    for (std::size_t i = 0; i < pairs; ++i) {
        frequency[i] = 1 / std::pow(base, static_cast<double>(2 * i) / static_cast<double>(channels));
        turn_sine[i] = std::sin(frequency[i]);
        turn_cosine[i] = std::cos(frequency[i]);
    }
    Grid<float> pe(positions, channels);
    for (std::size_t p = 0; p < positions; ++p)
        for (std::size_t i = 0; i < pairs; ++i) {
            const double s = sine[i], k = cosine[i];
            const double phase = static_cast<double>(p) * frequency[i];
            sine[i] = p % 64 == 0 ? std::sin(phase) : s * turn_cosine[i] + k * turn_sine[i];
            cosine[i] = p % 64 == 0 ? std::cos(phase) : k * turn_cosine[i] - s * turn_sine[i];
            pe(p, 2 * i) = static_cast<float>(sine[i]);
            if (2 * i + 1 < channels) pe(p, 2 * i + 1) = static_cast<float>(cosine[i]);
        }
    return pe;
}

void expect_accurate(const char* what, const Grid<float>& got, double base = 10000) {
    const Grid<float> want = wanted(got.rows(), got.cols(), base);
    expect_close(what, got, want, exact_to_a_millionth);
    expect_in_range(got);
}

void expect_accurate_row(std::size_t position, std::size_t channels, double base = 10000) {
    const auto got = streamed(position, channels, base);
    Grid<float> want(1, channels);
    reference::sinusoidal_row(position, base, want.row(0));
    expect_close("streamed row", got, want, exact_to_a_millionth);
    expect_in_range(got);
}

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += static_cast<double>(a[c]) * b[c];
    return sum;
}

/// Positions for one turn of the pair of columns (column, column + 1), measured from one row.
double wavelength(std::span<const float> row, std::size_t position, std::size_t column) {
    return 2 * std::numbers::pi * static_cast<double>(position) / std::atan2(row[column], row[column + 1]);
}

/// The rounding of the expected value to float is no fault of the submission.
constexpr double allowed = accuracy + 0x1p-25;

Parameter<double> base_of(const char* name) {
    return value<double>(
        name,
        [](const Extents&, Random&) {
            return Named<double>{"10000", 10'000};
        },
        [](const Extents&) {
            return std::vector<Named<double>>{{"the smallest number above 1", 1 + 0x1p-52},
                                              {"1.5", 1.5},
                                              {"2", 2},
                                              {"500000", 500'000},
                                              {"2^32 + 1", 0x1p32 + 1},
                                              {"1e300", 1e300},
                                              {"the largest number", std::numeric_limits<double>::max()}};
        });
}

/// A program may make hundreds of sines for each column before it begins with the rows; a call has one
/// second.
constexpr std::size_t most_columns = (std::size_t{1} << 19) + 21;

auto adverse_table() {
    return Adverse("sinusoidal", subject::sinusoidal, &reference::sinusoidal,
                   {{.name = "T", .ordinary = 5, .limit = 131'073},
                    {.name = "C", .ordinary = 6, .limit = most_columns}},
                   matrix_out("pe", "T", "C", Checked::nothing), base_of("base"))
        .bounds("pe", [](const auto& pe, double) {
            std::vector<double> bounds(pe.rows * pe.cols, allowed);
            std::fill_n(bounds.begin(), std::min(pe.cols, bounds.size()), 0.0); // row 0 is exact
            return bounds;
        });
}

auto adverse_row() {
    const auto position = value<std::size_t>(
        "position",
        [](const Extents&, Random& random) {
            const std::size_t p = random.size(1, 1'024);
            return Named<std::size_t>{std::to_string(p), p};
        },
        [](const Extents&) {
            std::vector<Named<std::size_t>> list;
            for (const std::size_t p :
                 {0, 1, 2, 4'095, 4'096, 4'097, 65'535, 65'536, 65'537, 131'071, 131'072})
                list.push_back({std::to_string(p), p});
            return list;
        });
    return Adverse("sinusoidal_row", subject::sinusoidal_row, &reference::sinusoidal_row,
                   {{.name = "C", .ordinary = 6}}, position, base_of("base"),
                   span_out("row", "C", Checked::nothing))
        .bounds("row", [](std::size_t position, double, const auto& row) {
            return std::vector<double>(row.size(), position == 0 ? 0.0 : allowed);
        });
}

} // namespace

TEST_CASE("row zero is zero one zero one exactly") {
    for (const std::size_t channels : {1, 2, 7, 8, 768}) {
        Grid<float> want(1, channels);
        for (std::size_t c = 0; c < channels; ++c)
            want(0, c) = c % 2 == 0 ? 0.0f : 1.0f;
        expect_identical("first row of the table", table(2, channels).row(0), want.row(0));
        expect_identical("streamed row, position 0", streamed(0, channels), want);
    }
}

TEST_CASE("eight columns at positions one to three") {
    const Grid<double> want(3, 8, {0.8414709848, 0.5403023059,  0.0998334166, 0.9950041653, //
                                   0.0099998333, 0.9999500004,  0.0009999998, 0.9999995000, //
                                   0.9092974268, -0.4161468365, 0.1986693308, 0.9800665778, //
                                   0.0199986667, 0.9998000067,  0.0019999987, 0.9999980000, //
                                   0.1411200081, -0.9899924966, 0.2955202067, 0.9553364891, //
                                   0.0299955002, 0.9995500337,  0.0029999955, 0.9999955000});
    const auto pe = table(4, 8);
    for (std::size_t p = 1; p <= 3; ++p) {
        expect_close("row of the table", pe.row(p), want.row(p - 1), exact_to_a_millionth);
        expect_close("streamed row", streamed(p, 8).row(0), want.row(p - 1), exact_to_a_millionth);
    }
}

TEST_CASE("an odd width ends with a sine") {
    const Grid<double> want(3, 7,
                            {0,
                             1,
                             0,
                             1,
                             0,
                             1,
                             0, //
                             0.8414709848,
                             0.5403023059,
                             0.0719064568,
                             0.9974113803,
                             0.0051794515,
                             0.9999865866,
                             0.0003727594, //
                             0.9092974268,
                             -0.4161468365,
                             0.1434406367,
                             0.9896589229,
                             0.0103587641,
                             0.9999463466,
                             0.0007455187});
    expect_close("table of seven columns", table(3, 7), want, exact_to_a_millionth);
    const Grid<double> sines(3, 1, {0, 0.8414709848, 0.9092974268});
    expect_close("table of one column", table(3, 1), sines, exact_to_a_millionth);
    for (const std::size_t channels : {1, 3, 7})
        expect_accurate_row(2, channels);
}

TEST_CASE("sine and cosine of a pair lie on the unit circle") {
    const auto pe = table(100, 64);
    for (std::size_t p = 0; p < pe.rows(); ++p)
        for (std::size_t c = 0; c < pe.cols(); c += 2) {
            const double s = pe(p, c), k = pe(p, c + 1);
            expect_true("no value leaves [-1, 1]", std::fabs(s) <= 1 && std::fabs(k) <= 1,
                        "values lie outside [-1, 1]");
            // 2 s ds + 2 k dk with |ds|, |dk| <= 1e-6 is at most sqrt(8) * 1e-6.
            if (!expect_near("sin^2 + cos^2", s * s + k * k, 1, std::sqrt(8.0) * accuracy)) return;
        }
}

TEST_CASE("early columns turn fast and late columns slowly") {
    const auto pe = table(11, 16);
    double before = 100;
    for (std::size_t c = 0; c < 16; c += 2) {
        double way = 0;
        for (std::size_t p = 0; p < 10; ++p)
            way += std::fabs(static_cast<double>(pe(p + 1, c)) - pe(p, c));
        expect_true("over ten positions each sine moves less than the sine before it", way < before);
        before = way;
    }
    // From the formula: sin(10 w) for w = 10000^(-14/16), which has not reached its first maximum.
    expect_near("way of the last sine over ten positions", before, 0.0031622724, 20 * accuracy);
}

TEST_CASE("a streamed row equals the row of the table") {
    const auto pe = table(1024, 64);
    for (const std::size_t p : {0, 1, 2, 63, 64, 511, 512, 1000, 1023})
        expect_close("streamed row", streamed(p, 64).row(0), pe.row(p), two_results_apart);
    const auto shorter = table(600, 64);
    bool prefix = true;
    for (std::size_t p = 0; p < 600; ++p)
        for (std::size_t c = 0; c < 64; ++c)
            prefix = prefix && std::fabs(static_cast<double>(shorter(p, c)) - pe(p, c)) <= 2 * accuracy;
    expect_true("a table of 600 positions is the beginning of one of 1,024", prefix,
                "a table does not begin as a longer one does");

    // Position after position is what a decoder asks for, and it may go back.
    std::vector<Grid<float>> rows;
    for (std::size_t p = 0; p < 40; ++p)
        rows.push_back(streamed(p, 12));
    for (std::size_t p = rows.size(); p-- > 0;)
        expect_identical("a row streamed again, after the one behind it", streamed(p, 12), rows[p]);
}

TEST_CASE("a thousand positions are accurate to a millionth") {
    expect_accurate("pe", table(1024, 64));
}

TEST_CASE("neither padding nor what the table held before matters") {
    Random random = harness::random();
    const std::size_t rows = random.size(3, 9), cols = 2 * random.size(3, 8),
                      stride = cols + random.size(1, 5);
    Grid<float> pe(rows, cols, stride);
    pe.fill(-77.0f);
    subject::sinusoidal(pe, 10000);
    expect_accurate("pe with padded rows", pe);
    bool untouched = true;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = cols; c < stride; ++c)
            untouched = untouched && pe.cells()[r * stride + c] == -77.0f;
    expect_true("what lies between cols and stride stays untouched", untouched);

    const auto first = pe;
    subject::sinusoidal(pe, 10000);
    expect_identical("pe written a second time", pe, first);

    Grid<float> no_positions(0, 8), no_channels(3, 0), no_row(1, 0);
    subject::sinusoidal(no_positions, 10000);
    subject::sinusoidal(no_channels, 10000);
    subject::sinusoidal_row(5, 10000, no_row.row(0));
}

TEST_CASE("another base gives other wavelengths") {
    const Grid<double> want(3, 4,
                            {0, 1, 0, 1,                                             //
                             0.8414709848, 0.5403023059, 0.0998334166, 0.9950041653, //
                             0.9092974268, -0.4161468365, 0.1986693308, 0.9800665778});
    expect_close("table, base 100", table(3, 4, 100), want, exact_to_a_millionth);
    for (const double base : {2.0, 500'000.0}) {
        expect_accurate("pe", table(20, 16, base), base);
        expect_accurate_row(19, 16, base);
    }
    // One after the other, bases that hardly differ: what was computed for one is wrong for the next.
    for (const double base : {10'000.0, 10'000.01, 10'000.02, 10'001.0, 9'999.5}) {
        INFO("base = ", base, " after others close to it");
        expect_accurate("pe", table(1'001, 16, base), base);
        expect_accurate_row(131'072, 16, base);
    }
    for (const double base : {10'000.0, 10'000.0001, 10'000.0002, 1.0000002, 1.0000009, 1.0000005}) {
        expect_accurate("pe", table(17, 16, base), base);
        expect_accurate_row(131'072, 16, base);
        expect_accurate("pe", table(50'001, 16, base), base);
    }
}

TEST_CASE("position 131072 is as accurate as position one") {
    const auto row = streamed(131'072, 768);
    expect_near("sin(131072)", row(0, 0), -0.9991137890, accuracy);
    expect_near("cos(131072)", row(0, 1), 0.0420908152, accuracy);
    expect_near("column, number 2 at position 131072", row(0, 2), 0.7751720701, accuracy);
    expect_near("column, number 400 at position 131072", row(0, 400), 0.9191435879, accuracy);
    expect_near("column, number 767 at position 131072", row(0, 767), 0.6531877401, accuracy);
    for (const std::size_t position : {65'535, 65'536, 99'999, 131'071, 131'072})
        expect_accurate_row(position, 768);
}

TEST_CASE("moving by k positions is one rotation") {
    Random random = harness::random();
    for (int draw = 0; draw < 8; ++draw) {
        const std::size_t p = random.size(66'000, 120'000), k = random.size(1, 5'000);
        const auto from = streamed(p, 32), to = streamed(p + k, 32);
        expect_true("row p holds numbers", std::none_of(from.cells().begin(), from.cells().end(),
                                                        [](float x) { return std::isnan(x); }));
        Grid<double> want(1, 32);
        for (std::size_t c = 0; c < 32; c += 2) {
            const double angle = static_cast<double>(k) / std::pow(10000.0, static_cast<double>(c) / 32.0);
            const double s = from(0, c), co = from(0, c + 1);
            want(0, c) = s * std::cos(angle) + co * std::sin(angle);
            want(0, c + 1) = co * std::cos(angle) - s * std::sin(angle);
        }
        // An error of 1e-6 in both coordinates grows to at most sqrt(2) * 1e-6 in one of the rotated pair.
        expect_close("row p + k against row p, rotated", to, want,
                     {.abs = (1 + std::sqrt(2.0)) * accuracy, .rel = 0});
    }
}

TEST_CASE("the dot product of two rows depends only on their distance") {
    struct Distance {
        std::size_t k;
        double want; // sum of cos(k / 10000^(2i / 768)) over the 384 pairs
    };
    for (const std::size_t p : {0, 100, 1'000, 50'000}) {
        const auto from = streamed(p, 768);
        for (const Distance& it : {Distance{0, 384.0}, Distance{1, 373.770173}, Distance{2, 347.959012},
                                   Distance{10, 261.130741}, Distance{100, 167.765400}}) {
            const auto to = streamed(p + it.k, 768);
            // 768 products, each off by at most 1e-6 times the sum of two values of at most 1.
            expect_near("dot product of rows p and p + k", dot(from.cells(), to.cells()), it.want,
                        2 * 768 * accuracy);
        }
    }
}

TEST_CASE("the slowest wave of 768 columns is 61343 positions long") {
    const auto row = streamed(10'000, 768);
    // An error of 1e-6 in sine and cosine turns the angle of 1.0243 by at most sqrt(2) * 1e-6: 0.085
    // positions.
    expect_near("slowest wavelength", wavelength(row.cells(), 10'000, 766), 61342.744, 0.085);
    const auto one = streamed(1, 768);
    expect_near("fastest wavelength", wavelength(one.cells(), 1, 0), 2 * std::numbers::pi, 1e-5);
    const auto ten = streamed(10, 768);
    expect_near("wavelength in the middle", wavelength(ten.cells(), 10, 384), 200 * std::numbers::pi, 0.01);
}

TEST_CASE("random shapes agree with the reference") {
    for_random_sizes(12, {{"T", 300, 500}, {"C", 1, 40}, {"padding", 1, 4}},
                     [](const Sizes& size, Random& random) {
                         for (const std::size_t channels : {size["C"], size["C"] + 1}) { // one of them is odd
                             const double base = random.uniform(2, 20'000);
                             Grid<float> pe(size["T"], channels, channels + size["padding"]);
                             pe.fill(-77.0f);
                             subject::sinusoidal(pe, base);
                             expect_accurate("pe", pe, base);
                             bool untouched = true;
                             for (std::size_t r = 0; r < pe.rows(); ++r)
                                 for (std::size_t c = channels; c < pe.stride(); ++c)
                                     untouched = untouched && pe.cells()[r * pe.stride() + c] == -77.0f;
                             expect_true("what lies between cols and stride stays untouched", untouched);
                             expect_accurate_row(random.size(65'537, 131'072), channels, base);
                         }
                     });
}

TEST_CASE("tables of every size, with gaps between rows") {
    for (const auto& [T, C] : {std::pair{16'384, 64}, {1'024, 768}, {1'024, 130}})
        expect_in_range(table(T, C));
    adverse_table().also({{{"T", 131'073}, {"C", 2}}, {{"T", 40'961}, {"C", 16}}}).sizes();
    adverse_table().gaps();
}

TEST_CASE("tables with empty axes, special bases and after other calls") {
    adverse_table().empty_axes();
    adverse_table().special_cases();
    adverse_table().history();
    adverse_table().after(adverse_row());
}

TEST_CASE("streamed rows of every width and position") {
    for (std::size_t position = 1; position <= 131'072 && !Recorder::current().failed();
         position += by_depth(131, 29))
        expect_accurate_row(position, 64);
    // A row once after thousands that came before it, and once on its own.
    constexpr std::size_t from = 60'000, apart = 100;
    const std::size_t rows = by_depth(2'000, 8'000);
    std::vector<Grid<float>> after_others;
    for (std::size_t i = 0; i < rows; ++i) {
        Grid<float> row = streamed(from + i, 64);
        if (i % apart == 0) after_others.push_back(std::move(row));
    }
    for (std::size_t i = after_others.size(); i-- > 0;)
        expect_identical("a row streamed again, on its own", streamed(from + apart * i, 64), after_others[i]);
    adverse_row().sizes();
    adverse_row().empty_axes();
    adverse_row().special_cases();
    adverse_row().history();
    adverse_row().after(adverse_table());
}

TEST_CASE("large tables, and one beyond element 2^32" * large) {
    expect_accurate("pe", table(11'019, 768));
    // Half, a quarter and an eighth of the columns are an odd number of them.
    for (const std::size_t channels : {1'002, 1'004, 1'000})
        expect_accurate("pe", table(4'211, channels));
    // From one frequency to the next by a product, so many roundings add up.
    for (const double base : {1.023, 1.048}) // of which the first step is rounded by almost half a unit
        expect_accurate_row(131'072, 600'001, base);
    adverse_table().far();
}
