#include "app/asking/session.h"

#include "questions/ask.h"
#include "questions/letters.h"
#include "questions/marking.h"
#include "text/clean.h"
#include "text/width.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace asking {
namespace {

using model::Standing;

constexpr std::size_t max_line = 8 * 1024;
constexpr const char* help =
    "*Enter answers · Tab skips · Shift-Tab goes back · Ctrl-D leaves, to continue later*\n";
constexpr const char* plain_help =
    "Enter answers. Tab skips. Shift-Tab goes back. Ctrl-D leaves, to continue later.\n";
constexpr const char* choosing = "*Letters, numbers or the arrow keys choose.*\n";
constexpr const char* lines = "*Ctrl-J begins a new line.*\n";

bool is_choice(const model::Question& question) {
    return question.kind == model::QuestionKind::multiple_choice;
}

bool has_lines(const model::Question& question) {
    return question.kind == model::QuestionKind::predict_output ||
           question.kind == model::QuestionKind::short_text;
}

/// The numbers of key points in "1 3" or "1, 3".
std::optional<std::vector<std::size_t>> numbers(std::string_view text, std::size_t most) {
    std::vector<std::size_t> all;
    for (std::size_t at = 0; at < text.size();) {
        if (std::string_view(" ,.").find(text[at]) != std::string_view::npos) {
            ++at;
            continue;
        }
        std::size_t number = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        if (error != std::errc() || number < 1 || number > most) return std::nullopt;
        at = static_cast<std::size_t>(end - text.data());
        if (std::ranges::find(all, number) == all.end()) all.push_back(number);
    }
    return all;
}

/// The first character that begins at `at` or after it.
std::size_t character_at(std::string_view text, std::size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
        ++at;
    return at;
}

/// Takes the columns of a text off the line that it ends.
std::string erased(const std::string& shown) {
    std::string text;
    for (int column = text::columns(text::printable(shown)); column > 0; --column)
        text += "\b \b";
    return text;
}

} // namespace

Session::Session(std::vector<model::Question> drawn, model::Justification standing, terminal::Style style,
                 Keep keep)
    : drawn_(std::move(drawn)), standing_(std::move(standing)), style_(style), keep_(std::move(keep)) {}

bool Session::done(std::size_t index) const {
    const Standing standing = standing_.questions[index].standing;
    return standing == Standing::right || standing == Standing::written;
}

std::string Session::markdown(const std::string& text) const {
    return terminal::render_markdown(text, style_);
}

std::string Session::begin() {
    for (at_ = 0; at_ < drawn_.size(); ++at_)
        if (!done(at_)) return show();
    phase_ = Phase::over;
    return {};
}

std::string Session::show() {
    phase_ = Phase::answering;
    line_.clear();
    std::string text = questions::as_markdown(question(), at_ + 1, drawn_.size());
    if (is_choice(question()) && !helped_) text += "\n" + std::string(choosing);
    if (has_lines(question())) text += "\n" + std::string(lines);
    if (!std::exchange(helped_, true)) text += "\n" + std::string(style_.plain ? plain_help : help);
    return "\n" + markdown(text) + "\n" + prompt();
}

/// One line that is drawn anew with each key; of a long answer its end is shown. A screen reader would read
/// all of it each time, so there it is written once, and what is typed follows it.
std::string Session::prompt() const {
    const std::string sign = phase_ == Phase::comparing ? "Numbers: " : "Answer: ";
    if (style_.plain) return "\n" + sign + text::printable(line_);
    const int left = std::max(style_.width, 20) - static_cast<int>(sign.size()) - 4;
    // Only the end is looked at, so that a long answer costs each key no more than a short one.
    constexpr std::size_t bytes_a_column = 4;
    const std::size_t enough = static_cast<std::size_t>(left) * bytes_a_column;
    const std::size_t begin = line_.size() > enough ? character_at(line_, line_.size() - enough) : 0;
    std::string shown = text::printable(std::string_view(line_).substr(begin));
    std::size_t cut = 0;
    while (text::columns(std::string_view(shown).substr(cut)) > left)
        cut = character_at(shown, cut + 1);
    if (begin > 0 || cut > 0) shown.replace(0, cut, style_.unicode ? "…" : "...");
    return "\r\x1b[K" + sign + shown;
}

