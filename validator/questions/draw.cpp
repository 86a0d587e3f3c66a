#include "questions/draw.h"

#include "questions/fill.h"

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

void shuffle(std::vector<model::Option>& options, Stream& stream) {
    for (std::size_t left = options.size(); left > 1; --left)
        std::swap(options[left - 1], options[stream.below(left)]);
}

void fill_texts(model::Question& question, const Variables& values) {
    const auto sentence = [&](std::string& text) { text = fill(text, values, Digits::grouped); };
    const auto output = [&](std::string& text) { text = fill(text, values, Digits::plain); };
    sentence(question.prompt);
    sentence(question.explanation);
    for (auto* options : {&question.options, &question.matches})
        for (model::Option& option : *options) {
            sentence(option.text);
            sentence(option.says);
        }
    output(question.output);
    for (model::Misconception& misconception : question.misconceptions) {
        sentence(misconception.says);
        if (question.kind == model::QuestionKind::predict_output) output(misconception.answer);
    }
}

} // namespace

model::Question drawn(const model::Question& question, std::uint64_t seed) {
    model::Question result = question;
    Stream stream(seed ^ hash(question.id));
    shuffle(result.options, stream);
    shuffle(result.matches, stream);
    for (auto& [name, values] : result.variables)
        values = {values.at(stream.below(values.size()))};
    fill_texts(result, values_of(result));
    return result;
}

std::vector<model::Question> drawn(const std::vector<model::Question>& questions, std::uint64_t seed) {
    std::vector<model::Question> results;
    results.reserve(questions.size());
    for (const model::Question& question : questions)
        results.push_back(drawn(question, seed));
    return results;
}

Variables values_of(const model::Question& drawn) {
    Variables values;
    for (const auto& [name, choices] : drawn.variables)
        values[name] = choices.front();
    return values;
}

} // namespace questions
