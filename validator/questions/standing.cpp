#include "questions/standing.h"

#include <algorithm>

namespace questions {

model::Justification justification(const std::vector<model::Question>& questions,
                                   const model::Justification& answered) {
    model::Justification all{answered.attempt, {}};
    for (const model::Question& question : questions) {
        const auto found =
            std::ranges::find(answered.questions, question.id, &model::QuestionStanding::question);
        all.questions.push_back(found == answered.questions.end() ? model::QuestionStanding{question.id}
                                                                  : *found);
    }
    return all;
}

} // namespace questions