std::string Session::press(const Key& key) {
    using Kind = Key::Kind;
    if (over()) return {};
    switch (key.kind) {
    case Kind::leave:
    case Kind::interrupt: phase_ = Phase::over; return "\n";
    case Kind::next: return "\n" + go_on();
    case Kind::back: return "\n" + go_back();
    case Kind::enter:
        if (phase_ == Phase::reading) return "\n" + go_on();
        return "\n" + (phase_ == Phase::comparing ? compare() : submit());
    case Kind::up: choose(-1); break;
    case Kind::down: choose(+1); break;
    case Kind::clear: line_.clear(); break;
    case Kind::line:
        if (phase_ == Phase::answering && has_lines(question())) line_ += '\n';
        break;
    case Kind::backspace: {
        std::size_t end = line_.size();
        while (end > 0 && (static_cast<unsigned char>(line_[end - 1]) & 0xc0) == 0x80)
            --end;
        const std::string gone = line_.substr(end > 0 ? end - 1 : 0);
        line_.resize(line_.size() - gone.size());
        if (style_.plain) return phase_ == Phase::reading ? "" : erased(gone);
        break;
    }
    case Kind::text:
        if (line_.size() + key.text.size() > max_line) break;
        line_ += key.text;
        if (style_.plain) return phase_ == Phase::reading ? "" : text::printable(key.text);
        break;
    }
    return phase_ == Phase::reading ? "" : prompt();
}

/// With the arrow keys the letter of a choice changes in place.
void Session::choose(int step) {
    if (phase_ != Phase::answering || !is_choice(question())) return;
    const int count = static_cast<int>(question().options.size());
    const int now = line_.size() == 1 && line_[0] >= 'a' && line_[0] < 'a' + count ? line_[0] - 'a'
                    : step > 0                                                     ? -1
                                                                                   : count;
    line_ = static_cast<char>('a' + (now + step + count) % count);
}

std::string Session::go_on() {
    std::size_t next = at_ + 1;
    while (next < drawn_.size() && done(next))
        ++next;
    if (next >= drawn_.size()) {
        phase_ = Phase::over;
        return {};
    }
    at_ = next;
    return show();
}

std::string Session::go_back() {
    if (at_ > 0) --at_;
    return show();
}

std::string Session::submit() {
    const auto answer = questions::from_letters(question(), line_);
    line_.clear();
    if (!answer) return markdown(questions::how_to_answer(question())) + "\n" + prompt();
    const questions::Mark mark = questions::mark(question(), {*answer, {}});
    if (!mark.standing) return markdown(mark.says) + "\n" + prompt();
    if (*mark.standing == Standing::written) return begin_comparing(*answer);
    keep({*answer, {}}, *mark.standing);
    const std::string says = questions::feedback(question(), mark, standing_.questions[at_].tries);
    if (*mark.standing == Standing::wrong)
        return markdown("**Not right.** " + says + "\n\n*Try again, or skip it with Tab.*\n") + "\n" +
               prompt();
    phase_ = Phase::reading;
    return markdown("**Right.** " + says + "\n\n*Enter continues.*\n");
}

std::string Session::begin_comparing(const std::string& answer) {
    phase_ = Phase::comparing;
    answer_ = answer;
    std::string text = "Compare it with these points:\n\n";
    for (std::size_t i = 0; i < question().key_points.size(); ++i)
        text += std::to_string(i + 1) + ". " + question().key_points[i] + "\n";
    text += "\nOne answer would be: " + question().model_answer +
            "\n\n*Which points does yours make? Their numbers, or Enter for none.*\n";
    return markdown(text) + "\n" + prompt();
}

std::string Session::compare() {
    const auto met = numbers(line_, question().key_points.size());
    line_.clear();
    if (!met)
        return markdown("Numbers from 1 to " + std::to_string(question().key_points.size()) + ", please.\n") +
               "\n" + prompt();
    phase_ = Phase::reading;
    keep({answer_, *met}, Standing::written);
    return markdown("**Kept.** " + question().explanation + "\n\n*Enter continues.*\n");
}

void Session::keep(const model::Answer& answer, Standing standing) {
    model::QuestionStanding& place = standing_.questions[at_];
    place.standing = standing;
    ++place.tries;
    keep_(question(), answer, standing);
}

} // namespace asking
