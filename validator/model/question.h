#pragma once

#include <map>
#include <string>
#include <vector>

/// The conceptual questions of a problem: what `problems/<id>/questions.json` says, and what an attempt makes
/// of it.
namespace model {

enum class QuestionKind { multiple_choice, several, order, pairs, numeric, predict_output, short_text };

/// One answer to choose, one step to put in order, or the left side of a pair.
struct Option {
    std::string id; ///< how answers name it, wherever it is shown
    std::string text;
    bool correct = false;
    std::string says;           ///< why it is right, or what one would have to believe to choose it
    std::string mistake;        ///< the mistake it points at, or empty
    std::string concept_name{}; ///< pairs: what this left side asks about, or empty
};

/// A wrong number, output or order that tells which misunderstanding led to it.
struct Misconception {
    std::string answer; ///< a formula for `numeric`, the literal output for `predict_output`, ids for `order`
    std::string says;
    std::string mistake; ///< or empty
};

struct Question {
    std::string id;
    QuestionKind kind = QuestionKind::multiple_choice;
    std::string concept_name;
    std::string prompt;          ///< Markdown
    std::string explanation;     ///< Markdown, shown after the answer
    std::vector<Option> options; ///< what is chosen from; of a drawn question in the order of its attempt
    std::vector<Option> matches; ///< pairs: the right sides, in the same order as their `options` until drawn
    std::vector<std::string>
        key; ///< order: ids of the options from first to last; pairs: of each option's match
    /// The values of which an attempt's seed draws one; a drawn question has one left of each.
    std::map<std::string, std::vector<double>> variables;
    std::string formula;               ///< numeric: muParser expression over `variables`
    double relative_tolerance = 0.005; ///< numeric; 0 demands the exact value
    std::string unit;                  ///< numeric, or empty
    std::string output; ///< predict_output: the expected text; blanks and line ends do not matter
    std::vector<Misconception> misconceptions; ///< numeric, predict_output and order
    std::vector<std::string> key_points;       ///< short_text: what the learner compares the answer with
    std::string model_answer;                  ///< short_text
};

} // namespace model
