#pragma once

#include "model/problem.h"

#include <string>

/// One question of each kind, about the offset of an element in a row-major table.
namespace examples {

inline model::Question choice() {
    model::Question question;
    question.id = "fourth-row";
    question.kind = model::QuestionKind::multiple_choice;
    question.prompt = "Where does row 3 of a table with stride 4 begin?";
    question.explanation = "Row r begins at `r * stride`.";
    question.options = {{"Element 12", true, "Three rows of four lie before it.", ""},
                        {"Element 3", false, "That is the start of *column* 3.", "reads-column"},
                        {"Element 16", false, "That counts rows from one.", "one-based-ids"},
                        {"Element 9", false, "That takes the columns for the stride.", ""}};
    return question;
}

inline model::Question number() {
    model::Question question;
    question.id = "offset";
    question.kind = model::QuestionKind::numeric;
    question.prompt = "Which element is `(5, 2)` of a table with 3 columns?";
    question.explanation = "5 rows of 3, then 2 more: 17.";
    question.formula = "row*d + col";
    question.variables = {{"row", 5}, {"col", 2}, {"d", 3}};
    question.relative_tolerance = 0;
    question.unit = "elements";
    question.misconceptions = {{"col*6 + row", "You went down column 2.", "reads-column"},
                               {"(row-1)*d + col", "Ids count from zero.", ""}};
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
    question.key_points = {{"later stages change the output", {"mutat", "change later", "modif"}},
                           {"the table is shared by all tokens", {"shared", "other token"}},
                           {"row-major order", {"row-major"}}};
    question.needed = 2;
    question.model_answer = "Later stages modify the vectors, and the table is shared.";
    return question;
}

} // namespace examples
