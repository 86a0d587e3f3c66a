#pragma once

#include "model/question.h"

#include <string>

/// One question of each kind, about the offset of an element in a row-major table.
namespace examples {

inline model::Question choice() {
    model::Question question;
    question.id = "fourth-row";
    question.kind = model::QuestionKind::multiple_choice;
    question.prompt = "Where does row 3 of a table with stride 4 begin?";
    question.explanation = "Row r begins at `r * stride`.";
    question.options = {{"twelve", "Element 12", true, "Three rows of four lie before it.", ""},
                        {"three", "Element 3", false, "That is the start of *column* 3.", "reads-column"},
                        {"sixteen", "Element 16", false, "That counts rows from one.", "one-based-ids"},
                        {"nine", "Element 9", false, "That takes the columns for the stride.", ""}};
    return question;
}

inline model::Question several() {
    model::Question question = choice();
    question.id = "which-rows";
    question.kind = model::QuestionKind::several;
    question.options[3].correct = true;
    return question;
}

inline model::Question order() {
    model::Question question;
    question.id = "steps";
    question.kind = model::QuestionKind::order;
    question.prompt = "In which order?";
    question.explanation = "Check, then copy.";
    question.options = {{"check", "Check the id"}, {"find", "Find the row"}, {"copy", "Copy the row"}};
    question.key = {"check", "find", "copy"};
    question.misconceptions = {{"find copy check", "The check comes too late.", "writes-first"}};
    return question;
}

inline model::Question pairs() {
    model::Question question;
    question.id = "names";
    question.kind = model::QuestionKind::pairs;
    question.prompt = "What is what?";
    question.explanation = "V rows, C columns.";
    question.options = {{"v", "V"}, {"c", "C"}, {"t", "T"}};
    question.matches = {{"rows", "rows"}, {"columns", "columns"}, {"tokens", "tokens"}};
    question.key = {"v=rows", "c=columns", "t=tokens"};
    return question;
}

inline model::Question number() {
    model::Question question;
    question.id = "offset";
    question.kind = model::QuestionKind::numeric;
    question.prompt = "Which element is `(5, 2)` of a table with 3 columns?";
    question.explanation = "5 rows of 3, then 2 more: 17.";
    question.formula = "row*d + col";
    question.variables = {{"row", {5}}, {"col", {2}}, {"d", {3}}};
    question.relative_tolerance = 0;
    question.unit = "elements";
    question.misconceptions = {{"col*6 + row + 1", "You went down column 2.", "reads-column"},
                               {"(row-1)*d + col", "Ids count from zero.", ""}};
    return question;
}

/// Draws its values: 12 or 24 rows of 64 or 128 floats.
inline model::Question bytes() {
    model::Question question;
    question.id = "bytes-read";
    question.kind = model::QuestionKind::numeric;
    question.prompt = "How many bytes do ${n} rows of ${d} floats take?";
    question.explanation = "${n} * ${d} * 4 = ${n*d*4}.";
    question.formula = "n*d*4";
    question.variables = {{"n", {12, 24}}, {"d", {64, 128}}};
    question.relative_tolerance = 0;
    question.unit = "bytes";
    question.misconceptions = {{"n*d", "That is ${n*d} numbers.", ""}};
    return question;
}

inline model::Question output() {
    model::Question question;
    question.id = "predict";
    question.kind = model::QuestionKind::predict_output;
    question.prompt = "What does it print?";
    question.explanation = "Id 2 twice.";
    question.output = "7 8 9\n7 8 9\n";
    question.misconceptions = {{"4 5 6\n4 5 6", "Ids count from zero.", "one-based-ids"}};
    return question;
}

inline model::Question text() {
    model::Question question;
    question.id = "why-copy";
    question.kind = model::QuestionKind::short_text;
    question.prompt = "Why does lookup copy the row?";
    question.explanation = "Adding positions would change the table.";
    question.key_points = {"later stages change the output", "the table is shared by all tokens"};
    question.model_answer = "Later stages modify the vectors, and the table is shared.";
    return question;
}

inline std::vector<model::Question> all() {
    return {choice(), several(), order(), pairs(), number(), bytes(), output(), text()};
}

} // namespace examples
