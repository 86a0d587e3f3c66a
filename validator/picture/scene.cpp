#include "picture/scene.h"

#include "picture/project.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace picture {
namespace {

constexpr std::size_t max_figures = 16;
constexpr std::size_t max_charts = 12; ///< of a figure
constexpr std::size_t max_text = 400;  ///< bytes of a title or a sentence
constexpr std::size_t max_label = 40;
constexpr std::size_t max_says = 8;
constexpr std::size_t max_values = 1 << 18; ///< of all charts

struct Unreadable {
    std::string why;
};

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

std::string_view take_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
}

std::string text_of(std::string_view text) {
    if (text.size() > max_text) throw Unreadable{fmt::format("a text has more than {} bytes", max_text)};
    return std::string(text);
}

template <class T>
T number(std::string_view word) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || word.empty())
        throw Unreadable{fmt::format("\"{}\" is no number that belongs there", word.substr(0, max_label))};
    return value;
}

/// A chart as it is announced, until all its values are there.
struct Pending {
    std::string kind;
    std::string name;
    Numbers numbers;
    std::vector<std::string> labels;
    double low = 0;
    double high = 1;

    bool complete() const { return numbers.values.size() == numbers.rows * numbers.cols; }
};

std::vector<double> row_of(const Numbers& numbers, std::size_t r) {
    const auto first = numbers.values.begin() + static_cast<std::ptrdiff_t>(r * numbers.cols);
    return {first, first + static_cast<std::ptrdiff_t>(numbers.cols)};
}

/// One kind of chart: the largest matrix that makes one, and how it is made.
struct Kind {
    std::string_view name;
    std::size_t max_rows;
    std::size_t max_cols;
    void (*add)(Pending&& pending, Figure& figure);
};

void add_heat(Pending&& pending, Figure& figure) {
    figure.charts.emplace_back(Heat{.name = std::move(pending.name),
                                    .numbers = std::move(pending.numbers),
                                    .blank = {},
                                    .rows = std::move(pending.labels)});
}

void add_lines(Pending&& pending, Figure& figure) {
    figure.charts.emplace_back(
        Lines{std::move(pending.name), std::move(pending.numbers), std::move(pending.labels)});
}

void add_histogram(Pending&& pending, Figure& figure) {
    if (!std::isfinite(pending.low) || !std::isfinite(pending.high) || !(pending.low < pending.high) ||
        pending.numbers.rows == 0)
        throw Unreadable{"the histogram \"" + pending.name + "\" has no range"};
    for (const double value : pending.numbers.values)
        if (!(value >= 0) || std::isinf(value))
            throw Unreadable{"the histogram \"" + pending.name + "\" has a count of " +
                             std::to_string(value)};
    figure.charts.emplace_back(
        Histogram{std::move(pending.name), pending.low, pending.high, row_of(pending.numbers, 0),
                  pending.numbers.rows > 1 ? row_of(pending.numbers, 1) : std::vector<double>{}});
}

void add_map(Pending&& pending, Figure& figure) {
    const Numbers vectors = std::move(pending.numbers);
    if (const std::string why = not_to_be_mapped(vectors); !why.empty()) {
        figure.says.push_back(pending.name + " has no map: " + why);
        return;
    }
    figure.charts.emplace_back(pca(pending.name, vectors, pending.labels));
    if (vectors.rows >= min_tsne) figure.charts.emplace_back(tsne(pending.name, vectors, pending.labels));
}

void add_neighbours(Pending&& pending, Figure& figure) {
    figure.charts.emplace_back(neighbours(pending.name, pending.numbers, pending.labels));
}

constexpr std::array<Kind, 5> kinds{{
    {"heat", 128, 128, add_heat},
    {"lines", 8, 2000, add_lines},
    {"histogram", 2, 200, add_histogram},
    {"map", 2000, 128, add_map},
    {"neighbours", 64, 1024, add_neighbours},
}};

const Kind& kind_of(std::string_view name) {
    for (const Kind& kind : kinds)
        if (kind.name == name) return kind;
    throw Unreadable{fmt::format("there is no chart of the kind \"{}\"", name.substr(0, max_label))};
}

class Reader {
  public:
    Picture read(std::string_view output) {
        std::size_t line = 0;
        try {
            while (!output.empty()) {
                ++line;
                const std::string_view text = take_line(output);
                if (text.starts_with("@ ")) read_line(text.substr(2));
            }
            finish();
            if (!ended_) picture_.remarks.emplace_back("The program ended before the picture was whole.");
        } catch (const Unreadable& unreadable) {
            picture_.remarks.push_back(
                fmt::format("What came back cannot be drawn from line {} on: {}.", line, unreadable.why));
        }
        std::erase_if(picture_.figures,
                      [](const Figure& figure) { return figure.charts.empty() && figure.says.empty(); });
        return std::move(picture_);
    }

