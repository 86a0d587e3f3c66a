#include "questions/ask.h"

#include <numeric>
#include <utility>

namespace questions {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): the standard library's distributions differ between machines.
class Stream {
  public:
    explicit Stream(std::uint64_t state) : state_(state) {}

    /// Uniform in [0, bound); the bias of the remainder is below 1e-17 for a handful of options.
    std::size_t below(std::size_t bound) {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return (z ^ (z >> 31)) % bound;
    }

  private:
    std::uint64_t state_;
};

/// FNV-1a, so that the questions of one run are not all shuffled alike.
std::uint64_t hash(const std::string& text) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (const char letter : text)
        value = (value ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return value;
}

std::string how_to_answer(const model::Question& question) {
    switch (question.kind) {
    case model::QuestionKind::multiple_choice: return "Answer with one letter.";
    case model::QuestionKind::numeric:
        return question.unit.empty() ? "Answer with a number."
                                     : "Answer with a number, in " + question.unit + ".";
    case model::QuestionKind::predict_output: return "Answer with what is printed.";
    case model::QuestionKind::short_text: return "Answer in a sentence or two.";
    }
    return {};
}

/// Continuation lines of an option belong to its list item only when they are indented as its text is.
std::string indented(const std::string& text, std::size_t columns) {
    std::string out;
    for (const char letter : text) {
        out += letter;
        if (letter == '\n') out.append(columns, ' ');
    }
    return out;
}

} // namespace

std::vector<std::size_t> option_order(const model::Question& question, std::uint64_t seed) {
    std::vector<std::size_t> order(question.options.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Stream stream(seed ^ hash(question.id));
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[stream.below(left)]);
    return order;
}

std::string as_markdown(const model::Question& question, std::size_t number, std::uint64_t seed) {
    std::string out = "**Question " + std::to_string(number) + ".** " + question.prompt + "\n\n";
    char letter = 'a';
    for (const std::size_t option : option_order(question, seed))
        out += std::string("- ") + letter++ + ") " + indented(question.options[option].text, 2) + "\n";
    if (!question.options.empty()) out += "\n";
    return out + "*" + how_to_answer(question) + "*\n";
}

} // namespace questions