  private:
    void read_line(std::string_view line) {
        const std::string_view word = take_word(line);
        if (word == "progress") return; // told while the scene ran
        if (word == "values") return add_values(line);
        if (word == "labels") return add_labels(line);
        if (word == "range") {
            pending_chart().low = number<double>(take_word(line));
            pending_chart().high = number<double>(take_word(line));
            return;
        }
        finish();
        if (word == "title")
            picture_.title = text_of(line);
        else if (word == "remark")
            remark(line);
        else if (word == "figure")
            begin_figure(line);
        else if (word == "says")
            says(line);
        else if (word == "rows")
            figure().rows = text_of(line);
        else if (word == "cols")
            figure().cols = text_of(line);
        else if (word == "chart")
            begin_chart(line);
        else if (word == "end")
            ended_ = true;
        else
            throw Unreadable{fmt::format("there is nothing called \"{}\"", word.substr(0, max_label))};
    }

    Figure& figure() {
        if (picture_.figures.empty()) throw Unreadable{"no figure has begun"};
        return picture_.figures.back();
    }

    Pending& pending_chart() {
        if (!pending_) throw Unreadable{"no chart has begun"};
        return *pending_;
    }

    void begin_figure(std::string_view title) {
        if (picture_.figures.size() == max_figures)
            throw Unreadable{fmt::format("there are more than {} figures", max_figures)};
        picture_.figures.push_back({.title = text_of(title)});
    }

    void says(std::string_view sentence) {
        if (figure().says.size() == max_says)
            throw Unreadable{fmt::format("a figure says more than {} things", max_says)};
        figure().says.push_back(text_of(sentence));
    }

    void remark(std::string_view sentence) {
        if (picture_.remarks.size() == max_says) throw Unreadable{"there are too many remarks"};
        picture_.remarks.push_back(text_of(sentence));
    }

    void begin_chart(std::string_view line) {
        if (figure().charts.size() >= max_charts)
            throw Unreadable{fmt::format("a figure has more than {} charts", max_charts)};
        const Kind& kind = kind_of(take_word(line));
        Pending pending;
        pending.kind = kind.name;
        pending.numbers.rows = number<std::size_t>(take_word(line));
        pending.numbers.cols = number<std::size_t>(take_word(line));
        pending.name = text_of(line);
        if (pending.numbers.rows > kind.max_rows || pending.numbers.cols > kind.max_cols)
            throw Unreadable{fmt::format("\"{}\" has {} x {} values, and {} x {} can be drawn", pending.name,
                                         pending.numbers.rows, pending.numbers.cols, kind.max_rows,
                                         kind.max_cols)};
        values_ += pending.numbers.rows * pending.numbers.cols;
        if (values_ > max_values) throw Unreadable{fmt::format("there are more than {} values", max_values)};
        pending_ = std::move(pending);
    }

    void add_values(std::string_view line) {
        Numbers& numbers = pending_chart().numbers;
        while (line.find_first_not_of(' ') != std::string_view::npos) {
            if (pending_->complete()) throw Unreadable{"\"" + pending_->name + "\" has too many values"};
            numbers.values.push_back(number<double>(take_word(line)));
        }
    }

    void add_labels(std::string_view line) {
        std::vector<std::string>& labels = pending_chart().labels;
        while (!line.empty()) {
            const std::string_view label = line.substr(0, std::min(line.find('|'), line.size()));
            line.remove_prefix(std::min(label.size() + 1, line.size()));
            if (label.size() > max_label)
                throw Unreadable{fmt::format("a label has more than {} bytes", max_label)};
            if (labels.size() == pending_->numbers.rows) throw Unreadable{"there are more labels than rows"};
            labels.emplace_back(label);
        }
    }

    void finish() {
        if (!pending_) return;
        Pending pending = std::move(*pending_);
        pending_.reset();
        if (!pending.complete())
            throw Unreadable{fmt::format("\"{}\" should have {} values, and has {}", pending.name,
                                         pending.numbers.rows * pending.numbers.cols,
                                         pending.numbers.values.size())};
        if (!pending.labels.empty() && pending.labels.size() != pending.numbers.rows)
            throw Unreadable{"\"" + pending.name + "\" has fewer labels than rows"};
        const Kind& kind = kind_of(pending.kind);
        kind.add(std::move(pending), figure());
    }

    Picture picture_;
    std::optional<Pending> pending_;
    std::size_t values_ = 0;
    bool ended_ = false;
};

} // namespace

Picture read_scene(std::string_view output) {
    return Reader().read(output);
}

} // namespace picture
